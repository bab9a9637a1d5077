import { randomUUID } from "node:crypto";
import { anyPayment } from "../../../test/support/any-payment";
import type { TenantScope } from "../../shared/kernel/tenant-scope";
import { type ColumnPlace, makePaymentColumns, type PaymentColumns } from "./payment-columns";
import { type FilteredPayment, type PaymentFilter, testsOf } from "./payment-filter";

type Kept = FilteredPayment & { tenant: string };

const beginMs = Date.parse("2026-03-01T00:00:00Z");
const now = new Date("2026-03-09T12:00:00Z");
const newest: ColumnPlace = { createdAt: now, id: "ffffffff-ffff-ffff-ffff-ffffffffffff" };

/** Returns numbers from 0 to below 1 that are the same in every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = randomOf(11);
const pick = <T>(values: readonly [T, ...T[]]): T => values[Math.floor(random() * values.length)] ?? values[0];
const time = (): Date => new Date(beginMs + Math.floor(random() * 5_000) * 60_000);

const madeOf = (facts: Partial<Kept>): Kept => ({
  _id: randomUUID(),
  tenant: pick(["demo", "other"]),
  externalId: `${pick(["order", "invoice-of-a-tenant-that-likes-long-names"])}-${Math.floor(random() * 1_000)}`,
  status: pick(["PENDING", "CAPTURED", "DECLINED"]),
  state: pick(["Completed", "PayoutRejected", "WaitingPayout"]),
  type: pick(["PUSH", "PULL", "PULLPUSH"]),
  currency: pick(["USD", "JPY", "KWD"]),
  amountMinor: BigInt(Math.floor(random() * 100_000)),
  payoutCurrency: pick(["BRL", "INR", undefined]),
  payoutCountry: pick(["BRA", "IND", undefined]),
  method: pick(["PIX", "WALLET", undefined]),
  createdAt: time(),
  updatedAt: time(),
  agentId: pick(["agent-1", "agent-2", undefined]),
  cause: pick([{ code: "AC03" }, { code: "AC04" }, undefined]),
  dueAt: random() < 0.2 ? new Date(now.getTime() - Math.floor(random() * 120) * 1_000) : undefined,
  escalatedAt: random() < 0.1 ? now : undefined,
  ...facts,
});

const maybe = <T>(value: () => T): T | undefined => (random() < 0.2 ? value() : undefined);
const decimal = () => ({ digits: BigInt(Math.floor(random() * 9_000)), scale: pick([0, 1, 2]) });
const randomFilter = (): PaymentFilter => ({
  ...anyPayment,
  status: maybe(() => pick(["PENDING", "DECLINED"])),
  state: maybe(() => pick(["Completed", "PayoutRejected"])),
  type: maybe(() => pick(["PUSH", "PULL"])),
  currency: maybe(() => pick(["USD", "JPY", "EUR"])),
  recipientCurrency: maybe(() => "BRL"),
  minAmount: maybe(decimal),
  maxAmount: maybe(decimal),
  countryCode: maybe(() => "BRA"),
  method: maybe(() => "PIX"),
  createdFrom: maybe(time),
  createdUntil: maybe(time),
  changedFrom: maybe(time),
  changedUntil: maybe(time),
  agentId: maybe(() => "agent-1"),
  reasonCode: maybe(() => pick(["AC03", "ZZ99"])),
  idPrefix: maybe(() => pick(["order", "order-1", "invoice-of-a-tenant-that-likes-long-names-7"])),
  isOverdue: random() < 0.1,
  isStuck: random() < 0.1,
});

const isBehind = (one: ColumnPlace, other: ColumnPlace): boolean =>
  one.createdAt < other.createdAt || (one.createdAt.getTime() === other.createdAt.getTime() && one.id < other.id);
const placeOf = ({ createdAt, _id }: Kept): ColumnPlace => ({ createdAt, id: _id });
const newestFirst = (one: ColumnPlace, other: ColumnPlace): number => (isBehind(one, other) ? 1 : -1);

/** Returns what checking each payment would find; columns compare only the beginning of the caller's id. */
const expectedOf = (
  all: Iterable<Kept>,
  scope: TenantScope,
  { idPrefix, ...filter }: PaymentFilter,
  after: ColumnPlace,
): string[] => {
  const tests = testsOf({ ...filter, idPrefix: idPrefix?.slice(0, 16) }, now);
  return [...all]
    .filter((one) => scope === "all tenants" || one.tenant === scope.tenant)
    .filter((one) => isBehind(placeOf(one), after) && tests.every((test) => test(one)))
    .map(placeOf)
    .toSorted(newestFirst)
    .map(({ id }) => id);
};

const idsOf = (columns: PaymentColumns, scope: TenantScope, filter: PaymentFilter, after: ColumnPlace, most: number) =>
  columns.find(scope, filter, { after, most, now })?.places.map(({ id }) => id);

describe("columns of payments", () => {
  it("find what a look at each payment would, in whatever order payments came and changed", () => {
    const columns = makePaymentColumns();
    const all = new Map<string, Kept>();
    const keep = (one: Kept): void => {
      all.set(one._id, one);
      columns.put(one);
    };
    for (let round = 0; round < 6_000; round += 1) keep(madeOf({}));
    // Many payments of the same instant, in full chunks.
    for (let round = 0; round < 5_000; round += 1) keep(madeOf({ createdAt: new Date(beginMs + 60_000_000) }));
    for (const one of [...all.values()].slice(0, 3_000)) {
      keep({ ...madeOf({}), _id: one._id, tenant: one.tenant, createdAt: one.createdAt });
    }

    expect(columns.count()).toBe(11_000);
    for (let round = 0; round < 80; round += 1) {
      const filter = randomFilter();
      const scope = pick<TenantScope>([{ tenant: "demo" }, { tenant: "other" }, { tenant: "nobody" }, "all tenants"]);
      const after = pick([newest, placeOf(pick([...all.values()] as [Kept, ...Kept[]]))]);
      const most = pick([1, 10, 100_000]);
      const expected = expectedOf(all.values(), scope, filter, after).slice(0, most);
      expect({ round, filter, ids: idsOf(columns, scope, filter, after, most) }).toEqual({
        round,
        filter,
        ids: expected,
      });
    }
  });

  it("leave out no amount that is asked for to its last digit", () => {
    const columns = makePaymentColumns();
    const amounts = [1n, 333n, 10_051n, 99_999_999_999n, 123_456_789_012_345n];
    const kept = amounts.flatMap((amountMinor) =>
      ["USD", "JPY", "KWD"].map((currency) => madeOf({ tenant: "demo", amountMinor, currency })),
    );
    for (const one of kept) columns.put(one);
    for (const { _id, amountMinor, currency } of kept) {
      const exact = { digits: amountMinor, scale: { USD: 2, JPY: 0, KWD: 3 }[currency] ?? 0 };
      const filter = { ...anyPayment, currency, minAmount: exact, maxAmount: exact };
      expect(idsOf(columns, "all tenants", filter, newest, 5)).toEqual([_id]);
    }
  });

  it("say where what they know ends once the oldest were forgotten", () => {
    const columns = makePaymentColumns(10_000);
    const all = Array.from({ length: 25_000 }, (_, at) => madeOf({ createdAt: new Date(beginMs + at * 1_000) }));
    for (const one of all) columns.put(one);
    const found = columns.find("all tenants", anyPayment, { after: newest, most: 100_000, now });
    const { createdAt: end = new Date(0) } = found?.end ?? {};

    expect(columns.count()).toBeLessThanOrEqual(10_000);
    expect(found?.places.length).toBeGreaterThan(1_000);
    const newer = all.filter(({ createdAt }) => createdAt > end);
    expect(found?.places.map(({ id }) => id)).toEqual(newer.map(({ _id }) => _id).toReversed());
    expect(columns.find("all tenants", anyPayment, { after: { createdAt: end, id: newest.id }, most: 5, now })).toBe(
      undefined,
    );
    const since = { ...anyPayment, createdFrom: new Date(end.getTime() + 1) };
    expect(columns.find("all tenants", since, { after: newest, most: 5, now })?.end).toBe(undefined);
    const before = columns.count();
    columns.put(madeOf({ createdAt: end }));
    expect(columns.count()).toBe(before);
  });
});
