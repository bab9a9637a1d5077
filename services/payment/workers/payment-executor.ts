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
  const { clock, logger } = deps;
  /** Payments in work, with what was asked for meanwhile: the turn under way knows nothing of it, so it follows. */
  const held = new Map<string, Entry | undefined>();
  const queue: Entry[] = [];
  const running = new Set<Promise<void>>();
  let isStopping = false;

  const run = makeRun(deps);
  const fill = (): void => {
    while (running.size < concurrency && !isStopping) {
      const entry = queue.shift();
      if (entry === undefined) return;
      const task = run(entry).finally(() => {
        running.delete(task);
        entry.done();
        leave(entry.payment.id);
        fill();
      });
      running.add(task);
    }
  };
  const leave = (id: string): void => {
    const following = held.get(id);
    held.delete(id);
    if (following === undefined) return;
    if (isStopping) following.done();
    else {
      held.set(id, undefined);
      queue.push(following);
    }
  };
  const hold = (payment: Payment, approach: Approach): Promise<void> => {
    if (isStopping) return Promise.resolve();
    return new Promise((done) => {
      const isFollowing = held.has(payment.id);
      const entry = { payment, approach, done, isFollowing };
      held.set(payment.id, isFollowing ? newerOf(held.get(payment.id), entry) : undefined);
      if (isFollowing) return;
      queue.push(entry);
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
      for (const following of held.values()) following?.done();
      await sweeper.stop();
      await Promise.all(running);
    },
  };
}

/** A payment that waits for its turn. */
interface Entry {
  payment: Payment;
  approach: Approach;
  done: () => void;
  /** True when another turn of the same payment was under way. */
  isFollowing: boolean;
}

/** Returns the entry of the newer payment, which stands for both. */
function newerOf(known: Entry | undefined, entry: Entry): Entry {
  if (known === undefined) return entry;
  const newer = entry.payment.version >= known.payment.version ? entry : known;
  const done = (): void => {
    known.done();
    entry.done();
  };
  return { ...newer, done };
}

/** Carries a payment on by itself; a failure is logged, and the payment is due again. */
function makeRun(deps: ExecutorDeps): (entry: Entry) => Promise<void> {
  const { advance, requireClock, logger, tracing } = deps;
  const work = (entry: Entry): Promise<void> =>
    tracing.span("payment.advance", { kind: "internal", parent: entry.payment.traceparent }, async () => {
      const own = entry.isFollowing ? await stillOwn(deps, entry) : entry;
      if (own !== undefined) await advance(own.payment, own.approach);
    });
  return (entry) => {
    const { id, externalId } = entry.payment;
    return runInCall({ requestId: id, about: { externalId } }, async () => {
      try {
        await requireClock();
        await work(entry);
      } catch (error) {
        logger.error({ paymentId: id, ...errorFields(error) }, "a payment could not be carried on; it is due again");
      }
    });
  };
}

/** Takes a payment that has waited for an earlier turn; undefined when it was changed or taken since. */
async function stillOwn({ payments, clock }: ExecutorDeps, { payment, approach }: Entry) {
  const at = clock.now();
  const { dueAt } = payment.execution;
  const taken = await payments.take(payment, takenUntil(at));
  return taken && { payment: taken, approach: dueAt !== undefined && dueAt <= at ? ("ask" as const) : approach };
}

type Hold = Executor["proceed"];

/** Takes what is due, and announces when more will be due. */
function makeSweep(
  deps: ExecutorDeps,
  held: ReadonlyMap<string, unknown>,
  hold: Hold,
): () => Promise<Date | undefined> {
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
