import { randomUUID } from "node:crypto";
import type { PayoutFactKind } from "../../../services/payment/domain/fact";
import { type Change, type Payment, unchanged } from "../../../services/payment/domain/payment";
import { encodeEvents } from "../../../services/payment/handlers/event-codec";
import {
  type FreshEvents,
  makeFreshEvents,
  makePaymentOutbox,
  type PaymentMessage,
} from "../../../services/payment/store/payment-outbox";
import type { PaymentStore } from "../../../services/payment/store/payment-store";
import type { Mongo } from "../../../services/shared/storage/mongo";
import { tell } from "../../support/facts";
import { builtAt, newPayment } from "../../support/payment-builder";
import { startTestStore, type TestStore } from "../../support/testbed";
import { openPayments } from "./open-payments";

const subject = "test.events";
const unanswered = { hashes: {}, answer: undefined };

describe("events of a payment that a process has just stored", () => {
  let store: TestStore;
  let fresh: FreshEvents;
  let mongo: Mongo;
  let payments: PaymentStore;
  /** The same payments in another process. */
  let elsewhere: Awaited<ReturnType<typeof openPayments>>;
  let ended: number[];

  beforeEach(async () => {
    store = await startTestStore();
    fresh = makeFreshEvents(subject, encodeEvents);
    ended = [];
    ({ mongo, payments } = await openPayments(store, fresh));
    elsewhere = await openPayments(store);
  });
  afterEach(async () => {
    await Promise.all([mongo.stop(), elsewhere.mongo.stop()]);
    await store.stop();
  });

  const outbox = () =>
    makePaymentOutbox({
      connection: mongo.connection,
      subject,
      encode: encodeEvents,
      collection: "payments",
      onEnded: (afterMs) => ended.push(afterMs),
    });
  const pending = (): Promise<PaymentMessage[]> => outbox().pending(10);
  const takeAll = (): PaymentMessage[] => {
    fresh.hasten();
    return fresh.take(10);
  };
  async function insert(into: PaymentStore = payments): Promise<Payment> {
    const id = randomUUID();
    const change = newPayment("PUSH", { id, externalId: id });
    expect(await into.insert(change, unanswered)).toBe("stored");
    return change.next;
  }
  const prepared = (payment: Payment): Change => walk(payment, "PREPARED");
  async function save(before: Payment, change: Change, into: PaymentStore = payments): Promise<Payment> {
    const result = await into.save(before, change);
    if (result.kind !== "saved") throw new Error(`the change is ${result.kind}`);
    return result.payment;
  }
  /** What providers and the screening report one after the other, as one change. */
  const walk = (payment: Payment, ...kinds: readonly (PayoutFactKind | "APPROVED")[]): Change =>
    kinds
      .map((kind) =>
        kind === "APPROVED" ? ({ role: "screening", status: kind } as const) : ({ role: "payout", kind } as const),
      )
      .reduce((change, told) => tell(change, told, builtAt), unchanged(payment));

  it("are the very message that the store would give", async () => {
    const payment = await insert();
    await save(payment, walk(payment, "PREPARED", "APPROVED", "PAID"));

    const read = await pending();
    const [made, ...more] = takeAll();

    expect(more).toEqual([]);
    expect(read.map(({ id }) => id)).toEqual([made?.id]);
    expect(Buffer.from(made?.payload ?? [])).toEqual(Buffer.from(read[0]?.payload ?? []));
    expect(made).toMatchObject({ subject, from: 0, eventCount: read[0]?.eventCount, endedAfterMs: 0 });
  });

  it("wait for those of the next step when that begins at once, and go at once when the payment rests", async () => {
    const payment = await insert();
    expect(fresh.restMs()).toBeGreaterThan(0);

    await save(payment, walk(payment, "PREPARED", "APPROVED", "PAID"));

    expect(fresh.restMs()).toBe(0);
    expect(fresh.take(10)).toHaveLength(1);
  });

  it("are marked together, also when they went out as several messages", async () => {
    const payment = await insert();
    const first = takeAll();
    await save(payment, walk(payment, "PREPARED", "APPROVED", "PAID"));
    const second = takeAll();

    await outbox().markPublished([...first, ...second]);

    expect(await pending()).toEqual([]);
    expect(ended).toEqual([0]);
  });

  it("are marked with those behind them when their own mark came too late", async () => {
    const payment = await insert();
    const first = takeAll();
    await save(payment, walk(payment, "PREPARED", "APPROVED", "PAID"));
    const marking = outbox();
    await marking.markPublished(first);
    expect(await pending()).toHaveLength(1);

    await marking.markPublished(takeAll());

    expect(await pending()).toEqual([]);
  });

  it("are not marked when others have been added meanwhile", async () => {
    const payment = await insert();
    const first = takeAll();
    await save(payment, prepared(payment), elsewhere.payments);

    await outbox().markPublished(first);

    expect(await pending()).toMatchObject([{ paymentId: payment.id, from: 0 }]);
  });

  it("do not hide those that another process stored before them and did not publish", async () => {
    const payment = await insert(elsewhere.payments);
    await save(payment, prepared(payment));
    const behind = takeAll();
    expect(behind[0]?.from).toBe(payment.eventCount);

    await outbox().markPublished(behind);

    expect(await pending()).toMatchObject([{ paymentId: payment.id, from: 0, eventCount: behind[0]?.eventCount }]);
  });

  it("are looked for when another process has stored some between them", async () => {
    const payment = await insert();
    const between = await save(payment, prepared(payment), elsewhere.payments);
    await save(between, walk(between, "APPROVED", "PAID"));

    expect(fresh.isIncomplete()).toBe(true);
  });

  it("are looked for when it is uncertain whether they are stored", async () => {
    const payment = await insert();
    fresh.drop();
    await mongo.stop();

    await expect(payments.save(payment, prepared(payment))).rejects.toThrow();

    expect(fresh.isIncomplete()).toBe(true);
    expect(fresh.restMs()).toBeUndefined();
  });

  it("are none of a payment that another process has changed first", async () => {
    const payment = await insert();
    fresh.drop();
    await save(payment, prepared(payment), elsewhere.payments);

    expect(await payments.save(payment, prepared(payment))).toEqual({ kind: "stale" });

    expect(fresh.isIncomplete()).toBe(false);
    expect(fresh.restMs()).toBeUndefined();
  });
});
