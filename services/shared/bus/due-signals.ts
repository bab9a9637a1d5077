import { randomBytes } from "node:crypto";
import { monotonicMs } from "../kernel/clock";
import type { DueNotes } from "../process/due-work";
import type { Running } from "../process/lifecycle";
import { type BusUserName, dueSubjectOf } from "./bus-users";
import type { Bus } from "./jetstream";

/** A replica tells the others at most so often that there is something new of a kind, milliseconds. */
const tellEveryMs = 1_000;

/**
 * Lets the replicas of a service hear of what any of them writes to be done later, so that one can do what another leaves
 * when it dies. `notes` are those of each kind of work, by a name that all replicas know. Words may be lost; each worker looks now
 * and then all the same.
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
    let toldMs = Number.NEGATIVE_INFINITY;
    let timer: NodeJS.Timeout | undefined;
    const tell = (): void => {
      timer = undefined;
      toldMs = monotonicMs();
      bus.signal(subject, `${self} ${name}`);
    };
    noted.onNote(() => {
      if (timer !== undefined) return;
      const restMs = toldMs + tellEveryMs - monotonicMs();
      if (restMs <= 0) tell();
      else timer = setTimeout(tell, restMs);
    });
    stops.push(() => {
      if (timer === undefined) return;
      clearTimeout(timer);
      tell();
    });
  }
  bus.onSignal(subject, (text) => {
    const [from, name] = text.split(" ");
    if (from === self) return;
    // A new connection: anything may have been said meanwhile.
    for (const [own, noted] of Object.entries(notes)) if (text === "" || own === name) noted.hear();
  });
  return {
    // What was written last, and what this process gives back when it stops, is for the others to know.
    async stop() {
      for (const stop of stops) stop();
    },
  };
}
