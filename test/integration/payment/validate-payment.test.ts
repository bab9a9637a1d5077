import { cardPullBody, cardSource, pullPushBody } from "../../support/payment-bodies";
import { type PaymentRpc, type PaymentWorld, startPaymentWorld } from "./payment-world";
import { codeOf, preflightOf, storedPayout } from "./preflight-answers";

type Json = Record<string, unknown>;

describe("the preflight and the acceptance", () => {
  let world: PaymentWorld;
  let replica: PaymentRpc;

  const preflight = (body: object) => preflightOf(replica, body);
  const payoutOf = (externalId: unknown) => storedPayout(world, externalId);

  beforeAll(async () => {
    world = await startPaymentWorld();
    [replica] = world.replicas;
  }, 120_000);
  afterAll(() => world.stop());

  it("take a payout of nothing alike: it promises nothing, and its rail decides", async () => {
    const nothing = { amount: { total: 0, currency: "USD" }, recipientAmount: { total: 0, currency: "BRL" } };
    const body = await world.push(nothing);

    expect(await preflight(body)).toMatchObject({ codes: [] });
    expect(await world.accept(replica, body)).toMatchObject({ text: expect.stringContaining('"paymentId"') as string });
  });

  it("price the customer shape without a quote alike", async () => {
    const body = pullPushBody(cardSource("1"));
    const { codes, price } = await preflight(body);
    const answer = await world.accept(replica, body);

    expect(codes).toEqual([]);
    expect(answer.text).toBeDefined();
    expect(price?.recipientAmount).toEqual(await payoutOf(body["externalPaymentId"]));
  });

  it.each<[string, () => Promise<Json>, string, string]>([
    [
      "an unknown card token",
      async () => cardPullBody("1", { sender: unknownCard(cardPullBody("1")) }),
      "INVALID_ARGUMENT",
      "sender.paymentMethod.cardTokenId",
    ],
    [
      "more than the rail's funds cover",
      async () => pullPushBody(cardSource("1"), { amount: { total: 90_000_000_000, currency: "USD" } }),
      "FUNDS_TOO_LOW",
      "amount.total",
    ],
    [
      "a quote for another method",
      async () => world.push({}, (await world.quote({ paymentMethod: "CARD" })).fxId),
      "QUOTE_MISMATCH",
      "fxId",
    ],
    [
      "another tenant's quote",
      async () => world.push({}, (await world.quote({ tenant: "other" })).fxId),
      "QUOTE_UNUSABLE",
      "fxId",
    ],
    [
      "money that no route takes",
      async () => {
        const { fxId, conversionRate } = await world.quote({ sourceCurrency: "JPY" });
        return world.push(
          {
            amount: { total: 100_000, currency: "JPY" },
            recipientAmount: { total: 100_000 * conversionRate, currency: "BRL" },
          },
          fxId,
        );
      },
      "NO_ROUTE",
      "recipient",
    ],
    [
      "an amount that becomes next to nothing",
      async () => pullPushBody(cardSource("1"), { amount: { total: 0.05, currency: "USD" } }),
      "INVALID_ARGUMENT",
      "amount.total",
    ],
  ])("both refuse %s", async (_case, make, reason, field) => {
    const body = await make();

    const asked = await preflight(body);
    const answer = await world.accept(replica, body);

    expect(asked).toEqual({ codes: [codeOf(reason)], fields: [field], price: null });
    expect(answer.reason).toBe(reason);
    expect(await payoutOf(body["externalPaymentId"])).toBeUndefined();
  });

  it("both find a used quote used", async () => {
    const { fxId } = await world.quote();
    await world.accept(replica, await world.push({}, fxId));

    expect(await preflight(await world.push({}, fxId))).toMatchObject({
      codes: [codeOf("QUOTE_UNUSABLE")],
      fields: ["fxId"],
    });
  });
});

const unknownCard = (body: Json): object => ({
  ...Object(body["sender"]),
  paymentMethod: { type: "CARD", cardTokenId: "12345678-1234-4234-8234-123456789012" },
});
