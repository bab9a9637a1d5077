import type { SequencedEvent, Subject } from "./event";
import { type Restore, renumbered } from "./restore";

/** Events of one subject, by ascending sequence, and their source stream. */
export interface SubjectEvents {
  stream: string;
  subject: Subject;
  /** The caller's id of the payment; undefined for documents and agents. */
  externalId?: string | undefined;
  events: readonly SequencedEvent[];
}

/** The key under which handled events are counted: stream and subject. */
export const handledKey = ({ stream, subject }: Pick<SubjectEvents, "stream" | "subject">): string =>
  `${stream}/${subject.id}`;

/** The events of some messages that were not handled before, and the new count of each subject. */
export interface Unhandled {
  /** One element for each message; undefined for a message with a gap before it. */
  fresh: (readonly SequencedEvent[] | undefined)[];
  handled: ReadonlyMap<string, number>;
}

/**
 * Selects the events after the last known one of each subject, from messages in order. It compares the producers' numbers
 * and returns the events as tenants receive them.
 */
export function unhandledOf(
  messages: readonly SubjectEvents[],
  known: ReadonlyMap<string, number>,
  restores: readonly Restore[],
): Unhandled {
  const handled = new Map<string, number>();
  const fresh = messages.map((message) => {
    const key = handledKey(message);
    const last = handled.get(key) ?? known.get(key) ?? 0;
    const rest = message.events.filter(({ sequence }) => sequence > last);
    if (rest.some(({ sequence }, index) => sequence !== last + 1 + index)) return undefined;
    if (rest.length > 0) handled.set(key, last + rest.length);
    return rest.map((event) => renumbered(restores, event));
  });
  return { fresh, handled };
}
