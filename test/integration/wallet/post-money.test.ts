import { randomUUID } from "node:crypto";
import { type MoneyMoved, makePostMoney } from "../../../services/wallet/operations/post-money";
import { startTestStore, type TestStore } from "../../support/testbed";
import { openLedger } from "../../support/wallet-stores";

const clearing = "provider/pix/clearing";

describe("the money of a fact", () => {
  let store: TestStore;
  let ledger: Awaited<ReturnType<typeof openLedger>>;

  beforeAll(async () => {
    store = await startTestStore();
    ledger = await openLedger(store.mongoUri, store.database("post-money"), { now: () => new Date() });
  });
  afterAll(async () => {
    await ledger.mongo.stop();
    await store.stop();
  });

  const moved = (entryId: string, minor = 700n): MoneyMoved => ({
    eventId: randomUUID(),
    entryId,
    tenant: "demo",
    paymentId: randomUUID(),
    kind: "payout",
    postings: [
      { path: "platform/suspense", asset: "USD", minor: -minor },
      { path: clearing, asset: "USD", minor },
    ],
    releases: [],
  });
  const settled = (): Promise<bigint> => ledger.mongo.transact((tx) => ledger.accounts.settledOf(tx, clearing, "USD"));

  it("is posted once, in whichever event it comes", async () => {
    const post = makePostMoney(ledger);
    const [entryId, other] = [randomUUID(), randomUUID()];

    await post([moved(entryId)]);
    await post([moved(entryId), moved(other)]);

    expect(await settled()).toBe(1_400n);
  });

  it("is refused with other postings, when all else is posted", async () => {
    const post = makePostMoney(ledger);
    const [entryId, other] = [randomUUID(), randomUUID()];
    await post([moved(entryId)]);
    const before = await settled();

    await expect(post([moved(entryId, 701n), moved(other)])).rejects.toMatchObject({ reason: "IDEMPOTENCY_CONFLICT" });

    expect(await settled()).toBe(before + 700n);
  });
});
