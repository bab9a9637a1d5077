import { randomUUID } from "node:crypto";
import { systemIds } from "../../../services/shared/kernel/ids";
import { transactionReceipt } from "../../../services/wallet/domain/receipt";
import { decodeTransaction } from "../../../services/wallet/handlers/request-codec";
import { decodeOpenIntent } from "../../../services/wallet/handlers/wallet-codec";
import { makeCreateWallet } from "../../../services/wallet/operations/create-wallet";
import { makeGroupCommit } from "../../../services/wallet/operations/group-commit";
import type { Ledger } from "../../../services/wallet/ports";
import { startTestStore, type TestStore } from "../../support/testbed";
import { openIntentOf, transactionIntentOf } from "../../support/wallet-intents";
import { openLedger } from "../../support/wallet-stores";

const clock = { now: () => new Date("2026-01-01T00:00:00Z") };
const crash = (): never => {
  throw new Error("crash");
};

describe("a crash while a group is written", () => {
  let store: TestStore;
  let real: Awaited<ReturnType<typeof openLedger>>;
  let walletId: string;
  beforeAll(async () => {
    store = await startTestStore();
    real = await openLedger(store.mongoUri, store.database("crash"), clock);
    const body = { accountAsset: "USD", ownerId: "o", beneficiaryId: "b", type: "PERSONAL" };
    const createWallet = makeCreateWallet({ ...real, ids: systemIds });
    walletId = (await createWallet("demo", decodeOpenIntent(openIntentOf(body)))).id;
  });
  afterAll(async () => {
    await real.mongo.stop();
    await store.stop();
  });

  type Deps = Parameters<typeof makeGroupCommit>[0];
  const writerWith = (changes: Partial<Deps>): Ledger =>
    makeGroupCommit({
      ...real,
      transact: real.mongo.transact,
      clock,
      ids: systemIds,
      shards: 1,
      requireClock: async () => {},
      news: { add() {}, doubt() {} },
      observe: () => {},
      ...changes,
    });
  const credit = (externalId: string, more = "") => {
    const body = `{"walletId":"${walletId}","externalId":"${externalId}","amount":1,"paymentType":"CREDIT"${more}}`;
    const { command } = decodeTransaction({ tenant: "demo", intent: transactionIntentOf(body), answerForm: 1 });
    if ("violations" in command) throw new Error("the request is wrong");
    return { ...command, hashes: {} };
  };
  const present = async (): Promise<string> => {
    const account = await real.accounts.find(walletId);
    const { entries, rows } = await real.verify();
    return JSON.stringify([account?.version, account?.lines.settled.seq, entries, rows]);
  };

  it.each<[string, () => Partial<Deps>]>([
    ["before anything is written", () => ({ accounts: { load: crash, save: crash } })],
    ["at the balances", () => ({ accounts: { ...real.accounts, save: crash } })],
    ["after the balances", () => ({ entries: { ...real.entries, add: crash } })],
    ["after the entries", () => ({ rows: { mark: crash } })],
    ["after the marks", () => ({ expiries: { ...real.expiries, add: crash } })],
    ["at the outbox", () => ({ commits: { add: crash } })],
    [
      "before the commit",
      () => ({
        transact: (work) =>
          real.mongo.transact(async (tx) => {
            await work(tx);
            return crash();
          }),
      }),
    ],
  ])("%s leaves nothing behind, and the request can be sent again", async (_case, changes) => {
    const before = await present();
    const command = credit(randomUUID());

    await expect(writerWith(changes()).submit(command)).rejects.toThrow("crash");
    expect(await present()).toBe(before);
    expect((await real.ledger.submit(command)).replayed).toBe(false);
    expect((await real.verify()).findings).toEqual([]);
  });

  it("after the commit, before the answer, has done it: the request sent again gets the first answer", async () => {
    const command = credit(randomUUID());
    const lost = writerWith({
      transact: async (work) => {
        await real.mongo.transact(work);
        return crash();
      },
    });

    await expect(lost.submit(command)).rejects.toThrow("crash");
    const after = await present();
    const { replayed, entry } = await real.ledger.submit(command);
    expect(replayed).toBe(true);
    expect(transactionReceipt(entry).status).toBe("COMPLETED");
    expect(await present()).toBe(after);
  });

  /** A writer whose first commit fails so. */
  const failingOnce = (error: Error) => {
    let isFirst = true;
    return writerWith({
      commits: {
        add: async (...args) => {
          const isHit = isFirst;
          isFirst = false;
          if (isHit) throw error;
          await real.commits.add(...args);
        },
      },
    });
  };
  const submitMany = (writer: ReturnType<typeof failingOnce>) =>
    Promise.allSettled(Array.from({ length: 100 }, () => writer.submit(credit(randomUUID()))));

  it("fails only the group that an outage hit: what waits behind it is written", async () => {
    const outage = Object.assign(new Error("gone"), { name: "MongoNetworkError" });

    const results = await submitMany(failingOnce(outage));

    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(64);
    expect(results.slice(64).every(({ status }) => status === "fulfilled")).toBe(true);
    expect((await real.verify()).findings).toEqual([]);
  });

  it("writes a group that fails as a whole one by one, each once", async () => {
    const before = await present();

    const results = await submitMany(failingOnce(new Error("something in the group")));

    expect(results.every(({ status }) => status === "fulfilled")).toBe(true);
    expect((await real.verify()).findings).toEqual([]);
    expect(await present()).not.toBe(before);
  });
});
