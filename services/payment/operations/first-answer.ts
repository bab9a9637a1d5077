import { monotonicMs } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { PaymentIdentity } from "../domain/payment-command";
import { isAnswerable, type ReceiptFacts, receiptFacts } from "../domain/receipt";
import type { StoredAnswer } from "../store/acceptances";
import type { PaymentStore } from "../store/payment-store";

export interface FirstAnswerDeps {
  payments: Pick<PaymentStore, "find" | "findAnswer" | "keepAnswer">;
  pause(ms: number): Promise<void>;
}

/** How long a request waits for another request with the same id. */
const patienceMs = 5_000;
const pollMs = 50;

export interface Patience {
  /** Waits a moment, or less when `sooner` resolves earlier. Throws REQUEST_RUNNING once the patience is over. */
  wait(sooner?: Promise<unknown>, momentMs?: number): Promise<void>;
}

/** Starts the patience of a request that begins now. */
export function makePatience(pause: FirstAnswerDeps["pause"]): Patience {
  const endMs = monotonicMs() + patienceMs;
  return {
    async wait(sooner, momentMs = pollMs) {
      const leftMs = endMs - monotonicMs();
      if (leftMs <= 0) throw new DomainError("REQUEST_RUNNING", "the same request is still running");
      const moment = pause(Math.min(momentMs, leftMs));
      await (sooner === undefined ? moment : Promise.race([sooner, moment]));
    },
  };
}

/** Waits for work of this process, for as long as the patience lasts. */
export async function awaitWork(work: Promise<unknown>, patience: Patience): Promise<void> {
  let isRunning = true;
  const end = (): void => {
    isRunning = false;
  };
  const ended = work.then(end, end);
  while (isRunning) await patience.wait(ended, patienceMs);
}

/** Looks an id up until it is found: another request with the id has won, and what it wrote becomes readable shortly. */
export async function awaitStored(
  { payments }: Pick<FirstAnswerDeps, "payments">,
  { tenant, externalId }: PaymentIdentity,
  patience: Patience,
): Promise<StoredAnswer> {
  for (;;) {
    const stored = await payments.findAnswer(tenant, externalId);
    if (stored !== undefined) return stored;
    await patience.wait();
  }
}

/**
 * Returns the first answer of a stored payment, as soon as its content is certain. It is written once, by the request itself or by a
 * repeat that outlives it, in the form which that request asks for; every request sends what is written.
 */
export async function awaitFirstAnswer(
  { payments }: Pick<FirstAnswerDeps, "payments">,
  { id, form }: { id: string; form: number },
  patience: Patience,
  proceeding: Promise<unknown> = Promise.resolve(),
): Promise<ReceiptFacts> {
  let isProceeding = true;
  const end = (): void => {
    isProceeding = false;
  };
  const ended = proceeding.then(end, end);
  for (;;) {
    const payment = await payments.find(id);
    if (payment !== undefined && isAnswerable(payment)) return payments.keepAnswer(id, receiptFacts(payment, form));
    await patience.wait(isProceeding ? ended : undefined);
  }
}
