import { randomUUID } from "node:crypto";
import { idle } from "../../../services/payment/domain/execution";
import { type Change, type Payment, type PaymentBase, unchanged } from "../../../services/payment/domain/payment";
import { makeLimitStore } from "../../../services/payment/store/limit-store";
import type { PaymentStore } from "../../../services/payment/store/payment-store";
import { makeTransactionStore } from "../../../services/payment/store/transaction-store";
import { plusMs, systemClock } from "../../../services/shared/kernel/clock";
import type { DataKeys } from "../../../services/shared/storage/data-keys";
import type { Mongo } from "../../../services/shared/storage/mongo";
import { newPayment } from "../../support/payment-builder";
import { startTestStore, type TestStore } from "../../support/testbed";
import { openPayments } from "../payment/open-payments";

const at = (seconds: number): Date => new Date(seconds * 1_000);

describe("the stores of payments", () => {
  let store: TestStore;
  let mongo: Mongo;
  let keys: DataKeys;
  let payments: PaymentStore;

  beforeAll(async () => {
    store = await startTestStore();
    ({ mongo, keys, payments } = await openPayments(store));
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  const draft = (facts: Partial<PaymentBase> = {}): Change =>
    newPayment("PUSH", { id: randomUUID(), externalId: randomUUID(), ...facts });
  const stored = async (facts: Partial<PaymentBase> = {}): Promise<Payment> => {
    const { next } = draft(facts);
    const change = { ...unchanged({ ...next, ...facts }), events: [], history: [] };
    expect(await payments.insert(change, { hashes: { amount: "h" }, answer: undefined })).toBe("stored");
    const found = await payments.find(next.id);
    if (found === undefined) throw new Error("a stored payment is there");
    return found;
  };

  it("give a due payment to one of many takers", async () => {
    const payment = await stored({ execution: { ...idle, dueAt: at(1) } });

    const taken = await Promise.all(Array.from({ length: 8 }, (_, n) => payments.take(payment, at(100 + n))));

    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(taken.find((one) => one !== undefined)).toEqual(await payments.find(payment.id));
    expect(await payments.take(payment, at(200))).toBeUndefined();
  });

  it("show those that are due, the longest due first", async () => {
    const ids = await Promise.all(
      [13, 11, 12].map(async (n) => (await stored({ execution: { ...idle, dueAt: at(n) } })).id),
    );
    const [third, first, second] = ids;

    const due = (await payments.due(at(13), 99)).payments.map(({ id }) => id).filter((id) => ids.includes(id));

    expect(due).toEqual([first, second, third]);
    expect((await payments.due(at(12), 99)).payments.map(({ id }) => id)).not.toContain(third);
  });

  it("save one of several changes of a payment, and tell the others that they were late", async () => {
    const payment = await stored();
    const changes = Array.from({ length: 8 }, (_, n) => unchanged({ ...payment, updatedAt: at(50 + n) }));

    const results = await Promise.all(changes.map((change) => payments.save(payment, change)));

    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["saved", ...Array.from({ length: 7 }, () => "stale")]);
    expect(results).toContainEqual({ kind: "saved", payment: await payments.find(payment.id) });
  });

  it("know the answer and the quote of a payment for its own tenant alone", async () => {
    const { externalId, id, tenant } = await stored({ quoteId: randomUUID() });
    const quoteId = (await payments.find(id))?.quoteId ?? "";

    expect(await payments.findAnswer(tenant, externalId)).toMatchObject({ id });
    expect(await payments.findAnswer("other", externalId)).toBeUndefined();
    expect(await payments.findQuoteUse(tenant, quoteId)).toEqual({ id, externalId });
    expect(await payments.findQuoteUse("other", quoteId)).toBeUndefined();
  });

  it("let one payment use a quote, whatever its id is", async () => {
    const quoteId = randomUUID();
    await stored({ quoteId });

    const second = draft({ quoteId });

    expect(await payments.insert(second, { hashes: {}, answer: undefined })).toBe("quote-taken");
    expect(await payments.find(second.next.id)).toBeUndefined();
  });

  it("show a payment to its own agent and to no other one, nor to another tenant", async () => {
    const transactions = makeTransactionStore(mongo.connection, keys);
    const { id, tenant } = await stored({ agent: { id: "agent-1", externalTransactionId: "t-1" } });

    expect(await transactions.find({ tenant, agentId: "agent-1" }, id)).toMatchObject({ payment: { id } });
    expect(await transactions.find({ tenant, agentId: "agent-2" }, id)).toBeUndefined();
    expect(await transactions.find({ tenant: "other", agentId: "agent-1" }, id)).toBeUndefined();
  });

  it("use a limit up to its last minor unit and no further, and only for what is stored", async () => {
    const limits = makeLimitStore(mongo.connection, mongo.transact);
    await limits.init();
    // The store forgets a window that was over long ago.
    const resetsAt = plusMs(systemClock.now(), 3_600_000);
    const limit = { id: randomUUID(), currency: "USD", window: "DAY", limitMinor: 100n, resetsAt } as const;
    const take = (minor: bigint, result: "stored" | "id-taken" = "stored") =>
      limits.insertWithin([{ ...limit, minor }], () => Promise.resolve(result));

    expect(await take(60n)).toBe("stored");
    expect(await take(40n, "id-taken")).toBe("id-taken");
    expect(await limits.used([limit])).toEqual([60n]);
    await expect(take(41n)).rejects.toMatchObject({ reason: "LIMIT_EXCEEDED" });
    expect(await take(40n)).toBe("stored");
    expect(await limits.used([limit])).toEqual([100n]);
  });
});
