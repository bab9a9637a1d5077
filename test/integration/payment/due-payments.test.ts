import { randomUUID } from "node:crypto";
import { makeParticipantKeys } from "../../../services/payment/store/participant-keys";
import { makePaymentStore, type PaymentStore } from "../../../services/payment/store/payment-store";
import { startExecutor } from "../../../services/payment/workers/payment-executor";
import { plusMs, systemClock } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeDueNotes } from "../../../services/shared/process/due-work";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import type { DataKeys } from "../../../services/shared/storage/data-keys";
import type { Mongo } from "../../../services/shared/storage/mongo";
import { newPayment } from "../../support/payment-builder";
import { startTestStore, type TestStore } from "../../support/testbed";
import { eventually, silent } from "../bus/bus-testbed";
import { openPayments } from "./open-payments";

const neverMs = 600_000;

describe("payments that become due", () => {
  let store: TestStore;
  let mongo: Mongo;
  let keys: DataKeys;
  let executor: ReturnType<typeof startExecutor>;

  beforeAll(async () => {
    store = await startTestStore();
    ({ mongo, keys } = await openPayments(store));
  });
  afterEach(() => executor.stop());
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  /** A process that takes up payments, and how another process sees the same store. */
  async function startProcess(lookMs: number) {
    const due = makeDueNotes();
    const people = makeParticipantKeys({
      connection: mongo.connection,
      sealingKeys: [Buffer.alloc(32, 1)],
      ids: systemIds,
    });
    const own = makePaymentStore(mongo.connection, keys, mongo.transact, people, due.note);
    const other = makePaymentStore(mongo.connection, keys, mongo.transact, people);
    const taken: string[] = [];
    let looks = 0;
    const payments = {
      ...own,
      nextDue: async () => {
        const at = await own.nextDue();
        looks += 1;
        return at;
      },
    };
    const advance = async ({ id }: { id: string }): Promise<void> => void taken.push(id);
    const testbed = { clock: systemClock, logger: silent, tracing: noTracing, metrics: makeMetrics("test") };
    executor = startExecutor({ ...testbed, requireClock: async () => {}, payments, due, advance, lookMs });
    await eventually(() => looks > 0);
    return {
      own,
      other,
      due,
      hasTaken: (id: string) => eventually(() => taken.includes(id)),
      taken,
      looks: () => looks,
    };
  }

  async function storeDue(payments: PaymentStore, afterMs: number): Promise<string> {
    const change = newPayment("PUSH", { id: randomUUID(), externalId: randomUUID() });
    const dueAt = plusMs(systemClock.now(), afterMs);
    const next = { ...change.next, execution: { ...change.next.execution, dueAt } };
    expect(await payments.insert({ ...change, next }, { hashes: {}, answer: undefined })).toBe("stored");
    return next.id;
  }

  it("are taken up at their time by the process that has stored them", async () => {
    const { own, hasTaken } = await startProcess(neverMs);

    await hasTaken(await storeDue(own, 100));
  });

  it("are taken up at their time by another one, which has heard of them", async () => {
    const { other, due, hasTaken } = await startProcess(neverMs);
    const id = await storeDue(other, 300);

    due.refresh();

    await hasTaken(id);
  });

  it("are taken up by another one that has heard of them before they were committed", async () => {
    const { other, due, hasTaken, looks } = await startProcess(neverMs);
    const before = looks();
    due.refresh();
    await eventually(() => looks() > before);

    const id = await storeDue(other, 0);

    await hasTaken(id);
  });

  it("are found when nothing is heard of them", async () => {
    const { other, hasTaken } = await startProcess(200);

    await hasTaken(await storeDue(other, 0));
  });

  it("are taken up once more when they were taken and nothing became of them", async () => {
    const { own, taken, looks } = await startProcess(neverMs);
    const before = looks();
    const id = await storeDue(own, 0);
    await eventually(() => taken.includes(id) && looks() > before);
    const payment = await own.find(id);
    if (payment === undefined) throw new Error("no payment");

    // As the process that works on it does, which then dies.
    await own.take(payment, plusMs(systemClock.now(), 100));

    // The executor knows of a time that is later than this.
    await eventually(() => taken.filter((one) => one === id).length === 2, 4_500);
  });
});
