import { createConnection } from "mongoose";
import { makePaymentColumns } from "../../services/payment/domain/payment-columns";
import { decodeFilter } from "../../services/payment/handlers/payment-list-codec";
import { makeFilteredPaymentStore } from "../../services/payment/store/filtered-payment-store";
import { makePaymentListStore } from "../../services/payment/store/payment-list-store";
import type { Goal } from "./goal";
import { pageLimit, queryNames, queryOf } from "./list-queries";
import type { PastStore } from "./listed-past";

/** The most entries that a page of any of the queries reads, as the store has sent them. */
export async function measureReads({ mongo, keys }: PastStore): Promise<Goal> {
  const columns = makePaymentColumns();
  for await (const batch of makeFilteredPaymentStore(mongo.connection).all()) for (const one of batch) columns.put(one);
  const { host, port } = mongo.connection;
  const options = { dbName: mongo.connection.name, useBigInt64: true, monitorCommands: true, directConnection: true };
  const watched = await createConnection(`mongodb://${host}:${port}`, options).asPromise();
  let read = 0;
  watched.getClient().on("commandSucceeded", ({ reply }) => {
    const { firstBatch, nextBatch } = (reply as { cursor?: Record<string, unknown[]> }).cursor ?? {};
    read += (firstBatch ?? nextBatch ?? []).length;
  });
  const most = Math.max(
    ...(await readsOfEach(
      makePaymentListStore(watched, keys, () => columns),
      () => read,
    )),
  );
  await watched.close();
  return {
    id: "P30",
    what: "entries of indexes for each payment of a page, at most",
    value: most / pageLimit,
    unit: "",
    bar: { atMost: 20 },
    isDue: true,
    seen: `${most} for a page of ${pageLimit}, columns of ${columns.count()} payments`,
  };
}

async function readsOfEach(store: ReturnType<typeof makePaymentListStore>, total: () => number): Promise<number[]> {
  const reads: number[] = [];
  for (const name of queryNames) {
    // Where a page begins is its place, and no filter.
    const { after: deep, ...asked } = Object.fromEntries(new URLSearchParams(queryOf(name, "deep")));
    const { state: transactionState, country: countryCode, minAmount, maxAmount, changedUntil, ...rest } = asked;
    const whole = (text: string | undefined) => (text === undefined ? undefined : { unscaled: BigInt(text), scale: 0 });
    const amounts = { minAmount: whole(minAmount), maxAmount: whole(maxAmount) };
    const times = { changedUntil: changedUntil === undefined ? undefined : new Date(changedUntil) };
    const filter = decodeFilter({ transactionState, countryCode, ...rest, ...amounts, ...times } as never);
    const after = deep === undefined ? undefined : { createdAt: new Date(Date.now() - 15 * 86_400_000), id: "" };
    for (const scope of [{ tenant: "demo" }, "all tenants"] as const) {
      const before = total();
      await store.list(scope, filter, { after, limit: pageLimit, withPeople: true, now: new Date() });
      reads.push(total() - before);
    }
  }
  return reads;
}
