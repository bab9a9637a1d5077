import { randomBytes } from "node:crypto";
import { monotonicMs } from "../kernel/clock";
import type { DueNotes } from "../process/due-work";
import type { Running } from "../process/lifecycle";
import { type BusUserName, dueSubjectOf } from "./bus-users";
import type { Bus } from "./jetstream";

/** Shortest time between two signals of one kind of work, milliseconds. */
const signalEveryMs = 1_000;

/**
 * Signals to all replicas of a service the work that any of them writes for later, so that one can do what another leaves
 * when it dies. `notes` are those of each kind of work, by a name that all replicas share. Signals may be lost: each worker
 * also reads the store periodically.
 */
export function shareDueNotes(
  bus: Pick<Bus, "signal" | "onSignal">,
  service: BusUserName,
  notes: Readonly<Record<string, DueNotes>>,
): Running {
  const subject = dueSubjectOf(service);
  const self = randomBytes(8).toString("hex");
  const stops: (() => void)[] = [];
  for (const [name, noted] of Object.entries(notes)) {
    let sentMs = Number.NEGATIVE_INFINITY;
    let timer: NodeJS.Timeout | undefined;
    const signal = (): void => {
      timer = undefined;
      sentMs = monotonicMs();
      bus.signal(subject, `${self} ${name}`);
    };
    noted.onNote(() => {
      if (timer !== undefined) return;
      const restMs = sentMs + signalEveryMs - monotonicMs();
      if (restMs <= 0) signal();
      else timer = setTimeout(signal, restMs);
    });
    stops.push(() => {
      if (timer === undefined) return;
      clearTimeout(timer);
      signal();
    });
  }
  bus.onSignal(subject, (text) => {
    const [from, name] = text.split(" ");
    if (from === self) return;
    // On a new connection any signal may have been missed.
    for (const [own, noted] of Object.entries(notes)) if (text === "" || own === name) noted.refresh();
  });
  return {
    // The last writes, and what this process releases as it stops, are signalled to the others.
    async stop() {
      for (const stop of stops) stop();
    },
  };
}
