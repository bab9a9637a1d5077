import type { EventName } from "./event-names";

/** The object of events: a transaction, a document or an agent. Its events are delivered in order. */
export interface Subject {
  tenant: string;
  id: string;
}

/** The content that subscriptions receive of an event. */
export interface Notification {
  name: EventName;
  /** JSON text of the body's fields after `event`, without the opening brace. Every delivery repeats it exactly. */
  fields: string;
}

/** An event with its number among the events of its subject. */
export interface SequencedEvent {
  id: string;
  /** Position among the subject's events: 1, 2, 3 and so on. */
  sequence: number;
  occurredAt: Date;
  /** W3C traceparent of the work that caused it. */
  traceparent: string | undefined;
  /** Undefined when no subscription receives it; the event only counts in the sequence. */
  notification: Notification | undefined;
}

/** An event that subscriptions receive. */
export type NotifiedEvent = SequencedEvent & { notification: Notification };

/** An event with its position in its tenant's feed. */
export interface FeedEvent extends NotifiedEvent {
  subject: Subject;
  /** 1, 2, 3 and so on, without gaps. */
  position: number;
}

export const isNotified = (event: SequencedEvent): event is NotifiedEvent => event.notification !== undefined;

/** JSON text of an object's fields in their order, without the opening brace. */
export const fieldsOf = (fields: object): string => JSON.stringify(fields).slice(1);

/** The body of a delivery: compact JSON. `spelling` is the event's name as the subscription registered it. */
export const bodyOf = (spelling: string, fields: string): string => `{"event":${JSON.stringify(spelling)},${fields}`;

/** Most bytes of the body of a delivery; of a batch, of each event in it. */
const maxBodyBytes = 20_000;
/** Most bytes of an event's name, as a subscription may spell it, with the JSON around it. */
const nameBytes = 64;

/** Bytes left in a body beside these fields, whatever the event's name. */
export const roomBeside = (fields: string): number => maxBodyBytes - nameBytes - Buffer.byteLength(fields);
