import type { PaymentFilter } from "../../../proto/gen/corridor/payment/v1/payment_list_service";
import type { Payment } from "../../../services/payment/domain/payment";
import { makePaymentColumns } from "../../../services/payment/domain/payment-columns";
import { readsPerRow } from "../../../services/payment/store/payment-list-store";
import type { PaymentStore } from "../../../services/payment/store/payment-store";
import { money } from "../../../services/shared/kernel/money";
import type { DataKeys } from "../../../services/shared/storage/data-keys";
import type { Mongo } from "../../../services/shared/storage/mongo";
import { builtAt } from "../../support/payment-builder";
import { startTestStore, type TestStore } from "../../support/testbed";
import {
  agents,
  currencies,
  filteredOf,
  filterOf,
  holds,
  minute,
  newestFirst,
  now,
  rollPayments,
  tenants,
  watchPages,
} from "./listed-payments";
import { openPayments } from "./open-payments";

describe("lists of payments that are rare", () => {
  let store: TestStore;
  let mongo: Mongo;
  let payments: PaymentStore;
  let keys: DataKeys;
  const columns = makePaymentColumns();
  const all: Payment[] = [];
  const { random, pick, madeOf } = rollPayments(5);

  const keep = async (payment: Payment): Promise<void> => {
    const change = { next: payment, events: [], history: [], caseNotes: [] };
    if ((await payments.insert(change, { hashes: {}, answer: undefined })) !== "stored") throw new Error("not stored");
    columns.put(filteredOf(payment));
    all.push(payment);
  };

  beforeAll(async () => {
    store = await startTestStore();
    ({ mongo, payments, keys } = await openPayments(store));
    const made = Array.from({ length: 400 }, (_, at) => {
      const agentId = pick(agents);
      return madeOf({
        tenant: pick(tenants),
        externalId: `${pick(["order", "invoice"])}-${at}`,
        agent: agentId === undefined ? undefined : { id: agentId, externalTransactionId: undefined },
        amount: money(BigInt(Math.floor(random() * 100_000)), pick(currencies)),
        createdAt: new Date(builtAt.getTime() + Math.floor(random() * 100) * 30 * minute),
      });
    });
    await Promise.all(made.map(keep));
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  it("are full pages by any two filters and by many, common or rare, within those entries", async () => {
    // Older than the rest, and alone with each of these.
    const createdAt = new Date(builtAt.getTime() - 60 * minute);
    const pushed = madeOf(
      {
        tenant: "demo",
        createdAt,
        updatedAt: createdAt,
        externalId: "rare-1",
        status: "ERROR",
        state: "Error",
        amount: money(987_654_321n, "KWD"),
        agent: { id: "agent-9", externalTransactionId: undefined },
        cause: { code: "AM04", leg: "payout" },
      },
      "PUSH",
    );
    const overdue = { ...pushed.execution, dueAt: new Date(now.getTime() - 60 * minute), escalatedAt: now };
    const rareOne = { ...pushed, execution: overdue };
    await keep(rareOne);
    const parts: readonly Partial<PaymentFilter>[] = [
      { status: "CAPTURED" },
      { status: "ERROR" },
      { transactionState: "Completed" },
      { transactionState: "Error" },
      { type: "PUSH" },
      { currency: "USD" },
      { currency: "KWD" },
      { recipientCurrency: "BRL" },
      { recipientCurrency: "XAF" },
      { countryCode: "BRA" },
      { countryCode: "CMR" },
      { method: "PIX" },
      { method: "CARD" },
      { minAmount: { unscaled: 1n, scale: 0 } },
      { minAmount: { unscaled: 900_000n, scale: 0 } },
      { maxAmount: { unscaled: 500n, scale: 0 } },
      { createdFrom: createdAt },
      { createdUntil: new Date(builtAt.getTime() + 40 * 60 * minute) },
      { createdUntil: new Date(builtAt.getTime()) },
      { changedFrom: new Date(builtAt.getTime() + 40 * 60 * minute) },
      { changedUntil: new Date(builtAt.getTime()) },
      { agentId: "agent-1" },
      { agentId: "agent-9" },
      { reasonCode: "AC03" },
      { reasonCode: "AM04" },
      { idPrefix: "order-" },
      { idPrefix: "rare-" },
      { isOverdue: true },
      { isStuck: true },
    ];
    const some = Array.from({ length: 40 }, () => Object.assign({}, ...parts.filter(() => random() < 0.2)));
    const pairs = parts.flatMap((one, at) => parts.slice(at + 1).map((other) => ({ ...one, ...other })));
    // What cannot be meant is refused.
    const isMeant = ({
      minAmount,
      maxAmount,
      createdFrom,
      createdUntil,
      changedFrom,
      changedUntil,
    }: Partial<PaymentFilter>) =>
      (minAmount?.unscaled ?? 0n) <= (maxAmount?.unscaled ?? 1_000_000n) &&
      (createdFrom?.getTime() ?? 0) < (createdUntil ?? now).getTime() &&
      (changedFrom?.getTime() ?? 0) < (changedUntil ?? now).getTime();
    const filters = [...parts, ...pairs, ...some].filter(isMeant).map(filterOf);
    const watched = await watchPages(store.mongoUri, mongo.connection.name, keys, () => columns);
    const limit = 3;
    for (const [at, filter] of filters.entries()) {
      for (const tenant of at % 3 === 0 ? ["demo", undefined] : ["demo"]) {
        const page = await watched.page({ tenant, allTenants: tenant === undefined, filter, limit });
        const expected = all
          .filter((payment) => (tenant ?? payment.tenant) === payment.tenant && holds(filter, payment))
          .toSorted(newestFirst);
        const ids = page.payments.map(({ paymentId }) => paymentId);
        expect({ filter, tenant, ids }).toEqual({ filter, tenant, ids: expected.slice(0, limit).map(({ id }) => id) });
        // Only what has more to show has a cursor.
        expect({ filter, tenant, isLast: page.next === undefined }).toEqual({
          filter,
          tenant,
          isLast: expected.length <= limit,
        });
        expect(page.read).toBeLessThanOrEqual(limit * readsPerRow);
      }
    }
    await watched.stop();
    expect(filters.length).toBeGreaterThan(400);
  });

  it("show nothing that the columns are behind with", async () => {
    // It is known as it was stored first, and has moved on since.
    const createdAt = new Date(builtAt.getTime() - 120 * minute);
    const one = madeOf({ tenant: "demo", createdAt, status: "VOIDED", cause: { code: "AC99", leg: "payout" } });
    await keep(one);
    const change = { next: { ...one, cause: undefined }, events: [], history: [], caseNotes: [] };
    expect(await payments.save(one, change)).toMatchObject({ kind: "saved" });
    const watched = await watchPages(store.mongoUri, mongo.connection.name, keys, () => columns);
    const page = await watched.page({ tenant: "demo", filter: filterOf({ reasonCode: "AC99" }), limit: 1 });
    await watched.stop();
    expect(page).toMatchObject({ payments: [], next: undefined });
  });
});
