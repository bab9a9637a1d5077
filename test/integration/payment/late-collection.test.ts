import { randomUUID } from "node:crypto";
import { makeAcquirer } from "../../../services/payment/adapters/acquirer/collections";
import type { Payment } from "../../../services/payment/domain/payment";
import { makeAdvancePayment } from "../../../services/payment/operations/advance-payment";
import type { PaymentStore } from "../../../services/payment/store/payment-store";
import type { Mongo } from "../../../services/shared/storage/mongo";
import { tellAll } from "../../support/facts";
import { builtAt, newPayment } from "../../support/payment-builder";
import { callTo, type StandIn, startStandIn } from "../../support/stand-in";
import { startTestStore, type TestStore } from "../../support/testbed";
import { openPayments } from "./open-payments";

describe("a payment that has ended and is collected before its late authorisation is voided", () => {
  let store: TestStore;
  let mongo: Mongo;
  let payments: PaymentStore;
  let acquirer: StandIn;
  beforeAll(async () => {
    [store, acquirer] = [await startTestStore(), await startStandIn()];
    ({ mongo, payments } = await openPayments(store));
  });
  afterAll(async () => {
    acquirer.stop();
    await mongo.stop();
    await store.stop();
  });

  /** Saved step by step, as its provider reports it. */
  async function declinedAndAllowed(): Promise<Payment> {
    const id = randomUUID();
    const start = newPayment("PULL", { id, externalId: id });
    await payments.insert(start, { hashes: {}, answer: undefined });
    const told = [
      { role: "screening", status: "APPROVED" },
      { role: "pull", kind: "DECLINED" },
      { role: "pull", kind: "AUTHORIZED" },
    ] as const;
    for (const one of told) {
      const current = await read(id);
      await payments.save(current, tellAll(current, builtAt, one));
    }
    return read(id);
  }
  async function read(id: string): Promise<Payment> {
    const found = await payments.find(id);
    if (found === undefined) throw new Error("the payment is not stored");
    return found;
  }
  const advance = async (payment: Payment, body: object): Promise<Payment> => {
    acquirer.say({ status: 200, body });
    const call = callTo(acquirer.url);
    const provider = makeAcquirer({ call, callbackSecret: "s".repeat(32), clock: { now: () => builtAt } });
    const deps = { payments, providers: new Map([["acquirer", provider]]), clock: { now: () => builtAt } };
    const screening = () => Promise.reject(new Error("nothing is to be screened"));
    await makeAdvancePayment({ ...deps, screening })(payment, "ask");
    return read(payment.id);
  };

  it("gives the money back once, and stays declined", async () => {
    const voiding = await declinedAndAllowed();
    expect(voiding).toMatchObject({ state: "PaymentDeclined", execution: { step: "void" } });
    const about = { reference: voiding.id, amount: "100.00", currency: "USD" };
    const captures = [{ ...about, movementId: "c1" }];
    const captured = { ...about, status: "CAPTURED", captures, refunds: [], chargebacks: [] };

    const reversing = await advance(voiding, captured);
    expect(reversing).toMatchObject({
      state: "PaymentDeclined",
      execution: { step: "refund" },
      pull: { capturedMinor: 10_000n },
    });

    const refunds = [{ ...about, reference: reversing.refunds[0]?.id, movementId: "r1" }];
    const over = await advance(reversing, { ...captured, refunds });
    expect(over).toMatchObject({ state: "PaymentDeclined", execution: { step: undefined }, openCase: undefined });
    expect(over.pull).toMatchObject({ capturedMinor: 10_000n, refundedMinor: 10_000n });
  });
});
