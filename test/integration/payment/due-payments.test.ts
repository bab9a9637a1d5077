import { randomUUID } from "node:crypto";
import { type Payment, unchanged, update } from "../../../services/payment/domain/payment";
import type { Approach } from "../../../services/payment/operations/advance-payment";
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
    const advanced: { id: string; version: number; approach: string }[] = [];
    let underWay: Promise<void> | undefined;
    const advance = async ({ id, version }: Payment, approach: Approach): Promise<void> => {
      taken.push(id);
      advanced.push({ id, version, approach });
      await underWay;
    };
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
      /** The turns of a payment. */
      turnsOf: (id: string) => advanced.filter((one) => one.id === id).map((one) => `${one.approach} ${one.version}`),
      /** Turns last until the result is called. */
      holdTurns() {
        const { promise, resolve } = Promise.withResolvers<void>();
        underWay = promise;
        return resolve;
      },
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

  /** Saves the payment as it is, as a command or a callback does. */
  async function changed(payments: PaymentStore, payment: Payment): Promise<Payment> {
    const saved = await payments.save(payment, update(unchanged(payment), { updatedAt: systemClock.now() }));
    if (saved.kind !== "saved") throw new Error(`the payment is ${saved.kind}`);
    return saved.payment;
  }

  /** Starts a process with a payment in a turn that lasts until `letGo` is called. */
  async function startTurn() {
    const process = await startProcess(neverMs);
    const id = await storeDue(process.own, neverMs);
    const first = await process.own.find(id);
    if (first === undefined) throw new Error("no payment");
    const letGo = process.holdTurns();
    const turns = [executor.proceed(first, "ask")];
    await eventually(() => process.turnsOf(id).length === 1);
    return { ...process, id, first, turns, letGo };
  }

  it("are carried on at once after a turn that knew nothing of what was stored meanwhile", async () => {
    const { own, turnsOf, id, first, turns, letGo } = await startTurn();

    const second = await changed(own, first);
    turns.push(executor.proceed(second, "ask"));
    const third = await changed(own, second);
    turns.push(executor.proceed(third, "send"), executor.proceed(second, "ask"));
    letGo();
    await Promise.all(turns);

    expect(turnsOf(id)).toEqual([`ask ${first.version}`, `send ${third.version}`]);
  });

  it("are left to whoever has changed them since, and to their time once the process stops", async () => {
    const { own, other, turnsOf, holdTurns, id, first, turns, letGo } = await startTurn();
    const second = await changed(own, first);
    turns.push(executor.proceed(second, "send"));
    const third = await changed(other, second);
    letGo();
    await Promise.all(turns);
    expect(turnsOf(id)).toEqual([`ask ${first.version}`]);

    const letGoAgain = holdTurns();
    const last = [executor.proceed(third, "ask")];
    await eventually(() => turnsOf(id).length === 2);
    last.push(executor.proceed(third, "send"));
    const stopped = executor.stop();
    letGoAgain();
    await Promise.all([stopped, ...last]);
    expect(turnsOf(id)).toEqual([`ask ${first.version}`, `ask ${third.version}`]);
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
