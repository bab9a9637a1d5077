import type { PlacedEvent, Subject } from "./event";
import { type Restore, renumbered } from "./restore";

/** Events of one subject, by ascending sequence, and where they come from. */
export interface SubjectEvents {
  stream: string;
  subject: Subject;
  /** The caller's id of the payment that they are about; undefined for others. */
  externalId?: string | undefined;
  events: readonly PlacedEvent[];
}

/** What was handled is counted by stream and subject. */
export const handledKey = ({ stream, subject }: Pick<SubjectEvents, "stream" | "subject">): string =>
  `${stream}/${subject.id}`;

/** What of some messages was not handled before, and how far it brings their subjects. */
export interface Unhandled {
  /** A place for each message; undefined for one with a gap before it. */
  fresh: (readonly PlacedEvent[] | undefined)[];
  handled: ReadonlyMap<string, number>;
}

/**
 * Sorts out the events behind the last one known of each subject. The messages are in their order. It goes by the producers'
 * numbers, and answers with events as tenants are told of them.
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
