import { DeliverPolicy } from "@nats-io/jetstream";
import { DocumentEvents } from "../../proto/gen/corridor/identity/v1/document_events";
import { ErasureEvents } from "../../proto/gen/corridor/identity/v1/erasure_events";
import { PaymentEvents } from "../../proto/gen/corridor/payment/v1/payment_events";
import { busUserNames, streamNameOf } from "../../services/shared/bus/bus-users";
import type { Bus } from "../../services/shared/bus/jetstream";

/** The events of one payment on the bus. */
export interface PublishedPayment {
  tenant: string;
  paymentId: string;
  /** The caller's id, where the events carry it. */
  externalId: string | undefined;
  /** Number of the last event. */
  last: number;
}

/** The streams' content over a span of time. */
export interface PublishedEvents {
  payments: ReadonlyMap<string, PublishedPayment>;
  /** Documents, with the number of the last event. */
  documents: ReadonlyMap<string, number>;
  /** Persons and companies that were erased, as `<tenant>/<id>`. */
  erasures: readonly string[];
}

const batch = 500;
const patienceMs = 1_500;

/** Names of the existing streams. */
export async function presentStreams(bus: Bus): Promise<string[]> {
  const { manager } = await bus.client();
  const present: string[] = [];
  for (const name of busUserNames.map(streamNameOf)) {
    const found = await manager.streams.info(name).catch(() => undefined);
    if (found !== undefined) present.push(name);
  }
  return present;
}

/** Reads the events published since a time. */
export async function readPublishedEvents(bus: Bus, from: Date): Promise<PublishedEvents> {
  const payments = new Map<string, PublishedPayment>();
  const documents = new Map<string, number>();
  const erasures: string[] = [];
  await eachMessage(bus, streamNameOf("payment"), from, (_subject, payload) => {
    const { tenant, paymentId, externalPaymentId, events } = PaymentEvents.decode(payload);
    const last = Math.max(payments.get(paymentId)?.last ?? 0, ...events.map(({ sequence }) => sequence));
    payments.set(paymentId, { tenant, paymentId, externalId: externalPaymentId, last });
  });
  await eachMessage(bus, streamNameOf("identity"), from, (subject, payload) => {
    if (subject === "corridor.identity.erasures") {
      const { tenant, participantId } = ErasureEvents.decode(payload);
      erasures.push(`${tenant}/${participantId}`);
    }
    if (subject === "corridor.identity.documents") {
      const { documentId, events } = DocumentEvents.decode(payload);
      documents.set(documentId, Math.max(documents.get(documentId) ?? 0, ...events.map(({ sequence }) => sequence)));
    }
  });
  return { payments, documents, erasures };
}

async function eachMessage(
  bus: Bus,
  stream: string,
  from: Date,
  handle: (subject: string, payload: Uint8Array) => void,
): Promise<void> {
  const { jetstream, manager } = await bus.client();
  const state = await manager.streams.info(stream).catch(() => undefined);
  if (state === undefined || state.state.messages === 0 || new Date(state.state.last_ts) < from) return;
  const begin = { deliver_policy: DeliverPolicy.StartTime, opt_start_time: from.toISOString() };
  const consumer = await jetstream.consumers.get(stream, begin);
  for (let sequence = 0; sequence < state.state.last_seq; ) {
    const before = sequence;
    const messages = await consumer.fetch({ max_messages: batch, expires: patienceMs });
    for await (const message of messages) {
      sequence = message.seq;
      // An empty message ends a replay.
      if (message.data.length > 0) handle(message.subject, message.data);
      if (sequence >= state.state.last_seq) break;
    }
    if (sequence === before) throw new Error(`the stream ${stream} stopped in the middle`);
  }
}
