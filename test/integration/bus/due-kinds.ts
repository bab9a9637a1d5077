import { randomUUID } from "node:crypto";
import { type Document, received } from "../../../services/identity/domain/document";
import { beginErasure } from "../../../services/identity/domain/erasure";
import type { Session, SessionFacts } from "../../../services/identity/domain/session";
import { documentCollection, makeDocumentStore } from "../../../services/identity/store/document-store";
import { erasureCollection, makeErasureStore } from "../../../services/identity/store/erasure-store";
import { makePersonalData } from "../../../services/identity/store/personal-data";
import { makeSessionStore, sessionCollection } from "../../../services/identity/store/session-store";
import { startSessionSweep } from "../../../services/identity/workers/session-sweep";
import { makeParticipantKeys } from "../../../services/payment/store/participant-keys";
import { makePaymentStore } from "../../../services/payment/store/payment-store";
import { startExecutor } from "../../../services/payment/workers/payment-executor";
import type { BusUserName } from "../../../services/shared/bus/bus-users";
import { type Clock, plusMs, systemClock } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import { type DueNotes, startDueWork } from "../../../services/shared/process/due-work";
import type { Running } from "../../../services/shared/process/lifecycle";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeDataKeys } from "../../../services/shared/storage/data-keys";
import { isDuplicateKey, type Mongo } from "../../../services/shared/storage/mongo";
import { makeExpireHolds } from "../../../services/wallet/operations/expire-holds";
import type { Ledger } from "../../../services/wallet/ports";
import { makeHoldExpiryStore } from "../../../services/wallet/store/hold-expiry-store";
import { makeQueueStore, type QueueStore } from "../../../services/webhook/store/queue-store";
import { startDispatcher } from "../../../services/webhook/workers/dispatcher";
import { newPayment } from "../../support/payment-builder";
import { silent } from "./bus-testbed";

/** What a test sees of the worker of a replica, and decides for it. */
export interface Watched {
  clock: Clock;
  lookMs: number;
  /** The worker has looked when something will be due. */
  onLook(): void;
  /** The worker begins with a piece of work. False: it leaves it as it is, as one that dies over it. */
  onBegin(id: string): boolean;
}

/** The work of one kind as one replica sees it. */
export interface DueStore {
  /** Stores a piece of work by what the service itself stores it with. `beforeCommit` runs inside of the transaction. */
  write(id: string, at: Date, beforeCommit?: () => Promise<void>): Promise<void>;
  start(watched: Watched): Running;
}

/** A kind of work that is done when it is due. */
export interface DueKind {
  name: string;
  service: BusUserName;
  open(mongo: Mongo, notes: DueNotes): Promise<DueStore>;
  /** Work that was taken and not done is due again behind this time; absent where nothing is taken, or where it is another's already. */
  leaseMs?: number;
  /** It is written in a transaction of others. */
  isTransacted: boolean;
}

const sealingKeys = [Buffer.alloc(32, 1)];

/** A method of a store whose calls are reported. */
const told =
  <A extends unknown[], R>(method: (...given: A) => Promise<R>, onLook: () => void) =>
  async (...given: A): Promise<R> => {
    const answer = await method(...given);
    onLook();
    return answer;
  };

async function openPaymentWork({ connection, transact }: Mongo, notes: DueNotes): Promise<DueStore> {
  const sealing = { connection, sealingKeys, ids: systemIds };
  const keys = makeDataKeys(sealing);
  const payments = makePaymentStore(connection, keys, transact, makeParticipantKeys(sealing), notes.note);
  await Promise.all([keys.init(), payments.init()]);
  return {
    async write(id, dueAt, beforeCommit) {
      const change = newPayment("PUSH", { id, externalId: randomUUID() });
      const next = { ...change.next, execution: { ...change.next.execution, dueAt } };
      await keys.of(next.tenant);
      await transact(async (tx) => {
        await payments.insert({ ...change, next }, { hashes: {}, answer: undefined }, tx);
        await beforeCommit?.();
      });
    },
    start: ({ onLook, onBegin, ...watched }) =>
      startExecutor({
        requireClock: async () => {},
        ...watched,
        payments: { ...payments, nextDue: told(payments.nextDue, onLook) },
        due: notes,
        async advance({ id }) {
          if (onBegin(id)) await unset(connection, "payments", id);
        },
        logger: silent,
        tracing: noTracing,
        metrics: makeMetrics("test"),
      }),
  };
}

/** Nothing more is to be done with a record. */
async function unset(connection: Mongo["connection"], collection: string, _id: string): Promise<void> {
  await connection.collection<{ _id: string }>(collection).updateOne({ _id }, { $unset: { dueAt: "" } });
}

/** What sessions, documents and erasures have in common. */
const startSweep = (
  { connection }: Mongo,
  collection: string,
  store: Parameters<typeof startSessionSweep>[0]["sessions"],
  due: DueNotes,
  { onLook, onBegin, ...watched }: Watched,
): Running =>
  startSessionSweep({
    ...watched,
    sessions: { ...store, upcoming: told(store.upcoming, onLook) },
    due,
    advance: {
      async ask(id) {
        if (onBegin(id)) await unset(connection, collection, id);
      },
    },
    logger: silent,
  });

async function openSessions(mongo: Mongo, notes: DueNotes): Promise<DueStore> {
  const data = makePersonalData<SessionFacts>(sealingKeys, sessionCollection, systemIds);
  const sessions = makeSessionStore(mongo.connection, mongo.transact, data, notes.note);
  await sessions.init();
  const sessionOf = (id: string, dueAt: Date): Session => ({
    id,
    tenant: "demo",
    facts: { userRef: "user", documentTypes: ["PASSPORT"], url: "https://vendor.example" },
    documentType: "PASSPORT",
    entityId: id,
    personId: undefined,
    claim: id,
    status: "CAPTURING",
    attempts: 0,
    revision: 0,
    decision: undefined,
    events: [],
    version: 1,
    createdAt: new Date(),
    updatedAt: new Date(),
    expiresAt: dueAt,
    dueAt,
  });
  return {
    async write(id, at) {
      await sessions.add(sessionOf(id, at), "", { supersede: (older) => older, alongside: async () => {} });
    },
    start: (watched) => startSweep(mongo, sessionCollection, sessions, notes, watched),
  };
}

async function openDocuments(mongo: Mongo, notes: DueNotes): Promise<DueStore> {
  const documents = makeDocumentStore(mongo.connection, notes.note);
  await documents.init();
  const documentOf = (id: string, dueAt: Date): Document => ({
    ...received({
      id,
      tenant: "demo",
      kind: "PERSON",
      entityId: id,
      documentType: "PASSPORT",
      fileId: id,
      sealed: "sealed",
      isRead: true,
      createdAt: new Date(),
    }),
    dueAt,
  });
  return {
    async write(id, at, beforeCommit) {
      await mongo.transact(async (tx) => {
        await documents.add(documentOf(id, at), { claim: id, number: undefined, content: id }, "", tx);
        await beforeCommit?.();
      });
    },
    start: (watched) => startSweep(mongo, documentCollection, documents, notes, watched),
  };
}

async function openErasures(mongo: Mongo, notes: DueNotes): Promise<DueStore> {
  const erasures = makeErasureStore(mongo.connection, notes.note);
  await erasures.init();
  return {
    async write(id, at, beforeCommit) {
      await mongo.transact(async (tx) => {
        await erasures.note({ ...beginErasure("demo", id, new Date()), dueAt: at }, "", tx);
        await beforeCommit?.();
      });
    },
    start: (watched) => startSweep(mongo, erasureCollection, erasures, notes, watched),
  };
}

type WriteQueue = (queues: QueueStore, mongo: Mongo, ...given: Parameters<DueStore["write"]>) => Promise<void>;

const openQueues =
  (write: WriteQueue): DueKind["open"] =>
  async (mongo, notes) => {
    const queues = makeQueueStore(mongo.connection, notes.note);
    await queues.init();
    return {
      write: (...given) => write(queues, mongo, ...given),
      start: ({ onLook, onBegin, ...watched }) =>
        startDispatcher({
          ...watched,
          queues: { ...queues, upcoming: told(queues.upcoming, onLook) },
          async workQueue(queue) {
            if (!onBegin(queue.id)) throw new Error("the store is away");
            await queues.close(queue);
          },
          due: notes,
          holder: randomUUID(),
          logger: silent,
        }),
    };
  };

/** As deliveries open a queue that no replica works on. */
const writeQueue: WriteQueue = async (queues, { transact }, id, at, beforeCommit) => {
  await transact(async (tx) => {
    await queues.touch(tx, new Map([[id, at]]));
    await beforeCommit?.();
  });
};

/** As one gives a queue back whose deliveries are to be tried again later. */
const postponeQueue: WriteQueue = async (queues, { connection }, id, at) => {
  const holder = "author";
  // It was opened long ago: nothing is published of it but what follows.
  const opened = {
    _id: id,
    version: 1,
    dueAt: plusMs(at, 3_600_000),
    leaseHolder: holder,
    leaseUntil: systemClock.now(),
  };
  await connection.collection<{ _id: string }>("queues").insertOne(opened);
  expect(await queues.postpone({ id, holder, version: 1 }, at)).toBe(true);
};

/** As one leaves a queue that it had begun with when it died. */
const leaveQueue: WriteQueue = async (queues, { transact }, id, at) => {
  const lease = { holder: "dead", leaseUntil: plusMs(systemClock.now(), 500) };
  await transact((tx) => queues.touch(tx, new Map([[id, at]]), lease));
};

async function openHolds({ connection, transact }: Mongo, notes: DueNotes): Promise<DueStore> {
  const expiries = makeHoldExpiryStore(connection, notes.note);
  const ended = connection.collection<{ _id: string }>("ended");
  await expiries.init();
  await ended.createIndex({ at: 1 });
  /** Carries a command out once, as the ledger does by the command's id. */
  const ledgerOf = (onBegin: Watched["onBegin"]): Ledger => ({
    async submit(command) {
      if (command.kind !== "end") throw new Error("only ends of holds are known here");
      try {
        await transact(async (tx) => {
          await ended.insertOne({ _id: command.id }, tx);
          await expiries.remove(tx, [command.transactionId]);
        });
        onBegin(command.transactionId);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      return undefined as never;
    },
  });
  return {
    async write(id, expiresAt, beforeCommit) {
      await transact(async (tx) => {
        await expiries.add(tx, [{ transactionId: id, tenant: "demo", expiresAt }]);
        await beforeCommit?.();
      });
    },
    start({ onLook, onBegin, clock, lookMs }) {
      const looking = { ...expiries, nextDue: told(expiries.nextDue, onLook) };
      const work = makeExpireHolds({ ledger: ledgerOf(onBegin), expiries: looking, clock });
      return startDueWork({ work, notes, clock, lookMs, onError: () => {} });
    },
  };
}

const identity = { service: "identity", leaseMs: 10_000 } as const;
const webhook = { service: "webhook" } as const;

/** Every kind of work whose worker sleeps until something is due. */
export const dueKinds: readonly DueKind[] = [
  { name: "payments", service: "payment", leaseMs: 6_000, isTransacted: true, open: openPaymentWork },
  { ...identity, name: "sessions of persons", isTransacted: false, open: openSessions },
  { ...identity, name: "documents that are read", isTransacted: true, open: openDocuments },
  { ...identity, name: "erasures that vendors are told of", isTransacted: true, open: openErasures },
  { ...webhook, name: "queues of webhooks", leaseMs: 5_000, isTransacted: true, open: openQueues(writeQueue) },
  { ...webhook, name: "queues that wait for a retry", isTransacted: false, open: openQueues(postponeQueue) },
  { ...webhook, name: "queues of a replica that died", isTransacted: false, open: openQueues(leaveQueue) },
  { name: "holds that end", service: "wallet", isTransacted: true, open: openHolds },
];
