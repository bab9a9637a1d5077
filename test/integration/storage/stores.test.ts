import { randomUUID } from "node:crypto";
import { unbound } from "../../../services/auth/domain/credential-bounds";
import { makeCredentialStore } from "../../../services/auth/store/credential-store";
import { documentCollection, makeDocumentStore } from "../../../services/identity/store/document-store";
import { erasureCollection, makeErasureStore } from "../../../services/identity/store/erasure-store";
import { makeExceptionStore } from "../../../services/identity/store/exception-store";
import { makeParticipantStore } from "../../../services/identity/store/participant-store";
import { makePersonalData } from "../../../services/identity/store/personal-data";
import { makeRecordOutbox } from "../../../services/identity/store/record-outbox";
import { makeSessionStore, sessionCollection } from "../../../services/identity/store/session-store";
import type { Fact } from "../../../services/payment/domain/fact";
import { receiptFacts } from "../../../services/payment/domain/receipt";
import type { CaseRecord } from "../../../services/payment/store/case-record";
import { makeCaseStore } from "../../../services/payment/store/case-store";
import { makeParticipantKeys } from "../../../services/payment/store/participant-keys";
import { makePaymentStore } from "../../../services/payment/store/payment-store";
import { systemIds } from "../../../services/shared/kernel/ids";
import { money } from "../../../services/shared/kernel/money";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeDataKeys } from "../../../services/shared/storage/data-keys";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { makeHoldExpiryStore } from "../../../services/wallet/store/hold-expiry-store";
import { newPayment } from "../../support/payment-builder";
import { startTestStore, type TestStore } from "../../support/testbed";

const at = (seconds: number): Date => new Date(seconds * 1_000);
const dataOf = <T extends object>(collection: string) =>
  makePersonalData<T>([Buffer.alloc(32, 1)], collection, systemIds);

describe("stores", () => {
  let store: TestStore;
  let mongo: Mongo;

  beforeAll(async () => {
    store = await startTestStore();
    const database = store.database("stores");
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  const due = () => ({ id: randomUUID(), dueAt: at(1) });
  const insert = ({ id, dueAt }: ReturnType<typeof due>, collection: string) =>
    mongo.connection.collection<{ _id: string; dueAt: Date }>(collection).insertOne({ _id: id, dueAt });

  const takers = {
    sessions: () => makeSessionStore(mongo.connection, mongo.transact, dataOf("sessions")),
    documents: () => makeDocumentStore(mongo.connection),
    erasures: () => makeErasureStore(mongo.connection),
  };
  const collections = { sessions: sessionCollection, documents: documentCollection, erasures: erasureCollection };

  it.each(["sessions", "documents", "erasures"] as const)(
    "give a due record of %s to one of many takers",
    async (name) => {
      const taken = takers[name]();
      const record = due();
      await insert(record, collections[name]);

      const results = await Promise.all(Array.from({ length: 8 }, (_, n) => taken.take(record, at(100 + n))));

      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await taken.take(record, at(200))).toBe(false);
    },
  );

  it("give what waits for the relay in the order of its commits, page by page", async () => {
    const collection = "told";
    const records = mongo.connection.collection<{ _id: string; relayDue: Date }>(collection);
    await records.createIndex({ relayDue: 1, _id: 1 }, { partialFilterExpression: { relayDue: { $exists: true } } });
    await records.insertMany([3, 1, 2, 5, 4].map((n) => ({ _id: `r${n}`, relayDue: at(n), updatedAt: at(n) })));
    const outbox = makeRecordOutbox(mongo.connection, {
      collection,
      subject: "s",
      fields: [],
      encode: () => Buffer.of(),
    });

    const first = await outbox.pending(3);
    const second = await outbox.pending(3, first.at(-1));

    expect([...first, ...second].map(({ recordId }) => recordId)).toEqual(["r1", "r2", "r3", "r4", "r5"]);
  });

  it("know a record of a person, and an exception, for their own tenant alone", async () => {
    const participants = makeParticipantStore(
      mongo.connection,
      dataOf("participants"),
      makeDataKeys({ connection: mongo.connection, sealingKeys: [Buffer.alloc(32, 2)], ids: systemIds }),
    );
    const exceptions = makeExceptionStore(mongo.connection);
    await Promise.all([participants.init(), exceptions.init()]);
    const [id, exception] = [randomUUID(), randomUUID()];
    const plain = { tenant: "one", kind: "PERSON", status: "APPROVED", version: 1, createdAt: at(1), updatedAt: at(1) };
    await participants.add({ ...plain, id, fields: {}, reasonCodes: [], listVersion: "1" } as never);
    const hit = { id: exception, tenant: "one", subjectId: id, entryId: "e", createdAt: at(1) };
    await mongo.transact((tx) => exceptions.add([hit as never], tx));

    expect(await participants.find("other", "PERSON", id)).toBeUndefined();
    expect(await participants.find("other", undefined, id)).toBeUndefined();
    expect(await participants.find("one", "COMPANY", id)).toBeUndefined();
    expect(await participants.find("one", "PERSON", id)).toMatchObject({ id });
    expect(await mongo.transact((tx) => exceptions.remove("other", exception, tx))).toBeUndefined();
    expect(await exceptions.of("other", id)).toEqual([]);
    expect(await mongo.transact((tx) => exceptions.remove("one", exception, tx))).toMatchObject({ id: exception });
  });

  it("find a credential until it is revoked, which its own tenant alone can do", async () => {
    const credentials = makeCredentialStore(mongo.connection);
    await credentials.init();
    const id = randomUUID();
    await credentials.add({
      id,
      kind: "key",
      tenant: "one",
      owner: "one",
      hash: "h",
      bounds: unbound,
      createdAt: at(1),
    });

    expect(await credentials.revoke("other", id, at(2))).toBe(false);
    expect(await credentials.find(id)).toMatchObject({ id, tenant: "one" });
    expect(await credentials.revoke("one", id, at(2))).toBe(true);
    expect(await credentials.find(id)).toBeUndefined();
    expect(await credentials.revoke("one", id, at(3))).toBe(false);
  });

  it("keep what a provider tells of nobody's payment once, and in the same case that it was told with another amount", async () => {
    const options = { connection: mongo.connection, sealingKeys: [Buffer.alloc(32, 1)], ids: systemIds };
    const cases = makeCaseStore(mongo.connection, makeDataKeys(options), mongo.transact, makeParticipantKeys(options));
    await cases.init();
    const reference = randomUUID();
    const fact = (minor: bigint): Fact => ({
      role: "payout",
      kind: "PAID",
      provider: "pix",
      reference,
      movementId: "m",
      amount: money(minor, "BRL"),
      evidence: { raw: `told ${minor}`, hash: `hash ${minor}` },
    });
    for (const minor of [500n, 500n, 700n, 700n, 500n]) await cases.keepFact(fact(minor), at(1));

    const records = mongo.connection.collection<CaseRecord>("cases");
    const record = await records.findOne({ kinds: "UNKNOWN_REFERENCE" }, { hint: { $natural: 1 } });
    const found = await cases.find(String(record?._id));
    expect(found).toMatchObject({ state: "OPEN", kinds: ["UNKNOWN_REFERENCE", "CONTRADICTION"], eventCount: 1 });
    expect(found?.notes.map(({ evidence }) => evidence?.raw)).toEqual(["told 500", "told 700"]);
    expect(record?.events).toHaveLength(1);
  });

  it("keep the first answer of a payment, whoever comes with another one", async () => {
    const keys = makeDataKeys({ connection: mongo.connection, sealingKeys: [Buffer.alloc(32, 1)], ids: systemIds });
    const people = makeParticipantKeys({
      connection: mongo.connection,
      sealingKeys: [Buffer.alloc(32, 1)],
      ids: systemIds,
    });
    const payments = makePaymentStore(mongo.connection, keys, mongo.transact, people);
    const id = randomUUID();
    await mongo.connection.collection<{ _id: string }>("payments").insertOne({ _id: id });

    const first = receiptFacts(newPayment("PUSH").next, 1);
    const second = { ...first, status: "DECLINED", message: "second" } as const;

    expect(await payments.keepAnswer(id, first)).toEqual(first);
    expect(await payments.keepAnswer(id, second)).toEqual(first);
  });

  it("have a hold due from the instant at which it ends, the longest due first", async () => {
    const expiries = makeHoldExpiryStore(mongo.connection);
    await expiries.init();
    const holds = [5, 3, 4, 9].map((n) => ({ transactionId: `h${n}`, tenant: "one", expiresAt: at(n) }));
    await mongo.transact((tx) => expiries.add(tx, holds));

    expect((await expiries.due(at(5), 9)).map(({ transactionId }) => transactionId)).toEqual(["h3", "h4", "h5"]);
    expect(await expiries.due(at(2), 9)).toEqual([]);
  });
});
