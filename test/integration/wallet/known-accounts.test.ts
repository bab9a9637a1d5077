import { randomUUID } from "node:crypto";
import { systemIds } from "../../../services/shared/kernel/ids";
import { decodeTransaction } from "../../../services/wallet/handlers/request-codec";
import { decodeOpenIntent } from "../../../services/wallet/handlers/wallet-codec";
import { makeCreateWallet } from "../../../services/wallet/operations/create-wallet";
import { makeKnownAccounts } from "../../../services/wallet/operations/known-accounts";
import type { Ledger } from "../../../services/wallet/ports";
import { startTestStore, type TestStore } from "../../support/testbed";
import { openIntentOf, transactionIntentOf } from "../../support/wallet-intents";
import { openLedger } from "../../support/wallet-stores";

const clock = { now: () => new Date("2026-01-01T00:00:00Z") };

describe("a ledger that knows the accounts that it writes", () => {
  let store: TestStore;
  let real: Awaited<ReturnType<typeof openLedger>>;
  let walletId: string;
  /** Ids that were read, each time. */
  let reads: string[];

  beforeEach(async () => {
    store = await startTestStore();
    real = await openLedger(store.mongoUri, store.database("known"), clock);
    const body = { accountAsset: "USD", ownerId: "o", beneficiaryId: "b", type: "PERSONAL" };
    const createWallet = makeCreateWallet({ ...real, ids: systemIds });
    walletId = (await createWallet("demo", decodeOpenIntent(openIntentOf(body)))).id;
    reads = [];
  });
  afterEach(async () => {
    await real.mongo.stop();
    await store.stop();
  });

  const writer = (shards = 4): Ledger =>
    real.newWriter({
      shards,
      accounts: {
        ...real.accounts,
        load(tx, ids) {
          reads.push(...ids);
          return real.accounts.load(tx, ids);
        },
      },
    });
  const move = (paymentType: "CREDIT" | "DEBIT", amount: number) => {
    const body = JSON.stringify({ walletId, externalId: randomUUID(), amount, paymentType });
    const { command } = decodeTransaction({ tenant: "demo", intent: transactionIntentOf(body), answerForm: 1 });
    if ("violations" in command) throw new Error("the request is wrong");
    return { ...command, hashes: {} };
  };
  const balance = async (): Promise<bigint | undefined> => (await real.accounts.find(walletId))?.lines.settled.minor;
  const findings = async () => (await real.verify()).findings;

  it("does not read again what it wrote itself", async () => {
    const own = writer();
    await own.submit(move("CREDIT", 5));
    expect(reads).toContain(walletId);
    reads = [];

    await own.submit(move("CREDIT", 1));
    await own.submit(move("DEBIT", 2));

    expect(reads).toEqual([]);
    expect([await balance(), await findings()]).toEqual([400n, []]);
  });

  it("loses no change of another writer", async () => {
    const [one, other] = [writer(), writer()];
    for (let round = 0; round < 5; round += 1) {
      await one.submit(move("CREDIT", 1));
      await other.submit(move("CREDIT", 10));
    }

    expect([await balance(), await findings()]).toEqual([5_500n, []]);
  });

  it("refuses nothing by what it remembers", async () => {
    const [one, other] = [writer(), writer()];
    await one.submit(move("CREDIT", 1));
    await other.submit(move("CREDIT", 100));

    await one.submit(move("DEBIT", 50));

    expect([await balance(), await findings()]).toEqual([5_100n, []]);
  });

  it("lets nobody spend what another writer has spent", async () => {
    const [one, other] = [writer(), writer()];
    await one.submit(move("CREDIT", 10));
    await other.submit(move("DEBIT", 9));

    await expect(one.submit(move("DEBIT", 9))).rejects.toMatchObject({ reason: "INSUFFICIENT_FUNDS" });

    expect([await balance(), await findings()]).toEqual([100n, []]);
  });

  it("tells an account apart that a restored store has brought to the same version otherwise", async () => {
    // On shards of their own they would meet at the account of the other side.
    const [one, other] = [writer(1), writer(1)];
    await one.submit(move("CREDIT", 1));
    const collections = ["accounts", "entries", "row_marks", "commits"];
    const { db } = real.mongo.connection;
    const backup = await Promise.all(
      collections.map(async (name) => [name, await db?.collection(name).find().toArray()]),
    );
    await one.submit(move("CREDIT", 2));
    for (const [name, records] of backup as [string, object[]][]) {
      await db?.collection(name).deleteMany({}, { hint: "_id_" });
      await db?.collection(name).insertMany(records);
    }
    // The other's credit takes the account to the version that the first remembers.
    await other.submit(move("CREDIT", 40));

    await one.submit(move("CREDIT", 3));

    expect([await balance(), await findings()]).toEqual([4_400n, []]);
  });
});

describe("known accounts", () => {
  const account = (id: string) => ({ id }) as never;

  it("forget all, and are nobody's for a while, behind a lost race", () => {
    let now = 0;
    const known = makeKnownAccounts(() => now);
    known.keep([account("a")]);
    expect(known.of(["a", "b"])).toEqual([{ id: "a" }]);

    known.doubt();
    known.keep([account("b")]);
    expect(known.of(["a", "b"])).toEqual([]);
    now = 1_000;
    expect(known.of(["a", "b"])).toEqual([{ id: "b" }]);
  });

  it("are recent for less than a second behind a write, unless a race was lost", () => {
    let now = 0;
    const known = makeKnownAccounts(() => now);
    known.keep([account("a")]);
    now = 899;
    expect(known.recent("a")).toEqual({ id: "a" });
    now = 900;
    expect([known.recent("a"), known.recent("b")]).toEqual([undefined, undefined]);

    known.keep([account("a")]);
    known.doubt();
    known.keep([account("a")]);
    expect(known.recent("a")).toBeUndefined();
  });

  it("are bounded", () => {
    const known = makeKnownAccounts();
    known.keep(Array.from({ length: 10_001 }, (_, index) => account(`a${index}`)));
    expect(known.of(["a0", "a1", "a10000"])).toEqual([{ id: "a1" }, { id: "a10000" }]);
  });
});
