import type { Entry, Row } from "../../../services/wallet/domain/entry";
import { startTestStore, type TestStore } from "../../support/testbed";
import { openLedger } from "../../support/wallet-stores";

const account = "a-wallet";
/** Several rows have each time, since a whole group is written at one instant. */
const timeOf = (seq: number): number => 1_000 * Math.floor(seq / 7);
const last = 200;

describe("rows in the documents of their entries", () => {
  let store: TestStore;
  let ledger: Awaited<ReturnType<typeof openLedger>>;
  beforeAll(async () => {
    store = await startTestStore();
    ledger = await openLedger(store.mongoUri, store.database("rows"), { now: () => new Date() });
    const seqs = Array.from({ length: last }, (_, index) => index + 1);
    await ledger.mongo.transact(async (tx) => {
      await ledger.entries.add(tx, seqs.map(entryOf), seqs.map(rowOf));
      await ledger.rows.mark(tx, seqs.map(rowOf));
    });
  });
  afterAll(async () => {
    await ledger.mongo.stop();
    await store.stop();
  });

  const rowOf = (seq: number): Row => ({
    account,
    line: "settled",
    seq,
    entry: `entry-${seq}`,
    minor: 1n,
    after: BigInt(seq),
    at: new Date(timeOf(seq)),
    hash: `hash-${seq}`,
  });
  const entryOf = (seq: number): Entry => ({
    id: `entry-${seq}`,
    kind: "credit",
    tenant: "t",
    at: new Date(timeOf(seq)),
    externalId: undefined,
    description: undefined,
    label: undefined,
    links: undefined,
    eventId: undefined,
    parent: undefined,
    paymentId: undefined,
    expiresAt: undefined,
    moves: [{ account, line: "settled", minor: 1n }],
    content: { version: 1, hashes: {} },
    receipt: undefined,
    facts: undefined,
    mark: "mark",
  });

  it("finds the last row before any instant, wherever it stands between two marks", async () => {
    for (let at = 0; at <= timeOf(last) + 1_000; at += 500) {
      const expected = Array.from({ length: last }, (_, index) => index + 1).findLast((seq) => timeOf(seq) < at);
      const row = await ledger.rows.lastBefore(account, "settled", new Date(at));
      expect([at, row?.seq]).toEqual([at, expected]);
    }
  });

  it("reads a range in order, each row with its entry, and no other line's", async () => {
    const found = await ledger.rows.range(account, "settled", 60, 70);

    expect(found.map(({ row, entry }) => [row, entry.id])).toEqual(
      Array.from({ length: 10 }, (_, index) => [expect.objectContaining(rowOf(61 + index)), `entry-${61 + index}`]),
    );
    expect(await ledger.rows.range(account, "debitHolds", 60, 70)).toEqual([]);
    expect(await ledger.rows.range(account, "settled", 70, 70)).toEqual([]);
  });

  it("gives a number of a line once", async () => {
    const again = { ...entryOf(3), id: "other" };
    const adding = ledger.mongo.transact((tx) => ledger.entries.add(tx, [again], [{ ...rowOf(3), entry: "other" }]));

    await expect(adding).rejects.toMatchObject({ code: 11_000 });
    expect(await ledger.entries.find("other")).toBeUndefined();
  });

  it("refuses an entry that moves a line without a row", async () => {
    const adding = ledger.mongo.transact((tx) => ledger.entries.add(tx, [{ ...entryOf(3), id: "bare" }], []));

    await expect(adding).rejects.toThrow("without a row");
  });
});
