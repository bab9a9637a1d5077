import { randomUUID } from "node:crypto";
import { CaseKind } from "../../../proto/gen/corridor/payment/v1/case_service";
import { cardPullBody } from "../../support/payment-bodies";
import { refundOf, voidOf } from "../../support/payment-commands";
import { until } from "../../support/platform-client";
import { casesOf, insistent, postedOf, reaches, recordOf, refusalOf } from "./looks";
import { nonsense, signedCallback } from "./outside";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

type Which = 0 | 1;

describe("a provider that has news", () => {
  let world: PaymentWorld;
  /** A completed pull of 100 USD. */
  const collected = async (): Promise<{ id: string; reference: string }> => {
    const body = cardPullBody("1");
    const { text } = await world.accept(world.replicas[0], body);
    const id = String(body["externalPaymentId"]);
    await reaches(world, id, "Completed");
    return { id, reference: (JSON.parse(text ?? "{}") as { paymentId: string }).paymentId };
  };
  /** The acquirer takes back 30 USD by itself, and does not report it. */
  const takenBack = async () => {
    const found = await collected();
    const { reference } = found;
    await world.outside.act({ provider: "acquirer", reference, act: "CHARGEBACK", amount: "30.00", isSilent: true });
    return found;
  };
  /** News without a word of money. */
  const news = (reference: string, replica: Which = 0) =>
    world.replicas[replica].receiveCallback(signedCallback("acquirer", { reference, status: "CAPTURED" }));
  const lie = (fault: object) => world.outside.fault({ provider: "acquirer", step: "query", times: 1, ...fault });

  beforeAll(async () => {
    world = await startPaymentWorld();
  }, 120_000);
  afterEach(() => world.outside.clearFaults());
  afterAll(() => world.stop());

  it("is asked, and all that it tells of money is posted, also about a payment that rests", async () => {
    const { id, reference } = await takenBack();

    await insistent(() => news(reference));

    expect(await postedOf(world, id)).toEqual(["capture 10000", "chargeback 3000"]);
    const [found, ...others] = await casesOf(world, reference);
    expect(others).toEqual([]);
    expect(found?.kinds).toEqual([CaseKind.UNEXPECTED_FACT]);
  });

  it("is believed once, however often it has news, and at whichever replicas", async () => {
    const { id, reference } = await takenBack();

    await Promise.all(([0, 1, 0, 1, 0, 1] as const).map((replica) => insistent(() => news(reference, replica))));
    await insistent(() => news(reference));

    expect(await postedOf(world, id)).toEqual(["capture 10000", "chargeback 3000"]);
    expect(await casesOf(world, reference)).toHaveLength(1);
  });

  it("that says nothing new changes nothing", async () => {
    const { id, reference } = await collected();
    const before = await recordOf(world, id);

    await insistent(() => news(reference));

    expect(await recordOf(world, id)).toEqual(before);
    expect(await casesOf(world, reference)).toEqual([]);
  });

  it.each<[string, object]>([
    ...nonsense,
    ["about another order", { answer: { kind: "other-reference" } }],
    ["in another currency", { answer: { kind: "wrong-currency" } }],
    ["a list that is none", { answer: { body: { captures: "none" } } }],
    ["401", { answer: { status: 401, body: { error: "unauthorized" } } }],
    [
      "that it knows nothing of it",
      { answer: { status: 404, body: { error: "not_found", reference: "{reference}" } } },
    ],
    ["503", { execute: false }],
  ])("is not believed when it answers %s, and its news is not acknowledged until it shows it", async (_name, fault) => {
    const { id, reference } = await takenBack();
    await lie(fault);

    expect(await refusalOf(news(reference))).toMatchObject({ reason: "UNAVAILABLE" });
    const early = await postedOf(world, id);
    await insistent(() => news(reference, 1));

    expect(early).toEqual(["capture 10000"]);
    expect(await postedOf(world, id)).toEqual(["capture 10000", "chargeback 3000"]);
  });

  it("tells the amounts of what is known otherwise: what is posted stays, and a person is told", async () => {
    const { id, reference } = await collected();
    await lie({ answer: { kind: "wrong-amount" } });

    await insistent(() => news(reference));
    await insistent(() => news(reference, 1));

    expect(await postedOf(world, id)).toEqual(["capture 10000"]);
    expect((await casesOf(world, reference)).map(({ kinds }) => kinds)).toEqual([[CaseKind.CONTRADICTION]]);
  });

  it("is asked again by the next news when the store was away as it answered", async () => {
    const { id, reference } = await takenBack();
    await lie({ delayMs: 1_000, nth: 1 });
    const first = news(reference).catch((error: unknown) => error);
    const restore = await world.cutOff(0);

    const refused = await first;
    const early = await postedOf(world, id);
    await restore();
    await insistent(() => news(reference));

    expect(refused).toMatchObject({ reason: "UNAVAILABLE" });
    expect(early).toEqual(["capture 10000"]);
    expect(await postedOf(world, id)).toEqual(["capture 10000", "chargeback 3000"]);
  });

  it.each<[string, Which]>([
    ["the replica that works on the payment", 0],
    ["another replica", 1],
  ])("while a refund is under way is asked all the same, by %s", async (_name, replica) => {
    const { id, reference } = await collected();
    await world.outside.fault({ provider: "acquirer", step: "refund", times: 1, delayMs: 1_500 });
    const { replicas, outside } = world;
    const order = refundOf({ tenant: demo, externalPaymentId: id }, { externalRefundId: randomUUID(), amount: 10 });
    const refunding = replicas[0].refundPayment(order);
    // The acquirer has refunded, and its answer is on its way.
    await until(
      () => outside.moved(reference),
      (moved) => moved.length === 2,
    );
    await outside.act({ provider: "acquirer", reference, act: "CHARGEBACK", amount: "90.00", isSilent: true });

    await insistent(() => news(reference, replica));
    const early = await postedOf(world, id);
    await refunding;

    expect(early).toEqual(["capture 10000", "refund 1000", "chargeback 9000"]);
    expect(await postedOf(world, id)).toEqual(early);
    expect(await casesOf(world, reference)).toHaveLength(1);
  });

  it("that a void has been overtaken by a capture leaves what was collected, and a person asks which came last", async () => {
    const body = cardPullBody("1", { capture: false });
    const { text } = await world.accept(world.replicas[0], body);
    const id = String(body["externalPaymentId"]);
    const { paymentId: reference } = JSON.parse(text ?? "{}") as { paymentId: string };
    await reaches(world, id, "PaymentAuthorized");
    await world.outside.fault({ provider: "acquirer", step: "void", times: 1, delayMs: 1_500 });
    const voiding = world.replicas[0]
      .voidPayment(voidOf({ tenant: demo, externalPaymentId: id }))
      .catch(() => undefined);
    const isVoided = async (): Promise<boolean> =>
      JSON.stringify(await world.outside.book("authorizations", reference)).includes("VOIDED");
    // The acquirer has voided, and its answer is on its way.
    await until(isVoided, (voided) => voided);
    await world.outside.act({ provider: "acquirer", reference, act: "CAPTURE", isSilent: true });

    await insistent(() => news(reference, 1));
    await voiding;

    expect(await postedOf(world, id)).toEqual(["capture 10000"]);
    expect((await casesOf(world, reference)).map(({ kinds }) => kinds)).toEqual([[CaseKind.CONTRADICTION]]);
  });

  it("about a payment that is another provider's is not asked", async () => {
    const { id, reference } = await takenBack();

    await world.replicas[0].receiveCallback(signedCallback("debits", { reference, status: "RETURNED" }));
    await world.replicas[0].receiveCallback(signedCallback("acquirer", { reference: randomUUID(), status: "X" }));

    expect(await postedOf(world, id)).toEqual(["capture 10000"]);
  });

  it("carries a payment on that waits for it", async () => {
    const body = cardPullBody("4", { capture: false });
    const { text } = await world.accept(world.replicas[0], body);
    const { paymentId, redirectAcsUrl } = JSON.parse(text ?? "{}") as { paymentId: string; redirectAcsUrl: string };
    const waiting = (await recordOf(world, String(body["externalPaymentId"])))?.transactionState;
    // It is not due for a long time.
    const never = { $set: { dueAt: new Date("2126-01-01T00:00:00Z") } };
    await world.mongo.connection.collection<{ _id: string }>("payments").updateOne({ _id: paymentId }, never);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    await fetch(redirectAcsUrl, { method: "POST", headers: form, body: "outcome=pass" });

    await insistent(() => news(paymentId, 1));

    expect(waiting).toBe("WaitingChallenge3ds");
    expect(await reaches(world, String(body["externalPaymentId"]), "PaymentAuthorized")).toBe("PaymentAuthorized");
  });
});
