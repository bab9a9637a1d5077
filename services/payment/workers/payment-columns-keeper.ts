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
  /** Returns the columns while they are known to be no further behind than lists may be. */
  present(): Pick<PaymentColumns, "find"> | undefined;
}

export interface ColumnsKeeperOptions {
  columns: PaymentColumns;
  store: FilteredPaymentStore;
  bus: Pick<Bus, "onPublished" | "onSignal" | "isUp">;
  /** Subject to which events of payments are published. */
  subject: string;
  logger: Logger;
}

/** How long further changes are collected, milliseconds: a payment that changes again meanwhile is read once. */
const gatherMs = 300;
/** How far behind columns may be that answer lists, milliseconds. */
const behindMs = 1_000;
/** Number of payments that are read at once. */
const atOnce = 500;
const retryMs = 1_000;
/** The longest time between two runs of the loop, milliseconds; whatever it waits for wakes it earlier. */
const lookMs = 60_000;
/** Length of a payment's id, with which ids of messages begin. */
const idLength = 36;

/**
 * Fills the columns from the store, and reads again each payment that an event, or a message of another replica, names. After a loss on
 * the bus, in which messages are missing, the columns are filled anew and answer nothing until then.
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
    // After a loss on the bus, the other subject reports it, too.
    if (id !== "") changed.note(id);
    waker.wake();
  });

  const fill = async (): Promise<void> => {
    isFilled = true;
    let begunMs = monotonicMs();
    for await (const batch of store.all()) {
      for (const payment of batch) columns.put(payment);
      if (signal.aborted) return;
      // The store serves others, too: half of the time is left to them.
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
        logger.warn(errorFields(error), "the columns of lists could not be updated; they are filled again");
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

/** Collects payments that have changed, with the time at which the change was first announced. */
function makeChanged() {
  const waiting = new Map<string, number>();
  let takenMs = Number.POSITIVE_INFINITY;
  return {
    note(id: string): void {
      if (!waiting.has(id)) waiting.set(id, monotonicMs());
    },
    /** Takes ids. Changes that are announced from here on wait again. */
    take(most: number): string[] {
      const some = [...waiting.entries()].slice(0, most);
      takenMs = some[0]?.[1] ?? Number.POSITIVE_INFINITY;
      for (const [id] of some) waiting.delete(id);
      return some.map(([id]) => id);
    },
    done(): void {
      takenMs = Number.POSITIVE_INFINITY;
    },
    /** Returns how long the oldest unread change has been waiting, milliseconds. */
    ageMs(): number {
      const [waitingMs = Number.POSITIVE_INFINITY] = waiting.values();
      return monotonicMs() - Math.min(waitingMs, takenMs);
    },
  };
}
