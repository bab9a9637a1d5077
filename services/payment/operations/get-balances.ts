import { type Clock, plusMs } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Balance, FundsHolder } from "../domain/check-ports";

export interface GetBalancesDeps {
  holders: readonly FundsHolder[];
  clock: Clock;
}

export interface ProviderBalance {
  providerId: string;
  balances: readonly Balance[];
}

export type GetBalances = () => Promise<ProviderBalance[]>;

const keptMs = 30_000;

/**
 * Returns what each provider holds for us, at most 30 seconds old. Concurrent callers share one question. A provider that does not answer
 * is left out and is asked again next time; throws UNAVAILABLE when none answers.
 */
export function makeGetBalances({ holders, clock }: GetBalancesDeps): GetBalances {
  const read = holders.map((holder) => keep(holder, clock));
  return async () => {
    const answers = await Promise.all(read.map((one) => one()));
    const known = answers.filter((answer) => answer !== undefined);
    if (known.length === 0) throw new DomainError("UNAVAILABLE", "no provider answers");
    return known;
  };
}

function keep({ name, balances }: FundsHolder, clock: Clock): () => Promise<ProviderBalance | undefined> {
  let kept: { answer: ProviderBalance; until: Date } | undefined;
  let asking: Promise<ProviderBalance | undefined> | undefined;
  const ask = async (): Promise<ProviderBalance | undefined> => {
    const found = await balances();
    if (found === undefined) return undefined;
    const answer = { providerId: name, balances: found };
    kept = { answer, until: plusMs(clock.now(), keptMs) };
    return answer;
  };
  return async () => {
    if (kept !== undefined && clock.now() < kept.until) return kept.answer;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}
