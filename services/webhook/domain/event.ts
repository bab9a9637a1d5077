import type { EventName } from "./event-names";

/** What events are about: a transaction, a document or an agent. Its events are delivered in their order. */
export interface Subject {
  tenant: string;
  id: string;
}

/** What subscriptions are told of an event. */
export interface Telling {
  name: EventName;
  /** JSON text of the body's fields behind `event`, without the opening brace. Every delivery repeats these characters. */
  fields: string;
}

/** An event in its place among the events of its subject. */
export interface PlacedEvent {
  id: string;
  /** Position among the subject's events: 1, 2, 3 and so on. */
  sequence: number;
  occurredAt: Date;
  /** W3C traceparent of the work that caused it. */
  traceparent: string | undefined;
  /** Undefined when no subscription hears of it; it only has its place among the others. */
  telling: Telling | undefined;
}

/** An event that subscriptions hear of. */
export type ToldEvent = PlacedEvent & { telling: Telling };

/** An event in its place among all that its tenant is told. */
export interface FeedEvent extends ToldEvent {
  subject: Subject;
  /** 1, 2, 3 and so on, without gaps. */
  position: number;
}

export const isTold = (event: PlacedEvent): event is ToldEvent => event.telling !== undefined;

/** JSON text of an object's fields, in their order, as `Telling` wants it. */
export const fieldsOf = (fields: object): string => JSON.stringify(fields).slice(1);

/** The body of a delivery: compact JSON. `spelling` is the event's name as the subscription registered it. */
export const bodyOf = (spelling: string, fields: string): string => `{"event":${JSON.stringify(spelling)},${fields}`;

/** Most bytes of the body of a delivery; of a batch, of each event in it. */
const maxBodyBytes = 20_000;
/** The longest name of an event, as a subscription may spell it, with what JSON puts around it. */
const nameBytes = 64;

/** Bytes that are left in a body beside these fields, under any name. */
export const roomBeside = (fields: string): number => maxBodyBytes - nameBytes - Buffer.byteLength(fields);
