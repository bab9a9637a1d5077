import { randomUUID } from "node:crypto";
import { bankSource, cardSource, pullPushBody } from "../../support/payment-bodies";
import { until } from "../../support/platform-client";
import { callsOf, casesOf, insistent, postedOf, reaches } from "./looks";
import { signedCallback } from "./outside";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

const lostQueries = { step: "query", answer: { kind: "lost" }, times: 1_000 };

describe("a payment out of a collection that does not last", () => {
  let world: PaymentWorld;
  beforeAll(async () => {
    world = await startPaymentWorld({}, { hasClock: true });
  }, 120_000);
  afterEach(() => world.outside.clearFaults());
  afterAll(() => world.stop());

  const payments = () =>
    world.mongo.connection.collection<{ _id: string; step?: string; facts: { kind: string }[] }>("payments");
  const found = (id: string) => payments().findOne({ tenant: demo, externalId: id });
  const start = async (source: object, rules: readonly object[], scenario = "") => {
    const mark = randomUUID().slice(0, 8);
    for (const rule of rules) await world.outside.fault({ provider: "pix", mark, ...rule });
    const body = pullPushBody(source, { additionalData: { statementNarrative: `${scenario} FAULT:${mark}` } });
    const { text } = await world.accept(world.replicas[0], body);
    const { paymentId } = JSON.parse(text ?? "{}") as { paymentId: string };
    return { id: String(body["externalPaymentId"]), paymentId };
  };
  /** The card scheme takes all of it back, and the acquirer reports it. */
  const chargedBack = async (id: string, reference: string): Promise<void> => {
    await world.outside.act({ provider: "acquirer", reference, act: "CHARGEBACK", isSilent: true });
    const news = signedCallback("acquirer", { reference, status: "CAPTURED" });
    await insistent(() => world.replicas[0].receiveCallback(news));
    expect((await found(id))?.facts.map(({ kind }) => kind)).toContain("CHARGED_BACK");
  };
  const instruction = (paymentId: string) => world.outside.book("instructions", paymentId);

  it("is not paid out when the card scheme has taken the money back before the rail could be told to", async () => {
    const { id, paymentId } = await start(cardSource("1"), [
      { step: "release", execute: false, times: 1_000 },
      lostQueries,
    ]);
    await until(
      () => found(id),
      (record) => record?.step === "release",
    );
    await chargedBack(id, paymentId);
    await world.outside.clearFaults();

    expect(await reaches(world, id, "Completed")).toBe("Refunded");

    expect(await instruction(paymentId)).toMatchObject({ status: "CANCELLED", releases: 0 });
    expect(await postedOf(world, id)).toEqual(["capture 10000", "chargeback 10000"]);
    expect(await callsOf(world, id)).toContain("send cancel: CANCELLED");
    expect(await casesOf(world, paymentId)).toHaveLength(1);
  });

  it("calls nobody for a reversal of which the card scheme has left nothing", async () => {
    const { id, paymentId } = await start(cardSource("1"), [lostQueries], "SIM:slow");
    expect(await reaches(world, id, "WaitingPayout")).toBe("WaitingPayout");
    await chargedBack(id, paymentId);
    await world.outside.act({ provider: "pix", reference: paymentId, act: "REJECT", isSilent: true });
    await world.outside.clearFaults();

    expect(await reaches(world, id, "Completed")).toBe("Refunded");

    expect((await callsOf(world, id)).filter((one) => one.includes("refund"))).toEqual([]);
    expect((await world.outside.moved(paymentId)).filter((one) => one.startsWith("REFUND"))).toEqual([]);
  });

  it("takes its prepared payout back when the debit comes back before it has settled", async () => {
    const { id, paymentId } = await start(bankSource(), []);
    await reaches(world, id, "WaitingSettlement");
    await world.outside.act({ provider: "debits", reference: paymentId, act: "RETURN" });

    expect(await reaches(world, id, "Completed")).toBe("Refunded");

    expect(await instruction(paymentId)).toMatchObject({ status: "CANCELLED", releases: 0 });
    expect(await postedOf(world, id)).toEqual(["capture 10000", "debit-return 10000"]);
    expect(await casesOf(world, paymentId)).toEqual([]);
  });
});
