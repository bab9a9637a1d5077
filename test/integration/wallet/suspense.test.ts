import { systemIds } from "../../../services/shared/kernel/ids";
import { makeFindBreaks } from "../../../services/wallet/operations/find-breaks";
import { makePostCorrection } from "../../../services/wallet/operations/post-correction";
import { makeStatementStore } from "../../../services/wallet/store/statement-store";
import { makeSuspenseStore } from "../../../services/wallet/store/suspense-store";
import { startTestStore, type TestStore } from "../../support/testbed";
import { openLedger } from "../../support/wallet-stores";

const dayMs = 86_400_000;

describe("money in suspense", () => {
  let store: TestStore;
  let ledger: Awaited<ReturnType<typeof openLedger>>;
  let now = new Date("2026-01-01T00:00:00Z");
  const clock = { now: () => now };
  beforeAll(async () => {
    store = await startTestStore();
    ledger = await openLedger(store.mongoUri, store.database("suspense"), clock);
  });
  afterAll(async () => {
    await ledger.mongo.stop();
    await store.stop();
  });

  it("is a break after a day, one for each currency, until it is zero", async () => {
    const { connection, transact } = ledger.mongo;
    const [statements, suspense] = [makeStatementStore(connection), makeSuspenseStore(connection)];
    await Promise.all([statements.init(), suspense.init()]);
    const deps = { ...ledger, transact, statements, suspense, caseBook: undefined, graceMs: 1_000, clock };
    const findBreaks = makeFindBreaks(deps);
    const found = async (): Promise<string[]> => {
      await findBreaks([]);
      return (await statements.breaks("unresolved", "", 10)).map(({ id }) => id);
    };
    const post = (minor: bigint) =>
      makePostCorrection(ledger)({
        id: systemIds.uuid(),
        label: "correction",
        reason: "test",
        links: ["case"],
        postings: [
          { path: "platform/suspense", asset: "USD", minor },
          { path: "provider/pix/clearing", asset: "USD", minor: -minor },
        ],
      });

    await post(5n);
    expect(await found()).toEqual([]);
    now = new Date(now.getTime() + dayMs - 1);
    expect(await found()).toEqual([]);
    now = new Date(now.getTime() + 1);
    expect(await found()).toEqual(["suspense/USD"]);
    await post(-5n);
    expect(await found()).toEqual([]);
    // It begins anew.
    await post(5n);
    expect(await found()).toEqual([]);
    now = new Date(now.getTime() + dayMs);
    expect(await found()).toEqual(["suspense/USD"]);
  });
});
