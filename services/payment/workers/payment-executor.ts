import { type Clock, plusMs } from "../../shared/kernel/clock";
import { runInCall } from "../../shared/process/call-context";
import { type DueNotes, startDueWork } from "../../shared/process/due-work";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { counter, type Metrics } from "../../shared/process/metrics";
import type { Tracing } from "../../shared/process/tracing";
import type { Payment } from "../domain/payment";
import { type AdvancePayment, type Approach, takenUntil } from "../operations/advance-payment";
import type { PaymentStore } from "../store/payment-store";

export interface ExecutorDeps {
  payments: Pick<PaymentStore, "due" | "nextDue" | "take" | "setAside">;
  /** Announces when payments that were written will be due. */
  due: DueNotes;
  advance: AdvancePayment;
  clock: Clock;
  /** Throws while this process's clock is not to be trusted: it would end waits that are not over. */
  requireClock(): Promise<void>;
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
  /** Longest time between two looks at the store, milliseconds. */
  lookMs?: number | undefined;
}

export interface Executor extends Running {
  /** Advances a payment; resolves when the payment waits, is idle or belongs to another process. */
  proceed(payment: Payment, approach: Approach): Promise<void>;
}

const concurrency = 64;
const setAsideMs = 60_000;

/**
 * Runs payments in the background: new ones at once, and due ones as often as necessary. What it holds in memory only speeds things up:
 * every payment that is not final is due in the store, and any replica may take it.
 */
export function startExecutor(deps: ExecutorDeps): Executor {
  const { advance, clock, logger, tracing } = deps;
  const held = new Set<string>();
  const queue: { payment: Payment; approach: Approach; done: () => void }[] = [];
  const running = new Set<Promise<void>>();
  let isStopping = false;

  const run = (payment: Payment, approach: Approach): Promise<void> =>
    runInCall({ requestId: payment.id, about: { externalId: payment.externalId } }, () => carry(payment, approach));
  const carry = async (payment: Payment, approach: Approach): Promise<void> => {
    const work = (): Promise<void> =>
      tracing.span("payment.advance", { kind: "internal", parent: payment.traceparent }, () =>
        advance(payment, approach),
      );
    try {
      await deps.requireClock();
      await work();
    } catch (error) {
      logger.error(
        { paymentId: payment.id, ...errorFields(error) },
        "a payment could not be carried on; it is due again",
      );
    } finally {
      held.delete(payment.id);
    }
  };
  const fill = (): void => {
    while (running.size < concurrency && !isStopping) {
      const entry = queue.shift();
      if (entry === undefined) return;
      const task = run(entry.payment, entry.approach).finally(() => {
        running.delete(task);
        entry.done();
        fill();
      });
      running.add(task);
    }
  };
  const hold = (payment: Payment, approach: Approach): Promise<void> => {
    if (isStopping || held.has(payment.id)) return Promise.resolve();
    held.add(payment.id);
    return new Promise((done) => {
      queue.push({ payment, approach, done });
      fill();
    });
  };
  const sweeper = startDueWork({
    lookMs: deps.lookMs,
    work: makeSweep(deps, held, hold),
    notes: deps.due,
    clock,
    onError: (error) => logger.warn(errorFields(error), "looking for due payments failed"),
  });
  return {
    proceed: hold,
    async stop() {
      isStopping = true;
      for (const { done } of queue.splice(0)) done();
      await sweeper.stop();
      await Promise.all(running);
    },
  };
}

type Hold = Executor["proceed"];

/** Takes what is due, and announces when more will be due. */
function makeSweep(deps: ExecutorDeps, held: ReadonlySet<string>, hold: Hold): () => Promise<Date | undefined> {
  const { payments, clock } = deps;
  const setAside = makeSetAside(deps);
  return async () => {
    await deps.requireClock();
    const at = clock.now();
    const room = concurrency * 2 - held.size;
    if (room <= 0) return at;
    const due = await payments.due(at, room);
    if (due.unreadable.length > 0) await setAside(due.unreadable, at);
    const free = due.payments.filter((payment) => !held.has(payment.id));
    await Promise.all(
      free.map(async (payment) => {
        const taken = await payments.take(payment, takenUntil(at));
        if (taken !== undefined) void hold(taken, "ask");
      }),
    );
    return payments.nextDue();
  };
}

/** Counts and logs payments that cannot be read, and postpones them for a minute so that they do not delay others. */
function makeSetAside({ payments, logger, metrics }: Pick<ExecutorDeps, "payments" | "logger" | "metrics">) {
  const unreadable = counter(metrics, "corridor_payments_unreadable_total", "Due payments that could not be read.");
  return async (paymentIds: readonly string[], at: Date): Promise<void> => {
    unreadable.inc(paymentIds.length);
    logger.error({ paymentIds }, "payments cannot be read; is a sealing key missing?");
    await payments.setAside(paymentIds, plusMs(at, setAsideMs));
  };
}
