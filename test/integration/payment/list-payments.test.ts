import { randomUUID } from "node:crypto";
import {
  FoundIdKind,
  type ListedPayment,
  type ListPaymentsRequest,
  type PaymentFilter,
} from "../../../proto/gen/corridor/payment/v1/payment_list_service";
import { legId } from "../../../services/payment/domain/legs";
import type { Payment } from "../../../services/payment/domain/payment";
import { makePaymentColumns } from "../../../services/payment/domain/payment-columns";
import { findPaymentsHandler } from "../../../services/payment/handlers/find-payments";
import { listPaymentsHandler } from "../../../services/payment/handlers/list-payments";
import { makePaymentListStore, readsPerRow } from "../../../services/payment/store/payment-list-store";
import type { PaymentStore } from "../../../services/payment/store/payment-store";
import { money } from "../../../services/shared/kernel/money";
import type { DataKeys } from "../../../services/shared/storage/data-keys";
import type { Mongo } from "../../../services/shared/storage/mongo";
import { builtAt, withLegs } from "../../support/payment-builder";
import { startTestStore, type TestStore } from "../../support/testbed";
import {
  agents,
  clock,
  currencies,
  filteredOf,
  filterOf,
  holds,
  minute,
  newestFirst,
  now,
  request,
  rollPayments,
  states,
  statuses,
  tenants,
  types,
  watchPages,
} from "./listed-payments";
import { openPayments } from "./open-payments";

describe("lists of payments", () => {
  let store: TestStore;
  let mongo: Mongo;
  let payments: PaymentStore;
  /** Two replicas of the service, as far as lists need one. */
  let list: ReturnType<typeof listPaymentsHandler>[];
  let keys: DataKeys;
  let find: ReturnType<typeof findPaymentsHandler>;
  /** What one of the replicas has in memory. */
  const columns = makePaymentColumns();
  const all: Payment[] = [];
  const { random, pick, madeOf } = rollPayments(7);

  const keep = async (payment: Payment): Promise<void> => {
    const change = { next: payment, events: [], history: [], caseNotes: [] };
    if ((await payments.insert(change, { hashes: {}, answer: undefined })) !== "stored") throw new Error("not stored");
    columns.put(filteredOf(payment));
  };

  beforeAll(async () => {
    store = await startTestStore();
    const opened = await openPayments(store);
    ({ mongo, payments, keys } = opened);
    const paymentLists = makePaymentListStore(mongo.connection, keys);
    const withColumns = makePaymentListStore(mongo.connection, keys, () => columns);
    list = [withColumns, paymentLists].map((lists) => listPaymentsHandler({ paymentLists: lists, clock }));
    find = findPaymentsHandler({ paymentLists });
    for (let at = 0; at < 400; at += 1) {
      const agentId = pick(agents);
      all.push(
        madeOf({
          tenant: pick(tenants),
          externalId: `${pick(["order", "invoice-a", "invoice-b"])}-${at}`,
          agent: agentId === undefined ? undefined : { id: agentId, externalTransactionId: undefined },
          amount: money(BigInt(Math.floor(random() * 100_000)), pick(currencies)),
          // Many at the same instant, so that the order within it counts, too.
          createdAt: new Date(builtAt.getTime() + Math.floor(random() * 100) * 30 * minute),
        }),
      );
    }
    await Promise.all(all.map(keep));
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  const ask = async (asked: ListPaymentsRequest, replica = 0) => {
    const answer = await list[replica]?.(asked);
    if (answer === undefined) throw new Error("there is no such replica");
    return answer;
  };
  /** Walks from the first page to the last, each from another replica than the one before. */
  const walk = async (
    changes: Partial<ListPaymentsRequest>,
    between: (page: number) => Promise<void> = async () => {},
    replicas = 2,
  ): Promise<ListedPayment[]> => {
    const shown: ListedPayment[] = [];
    for (let page = 0, after: string | undefined; page < 1_000; page += 1) {
      const answer = await ask(request({ ...changes, after }), replicas === 1 ? 1 : page % 2);
      shown.push(...answer.payments);
      if (answer.next === undefined) return shown;
      after = answer.next;
      await between(page);
    }
    throw new Error("the walk has no end");
  };
  const maybe = <T>(value: () => T, likely = 0.2): T | undefined => (random() < likely ? value() : undefined);
  const time = (): Date => new Date(builtAt.getTime() + Math.floor(random() * 100) * 30 * minute);
  const decimal = () => ({ unscaled: BigInt(Math.floor(random() * 9_000)), scale: pick([0, 1, 2]) });
  const ordered = <T>(one: T | undefined, other: T | undefined, isBackwards: (a: T, b: T) => boolean) =>
    one !== undefined && other !== undefined && isBackwards(one, other) ? [undefined, other] : [one, other];
  const randomFilter = (): PaymentFilter => {
    const [createdFrom, createdUntil] = ordered(maybe(time), maybe(time), (a, b) => b <= a);
    const [changedFrom, changedUntil] = ordered(maybe(time), maybe(time), (a, b) => b <= a);
    return filterOf({
      status: maybe(() => pick(statuses)),
      transactionState: maybe(() => pick(states)),
      type: maybe(() => pick(types)),
      currency: maybe(() => pick(currencies)),
      recipientCurrency: maybe(() => "BRL", 0.1),
      ...(random() < 0.5 ? { minAmount: maybe(decimal) } : { maxAmount: maybe(decimal) }),
      countryCode: maybe(() => "BRA", 0.1),
      method: maybe(() => "PIX", 0.1),
      createdFrom,
      createdUntil,
      changedFrom,
      changedUntil,
      agentId: maybe(() => pick(["agent-1", "agent-2"])),
      reasonCode: maybe(() => pick(["AC03", "AC04"])),
      idPrefix: maybe(() => pick(["order-", "invoice", "invoice-a-1", "none"])),
      isOverdue: random() < 0.1,
      isStuck: random() < 0.1,
    });
  };

  it("show what a look at each payment would, whatever the filters, the page and who asks", async () => {
    for (let round = 0; round < 100; round += 1) {
      const filter = randomFilter();
      const tenant = pick([...tenants, undefined]);
      const limit = pick([3, 7, 50, 200]);
      const shown = await walk({ tenant, allTenants: tenant === undefined, filter, limit });
      const expected = all
        .filter((payment) => (tenant ?? payment.tenant) === payment.tenant && holds(filter, payment))
        .toSorted(newestFirst);

      expect({ round, filter, ids: shown.map(({ paymentId }) => paymentId) }).toEqual({
        round,
        filter,
        ids: expected.map(({ id }) => id),
      });
    }
  });

  it("show each payment that was there once while others arrive at both replicas", async () => {
    const before = all.filter(({ tenant }) => tenant === "demo").map(({ id }) => id);
    const arrived: string[] = [];
    const arrive = async (): Promise<void> => {
      // One is newer than all, one has the very instant of others, one comes from a replica whose clock is behind.
      const times = [now, pick(all).createdAt, new Date(builtAt.getTime() + 100 * minute)];
      const coming = times.map((createdAt) => madeOf({ tenant: "demo", createdAt, externalId: randomUUID() }));
      await Promise.all(coming.map(keep));
      all.push(...coming);
      arrived.push(...coming.map(({ id }) => id));
    };
    const shown = (await walk({ limit: 10 }, arrive)).map(({ paymentId }) => paymentId);

    expect(arrived.length).toBeGreaterThan(30);
    expect(new Set(shown).size).toBe(shown.length);
    expect(before.filter((id) => !shown.includes(id))).toEqual([]);
  });

  it("read at most 20 entries for each payment of a page, and then answer with a cursor", async () => {
    const watched = await watchPages(store.mongoUri, mongo.connection.name, keys, () => undefined);
    const rare = filterOf({ idPrefix: "order-", reasonCode: "ZZ99" });
    const page = await watched.page({ limit: 2, filter: rare });
    await watched.stop();

    expect(page).toMatchObject({ payments: [], next: expect.any(String) as unknown });
    expect(page.read).toBeGreaterThan(readsPerRow);
    expect(page.read).toBeLessThanOrEqual(2 * readsPerRow);
    expect(await walk({ limit: 2, filter: rare }, undefined, 1)).toEqual([]);
  });

  it("go on by a cursor of the same list alone", async () => {
    const filter = filterOf({ status: "CAPTURED" });
    const { next } = await ask(request({ limit: 1, filter }));
    const refused = async (changes: Partial<ListPaymentsRequest>) =>
      ask(request({ filter, after: next, ...changes })).then(
        () => "answered",
        (error: { reason?: string; violations?: unknown }) => error,
      );
    const cursor = { reason: "INVALID_ARGUMENT", violations: [{ field: "after" }] };

    expect(await refused({})).toBe("answered");
    expect(await refused({ limit: 7, withPeople: true })).toBe("answered");
    expect(await refused({ tenant: "other" })).toMatchObject(cursor);
    expect(await refused({ tenant: undefined, allTenants: true })).toMatchObject(cursor);
    expect(await refused({ filter: filterOf({ status: "DECLINED" }) })).toMatchObject(cursor);
    expect(await refused({ filter: undefined })).toMatchObject(cursor);
    expect(await refused({ after: "nonsense" })).toMatchObject(cursor);
  });

  it("are nobody's when nobody says whose", async () => {
    const refusal = { reason: "INVALID_ARGUMENT", violations: [{ field: "tenant" }] };
    await expect(ask(request({ tenant: undefined }))).rejects.toMatchObject(refusal);
    await expect(ask(request({ tenant: "" }))).rejects.toMatchObject(refusal);
    await expect(ask(request({ tenant: "demo", allTenants: true }))).rejects.toMatchObject(refusal);
  });

  it("name every filter that is wrong", async () => {
    const filter = filterOf({
      status: "PAID",
      transactionState: "Nowhere",
      type: "PUSHPULL",
      minAmount: { unscaled: 10n, scale: 0 },
      maxAmount: { unscaled: 999n, scale: 2 },
      createdFrom: now,
      createdUntil: now,
    });
    await expect(ask(request({ filter }))).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
      violations: [
        { field: "status" },
        { field: "state" },
        { field: "type" },
        { field: "maxAmount" },
        { field: "until" },
      ],
    });
  });

  it("tell people masked, and only when they are asked for", async () => {
    const [withPeople, without] = await Promise.all([
      ask(request({ limit: 200, withPeople: true })),
      ask(request({ limit: 200 })),
    ]);
    const paid = withPeople.payments.find(({ recipient }) => recipient !== undefined);

    expect(paid).toMatchObject({
      senderNameMasked: "A*** L***",
      recipient: { method: "PIX", countryCode: "BRA", nameMasked: "M*** S***", accountMasked: "****.com" },
    });
    expect(JSON.stringify(without, (_name, value) => (typeof value === "bigint" ? `${value}` : value))).not.toMatch(
      /\*\*\*/,
    );
  });

  it("find a payment by each of its ids, and never another tenant's", async () => {
    const payment = madeOf({ tenant: "demo", createdAt: now, quoteId: randomUUID() }, "PULLPUSH");
    const payout = { railId: `rail-${payment.id}`, receipt: `R${payment.id}` };
    const providerId = `acq-${payment.id}`;
    await keep(withLegs(payment, { payout, pull: { providerId } }));
    const leg = legId(payment, "pull");
    const kinds: Record<string, FoundIdKind> = {
      [payment.id]: FoundIdKind.PAYMENT,
      [payment.externalId]: FoundIdKind.PAYMENT,
      [leg]: FoundIdKind.LEG,
      [payment.quoteId ?? ""]: FoundIdKind.QUOTE,
      [`rail-${payment.id}`]: FoundIdKind.PROVIDER_REFERENCE,
      [providerId]: FoundIdKind.PROVIDER_REFERENCE,
      [`R${payment.id}`]: FoundIdKind.RECEIPT,
    };
    const foundBy = async (id: string, tenant: string | undefined) =>
      (await find({ tenant, allTenants: tenant === undefined, id })).payments.map((found) => [
        found.paymentId,
        found.kind,
      ]);

    for (const [id, kind] of Object.entries(kinds)) {
      expect([id, await foundBy(id, "demo")]).toEqual([id, [[payment.id, kind]]]);
      expect([id, await foundBy(id, undefined)]).toEqual([id, [[payment.id, kind]]]);
      expect([id, await foundBy(id, "other")]).toEqual([id, []]);
    }
    expect(await foundBy(randomUUID(), "demo")).toEqual([]);
    await expect(find({ tenant: "demo", allTenants: false, id: "" })).rejects.toMatchObject({
      violations: [{ field: "id" }],
    });
  });
});
