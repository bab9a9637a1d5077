import { randomUUID } from "node:crypto";
import { makeWalletPayouts } from "../../../services/payment/adapters/wallet/wallet-payouts";
import type { Payment } from "../../../services/payment/domain/payment";
import { makeAdvancePayment } from "../../../services/payment/operations/advance-payment";
import type { Provider } from "../../../services/payment/ports";
import type { PaymentStore } from "../../../services/payment/store/payment-store";
import type { Mongo } from "../../../services/shared/storage/mongo";
import { builtAt, newPayment } from "../../support/payment-builder";
import { startTestStore, type TestStore } from "../../support/testbed";
import { openPayments } from "./open-payments";

describe("steps of a payment between which nothing is left behind", () => {
  let store: TestStore;
  let mongo: Mongo;
  let payments: PaymentStore;
  /** What was called and saved, in its order. */
  let log: string[];

  beforeAll(async () => {
    store = await startTestStore();
    ({ mongo, payments } = await openPayments(store));
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });
  beforeEach(() => {
    log = [];
  });

  /** The ledger as a rail. */
  const ledger = (): Provider => {
    const answer = (what: string) => async () => {
      log.push(what);
      return {} as never;
    };
    return makeWalletPayouts({
      findPayoutWallet: answer("look"),
      creditPayout: answer("credit"),
      cancelPayout: answer("cancel"),
      findPayout: answer("find"),
    });
  };
  const save: PaymentStore["save"] = async (before, change, attempts = []) => {
    log.push(`save ${change.next.state} (${attempts.map(({ step, outcome }) => `${step} ${outcome}`).join(", ")})`);
    return payments.save(before, change, attempts);
  };
  const advance = (provider: Provider, payment: Payment, saving = save, approach: "send" | "ask" = "send") =>
    makeAdvancePayment({
      payments: { ...payments, save: saving },
      providers: new Map([[payment.payout?.rail ?? "", provider]]),
      screening: async () => {
        log.push("screen");
        return { status: "APPROVED", reason: undefined };
      },
      clock: { now: () => builtAt },
    })(payment, approach);
  async function stored(): Promise<Payment> {
    const id = randomUUID();
    expect(await payments.insert(newPayment("PUSH", { id, externalId: id }), { hashes: {}, answer: undefined })).toBe(
      "stored",
    );
    const found = await payments.find(id);
    if (found === undefined) throw new Error("the payment is not stored");
    return found;
  }
  const crash = (): Promise<never> => {
    log.push("crash");
    return Promise.reject(new Error("crash"));
  };

  it("are saved together, before anything is paid", async () => {
    const payment = await stored();

    await advance(ledger(), payment);

    expect(log).toEqual([
      "screen",
      "save ReviewApproved (prepare PREPARED, screen APPROVED)",
      "credit",
      "save Completed (release PAID)",
    ]);
    const story = await payments.findStory(payment.tenant, payment.externalId);
    expect(story?.attempts.map(({ step }) => step)).toEqual(["prepare", "screen", "release"]);
    const sequences = story?.events.map(({ sequence }) => sequence) ?? [];
    expect(sequences).toEqual(sequences.map((_sequence, index) => index + 1));
  });

  it("look at the wallet before anything is collected", async () => {
    const payment = newPayment("PULLPUSH").next;

    await ledger().perform(payment, "prepare");

    expect(log).toEqual(["look"]);
  });

  it("are done again behind a crash, and pay nothing before they are saved", async () => {
    const payment = await stored();
    await expect(advance(ledger(), payment, crash)).rejects.toThrow("crash");
    expect(log).toEqual(["screen", "crash"]);

    const again = await payments.find(payment.id);
    if (again === undefined) throw new Error("the payment is gone");
    await advance(ledger(), again, save, "ask");

    expect(log.filter((one) => one === "credit")).toHaveLength(1);
    expect((await payments.find(payment.id))?.state).toBe("Completed");
  });

  it("pay nothing when somebody else was first", async () => {
    const payment = await stored();

    await advance(ledger(), payment, async () => ({ kind: "stale" }));

    expect(log).toEqual(["screen"]);
  });

  it("are saved one by one where the rail keeps what is prepared", async () => {
    const payment = await stored();
    const own = ledger();

    await advance({ ...own, manifest: { ...own.manifest, keepsPrepared: true } }, payment);

    expect(log.slice(0, 3)).toEqual([
      "save PayoutAccepted (prepare PREPARED)",
      "screen",
      "save ReviewApproved (screen APPROVED)",
    ]);
  });
});
