import { type Clock, parseInstant, plusMs } from "../../shared/kernel/clock";
import { proofOf } from "../domain/proof";
import type { ProofStore } from "../store/proof-store";
import type { StatementStore } from "../store/statement-store";
import type { ReadTrialBalance } from "./read-trial-balance";

export interface KeepProofDeps {
  readTrialBalance: ReadTrialBalance;
  proofs: Pick<ProofStore, "has" | "add">;
  statements: Pick<StatementStore, "countUnresolved">;
  clock: Clock;
}

/** Stores the proof of yesterday once the day is over. */
export type KeepProof = () => Promise<void>;

const dayMs = 86_400_000;

export const makeKeepProof =
  ({ readTrialBalance, proofs, statements, clock }: KeepProofDeps): KeepProof =>
  async () => {
    const madeAt = clock.now();
    const today = madeAt.toISOString().slice(0, 10);
    const end = plusMs(parseInstant(today) ?? madeAt, -1);
    const day = plusMs(end, 1 - dayMs)
      .toISOString()
      .slice(0, 10);
    if (await proofs.has(day)) return;
    const { paths } = await readTrialBalance(end);
    const breaks = Object.fromEntries(await statements.countUnresolved());
    await proofs.add({ day, madeAt, lines: proofOf(paths), accounts: paths, breaks });
  };
