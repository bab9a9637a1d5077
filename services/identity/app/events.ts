import { shareDueNotes } from "../../shared/bus/due-signals";
import { openServiceBus, streamOf } from "../../shared/bus/jetstream";
import { joinOutboxes } from "../../shared/bus/joined-outbox";
import { startRelay } from "../../shared/bus/outbox-relay";
import type { Clock } from "../../shared/kernel/clock";
import { currentCall } from "../../shared/process/call-context";
import type { DueNotes } from "../../shared/process/due-work";
import { type Running, stopAll } from "../../shared/process/lifecycle";
import type { Runtime } from "../../shared/process/runtime";
import { makeLease, processHolder } from "../../shared/storage/lease";
import type { Mongo } from "../../shared/storage/mongo";
import type { IdentityConfig } from "../config";
import { encodeDocumentEvents } from "../handlers/document-codec";
import { encodeErasure, publishedErasure } from "../handlers/erasure-codec";
import { encodeDecisionEvents, type PublishedDecision } from "../handlers/review-codec";
import { decisionCollection } from "../store/decision-store";
import { documentCollection, type RecordOfDocument } from "../store/document-store";
import { type ErasureRecord, erasureCollection } from "../store/erasure-store";
import { makeRecordOutbox } from "../store/record-outbox";
import { sessionCollection } from "../store/session-store";

/** Everything published about documents and sessions. */
const subject = "corridor.identity.documents";
/** Everything published about decisions. */
const decisionSubject = "corridor.identity.decisions";
/** Published when a participant was erased. */
const erasureSubject = "corridor.identity.erasures";

/** Wakes the sweeps when there is something to ask vendors about. */
export type Due = Readonly<Record<"sessions" | "documents" | "erasures" | "lists", DueNotes>>;

/** Events of documents, sessions and decisions, on their way to the bus. */
export interface Events extends Running {
  nudgeRelay(): void;
  traceparent(): string;
}

/** Opens the bus, the relay, and the notifications between replicas. */
export async function openEvents(
  config: IdentityConfig,
  runtime: Runtime,
  mongo: Mongo,
  clock: Clock,
  due: Due,
): Promise<Events> {
  const { connection } = mongo;
  const bus = await openServiceBus("identity", config, runtime.logger);
  const relay = startRelay({
    ...runtime,
    clock,
    source: joinOutboxes(
      ...[sessionCollection, documentCollection].map((collection) =>
        makeRecordOutbox<RecordOfDocument>(connection, {
          collection,
          subject,
          fields: ["tenant", "entityId", "kind", "documentType", "events"],
          encode: encodeDocumentEvents,
        }),
      ),
      makeRecordOutbox<PublishedDecision>(connection, {
        collection: decisionCollection,
        subject: decisionSubject,
        fields: ["tenant", "events"],
        encode: encodeDecisionEvents,
      }),
      makeRecordOutbox<ErasureRecord>(connection, {
        collection: erasureCollection,
        subject: erasureSubject,
        fields: publishedErasure,
        encode: encodeErasure,
      }),
    ),
    bus,
    stream: streamOf("identity", config.NATS_STREAM_REPLICAS),
    lease: makeLease({ connection, name: "identity-relay", holder: processHolder }),
    connection,
  });
  return {
    nudgeRelay: () => relay.nudge(),
    traceparent: () => currentCall()?.traceparent ?? "",
    ...stopAll([bus, relay, shareDueNotes(bus, "identity", due)]),
  };
}
