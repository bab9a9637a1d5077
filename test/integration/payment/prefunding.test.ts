import { randomUUID } from "node:crypto";
import type { FundsHolder } from "../../../services/payment/check-ports";
import type { Payment } from "../../../services/payment/domain/payment";
import type { Reservation } from "../../../services/payment/ports";
import { makePrefunding, type Prefunding } from "../../../services/payment/prefunding";
import { makeFundStore } from "../../../services/payment/store/fund-store";
import { makeParticipantKeys } from "../../../services/payment/store/participant-keys";
import { makePaymentStore, type PaymentStore } from "../../../services/payment/store/payment-store";
import { systemClock } from "../../../services/shared/clock";
import { makeDataKeys } from "../../../services/shared/data-keys";
import { systemIds } from "../../../services/shared/ids";
import { makeLogger } from "../../../services/shared/logger";
import { money } from "../../../services/shared/money";
import { type Mongo, openMongo } from "../../../services/shared/mongo";
import { noTracing } from "../../../services/shared/tracing";
import { startTestStore, type TestStore } from "../../support/ground";
import { newPayment } from "../../support/payment-builder";

const tenBrl = money(1_000n, "BRL");

describe("our account at a rail, promised by two processes", () => {
  let store: TestStore;
  let mongo: Mongo;
  let payments: PaymentStore;
  let rail = "";

  /** A process of the payment service; the rail says that it holds this much. */
  const start = async (available: string): Promise<Prefunding> => {
    const holder: FundsHolder = { name: rail, balances: () => Promise.resolve([{ currency: "BRL", available }]) };
    const funds = makeFundStore(mongo.connection, mongo.transact);
    await funds.init();
    const logger = makeLogger("test", "error");
    return makePrefunding({ funds, holders: [holder], clock: systemClock, ids: systemIds, logger });
  };
  /** Stores a payment of the reserved amount, as an acceptance does. */
  const storePayment = async (facts: Partial<Payment> = {}): Promise<void> => {
    const id = randomUUID();
    const { next, ...change } = newPayment("PUSH", { id, externalId: id });
    const payout = next.payout && { ...next.payout, rail, amount: tenBrl };
    const stored = { ...change, next: { ...next, payout, ...facts } };
    expect(await payments.insert(stored, { hashes: {}, answer: undefined })).toBe("stored");
  };
  const keep = async (reservation: Reservation): Promise<void> => {
    await storePayment();
    reservation.keep();
  };

  beforeAll(async () => {
    store = await startTestStore();
    const database = store.database("payment");
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
    const keys = makeDataKeys({ connection: mongo.connection, sealingKeys: [Buffer.alloc(32, 7)], ids: systemIds });
    const people = makeParticipantKeys({
      connection: mongo.connection,
      sealingKeys: [Buffer.alloc(32, 1)],
      ids: systemIds,
    });
    payments = makePaymentStore(mongo.connection, keys, mongo.transact, people);
    await Promise.all([keys.init(), payments.init()]);
  });
  beforeEach(() => {
    rail = `rail-${randomUUID()}`;
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  it("is promised to ten payments and to no eleventh, however the two take turns", async () => {
    for (let round = 0; round < 4; round += 1) {
      rail = `rail-${randomUUID()}`;
      const [one, two] = [await start("100"), await start("100")];
      let kept = 0;
      const work = async (process: Prefunding): Promise<void> => {
        for (let tries = 0; tries < 12; tries += 1) {
          const reservation = await process.reserve(rail, tenBrl);
          if (reservation === undefined) continue;
          await keep(reservation);
          kept += 1;
        }
      };

      await Promise.all([work(one), work(two), work(one), work(two)]);

      expect(kept).toBe(10);
      expect(await one.covers(rail, tenBrl)).toBe(false);
    }
  }, 120_000);

  it.each([
    "BlockedPendingReview",
    "ManualReview",
    "PayoutHold",
    "CancelRequested",
    "PendingReversalApproval",
  ] as const)(
    "is not promised again while a payment is in %s",
    async (state) => {
      for (let count = 0; count < 9; count += 1) await storePayment({ state, dueAt: undefined });
      const process = await start("100");

      const reservation = await process.reserve(rail, tenBrl);

      expect(reservation).toBeDefined();
      expect(await process.reserve(rail, tenBrl)).toBeUndefined();
    },
    60_000,
  );

  it("counts what nobody knows to be stored as promised", async () => {
    const [one, two] = [await start("10"), await start("10")];
    const reservation = await one.reserve(rail, tenBrl);

    reservation?.doubt();

    expect(await one.reserve(rail, tenBrl)).toBeUndefined();
    expect(await two.reserve(rail, tenBrl)).toBeUndefined();
  }, 60_000);

  it("is free again once a payment was given up", async () => {
    const process = await start("10");
    (await process.reserve(rail, tenBrl))?.giveBack();

    expect(await process.covers(rail, tenBrl)).toBe(true);
    expect(await process.reserve(rail, tenBrl)).toBeDefined();
  }, 60_000);
});
