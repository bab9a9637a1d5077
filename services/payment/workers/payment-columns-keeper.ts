import { setTimeout as sleep } from "node:timers/promises";
import { paymentTouched } from "../../shared/bus/bus-users";
import type { Bus } from "../../shared/bus/jetstream";
import { monotonicMs } from "../../shared/kernel/clock";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { makeWaker } from "../../shared/process/waker";
import type { PaymentColumns } from "../domain/payment-columns";
import type { FilteredPaymentStore } from "../store/filtered-payment-store";

export interface ColumnsKeeper extends Running {
  /** What filters look at, while it is known to be no further behind than lists may be. */
  present(): Pick<PaymentColumns, "find"> | undefined;
}

export interface ColumnsKeeperOptions {
  columns: PaymentColumns;
  store: FilteredPaymentStore;
  bus: Pick<Bus, "onPublished" | "onSignal" | "isUp">;
  /** Where events of payments are published. */
  subject: string;
  logger: Logger;
}

/** So long is waited for more that has changed, milliseconds: what changes again meanwhile is read once. */
const gatherMs = 300;
/** Who answers by the columns may be so far behind, milliseconds. */
const behindMs = 1_000;
/** Payments that are read at once. */
const atOnce = 500;
const retryMs = 1_000;
/** The loop looks at least so often, milliseconds; whatever it waits for wakes it. */
const lookMs = 60_000;
/** Ids of messages begin with that of their payment. */
const idLength = 36;

/**
 * Fills the columns from the store, and reads again each payment that an event, or a message of another replica, names. Behind a
 * loss of the bus, in which words are lost, they are filled anew. Until then nothing is answered by them.
 */
export function startColumnsKeeper({ columns, store, bus, subject, logger }: ColumnsKeeperOptions): ColumnsKeeper {
  const changed = makeChanged();
  const waker = makeWaker();
  const stopping = new AbortController();
  const { signal } = stopping;
  const rest = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {});
  let isFilled = false;
  bus.onPublished(subject, (id) => {
    if (id === "") isFilled = false;
    else changed.note(id.slice(0, idLength));
    waker.wake();
  });
  bus.onSignal(paymentTouched, (id) => {
    // Behind a loss the other subject says so, too.
    if (id !== "") changed.note(id);
    waker.wake();
  });

  const fill = async (): Promise<void> => {
    isFilled = true;
    let begunMs = monotonicMs();
    for await (const batch of store.all()) {
      for (const payment of batch) columns.put(payment);
      if (signal.aborted) return;
      // The store is there for others: half of the time is theirs.
      await rest(monotonicMs() - begunMs);
      begunMs = monotonicMs();
    }
  };
  const readChanged = async (): Promise<void> => {
    for (let ids = changed.take(atOnce); ids.length > 0; ids = changed.take(atOnce)) {
      for (const payment of await store.find(ids)) columns.put(payment);
      changed.done();
    }
  };
  let isReady = false;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        if (!isFilled && bus.isUp()) {
          isReady = false;
          await fill();
        }
        await readChanged();
        isReady = true;
      } catch (error) {
        isFilled = false;
        logger.warn(errorFields(error), "the columns of lists are filled again");
        await rest(retryMs);
        continue;
      }
      await waker.wait(lookMs);
      await rest(gatherMs);
    }
  };
  const loop = run();
  return {
    present: () => (isReady && isFilled && bus.isUp() && changed.ageMs() < behindMs ? columns : undefined),
    async stop() {
      stopping.abort();
      waker.wake();
      await loop;
    },
  };
}

/** Payments that have changed, with the time at which the change was first announced. */
function makeChanged() {
  const waiting = new Map<string, number>();
  let takenMs = Number.POSITIVE_INFINITY;
  return {
    note(id: string): void {
      if (!waiting.has(id)) waiting.set(id, monotonicMs());
    },
    /** What is announced from here on is waiting again. */
    take(most: number): string[] {
      const some = [...waiting.entries()].slice(0, most);
      takenMs = some[0]?.[1] ?? Number.POSITIVE_INFINITY;
      for (const [id] of some) waiting.delete(id);
      return some.map(([id]) => id);
    },
    done(): void {
      takenMs = Number.POSITIVE_INFINITY;
    },
    /** For how long the first of those that have not been read has been waiting, milliseconds. */
    ageMs(): number {
      const [waitingMs = Number.POSITIVE_INFINITY] = waiting.values();
      return monotonicMs() - Math.min(waitingMs, takenMs);
    },
  };
}
