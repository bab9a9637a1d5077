import { idle } from "../../../services/payment/domain/execution";
import { makeCaseStore } from "../../../services/payment/store/case-store";
import { makeParticipantKeys } from "../../../services/payment/store/participant-keys";
import { makePaymentStore } from "../../../services/payment/store/payment-store";
import { countPayments } from "../../../services/payment/telemetry";
import { plusMs } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import { type Metrics, makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeDataKeys } from "../../../services/shared/storage/data-keys";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { newPayment } from "../../support/payment-builder";
import { startTestStore, type TestStore } from "../../support/testbed";

describe("what payment shows Prometheus of its payments", () => {
  let store: TestStore;
  let mongo: Mongo;

  beforeAll(async () => {
    store = await startTestStore();
    const database = store.database("telemetry");
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  const valuesOf = async (metrics: Metrics, name: string): Promise<Record<string, number>> => {
    const shown = await metrics.registry.getSingleMetric(name)?.get();
    return Object.fromEntries((shown?.values ?? []).map(({ labels, value }) => [String(labels["state"] ?? ""), value]));
  };

  it("counts those that are not final by state, with the age of the oldest", async () => {
    const sealingKeys = [Buffer.alloc(32, 7)];
    const keys = makeDataKeys({ connection: mongo.connection, sealingKeys, ids: systemIds });
    const people = makeParticipantKeys({
      connection: mongo.connection,
      sealingKeys: [Buffer.alloc(32, 1)],
      ids: systemIds,
    });
    const payments = makePaymentStore(mongo.connection, keys, mongo.transact, people);
    const cases = makeCaseStore(mongo.connection, keys, mongo.transact, people);
    await Promise.all([keys, payments, cases].map((store) => store.init()));
    const start = new Date();
    const unanswered = { hashes: {}, answer: undefined };
    const metrics = makeMetrics("payment");
    countPayments({ metrics, clock: { now: () => plusMs(start, 90_000) } }, payments, cases);
    expect(await valuesOf(metrics, "corridor_payments_open")).toEqual({});

    const paymentMade = (id: string, secondsAgo: number) =>
      newPayment("PUSH", { id, externalId: id, createdAt: plusMs(start, -secondsAgo * 1_000) });
    for (const change of [paymentMade("a", 30), paymentMade("b", 10)]) await payments.insert(change, unanswered);
    const final = paymentMade("c", 500);
    await payments.insert({ ...final, next: { ...final.next, state: "Completed", execution: idle } }, unanswered);

    const state = final.next.state;
    expect(await valuesOf(metrics, "corridor_payments_open")).toEqual({ [state]: 2 });
    expect(await valuesOf(metrics, "corridor_payments_oldest_open_seconds")).toEqual({ [state]: 120 });
    expect(await valuesOf(metrics, "corridor_payments_overdue")).toEqual({ "": 2 });

    const before = (await payments.find("a")) ?? final.next;
    await payments.save(before, { ...final, next: { ...before, state: "Completed", execution: idle } });
    await payments.save((await payments.find("b")) ?? final.next, {
      ...final,
      next: { ...before, id: "b", externalId: "b", state: "Completed", execution: idle },
    });
    expect(await valuesOf(metrics, "corridor_payments_open")).toEqual({});
  });
});
