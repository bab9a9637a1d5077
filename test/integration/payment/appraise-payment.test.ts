import { randomUUID } from "node:crypto";
import { LimitWindow } from "../../../proto/gen/corridor/common/v1/refusal_facts";
import { cardPullBody, cardSource, pullPushBody } from "../../support/payment-bodies";
import { askPreflight, sendPayment } from "../../support/payment-door";
import { cardToken } from "../sandbox/outside-world";
import { insistent, refusalOf } from "./looks";
import { type Door, demo, type PaymentRpc, type PaymentWorld, startPaymentWorld, type Told } from "./payment-world";

const strangeCard = randomUUID();

describe("what is asked of a payment whose fields are right", () => {
  let world: PaymentWorld;
  const accept = (body: object, door: Door = {}, replica: 0 | 1 = 0): Promise<Told> =>
    world.accept(world.replicas[replica], body, door);
  const preview = async (body: object, replica: PaymentRpc = world.replicas[0]) => {
    const { errors } = await insistent(() => askPreflight(replica, demo, body));
    return errors.map(({ code, field }) => `${code} ${field}`);
  };
  const stored = (body: object): Promise<number> =>
    world.mongo.connection
      .collection("payments")
      .countDocuments({ tenant: demo, externalId: String(Object(body)["externalPaymentId"]) });
  const used = async (agentId: string): Promise<bigint> => {
    const { limits } = await insistent(() => world.replicas[1].getLimits({ tenant: demo, agentId }));
    return limits.find(({ window }) => window === LimitWindow.DAY)?.usedMinor ?? -1n;
  };

  beforeAll(async () => {
    // An agent may send 150 USD a day.
    const terms = { "*": { agentLimits: { currency: "USD", DAY: 15_000 } } };
    world = await startPaymentWorld({ PAYMENT_TERMS: JSON.stringify(terms) });
  }, 120_000);
  afterEach(() => world.outside.clearFaults());
  afterAll(() => world.stop());

  it("is answered in one order: cards, quote, funds, limits; and a refusal of one uses up nothing of another", async () => {
    const agentId = randomUUID();
    const huge = { total: 90_000_000_000, currency: "USD" };
    const { fxId } = await world.quote({ paymentMethod: "CARD" });
    const everything = pullPushBody({ type: "CARD", card: { token: strangeCard } }, { amount: huge, fxId });
    const knownCard = { ...everything, sender: pullPushBody(cardSource("1"))["sender"] };
    const own = { ...knownCard, fxId: undefined };

    const answers = [
      await accept(everything, { agentId }),
      await accept(knownCard, { agentId }),
      await accept(own, { agentId }),
      await accept(pullPushBody(cardSource("1"), { amount: { total: 200, currency: "USD" } }), { agentId }),
    ];

    expect(answers[0]?.reason).toBe("INVALID_ARGUMENT");
    expect(answers[0]?.fields).toEqual(["sender.source.card.token"]);
    expect(answers.slice(1).map(({ reason }) => reason)).toEqual(["QUOTE_MISMATCH", "FUNDS_TOO_LOW", "LIMIT_EXCEEDED"]);
    expect(await used(agentId)).toBe(0n);
    expect(await stored(everything)).toBe(0);
    // What was asked for in vain is still there.
    expect((await accept(pullPushBody(cardSource("1")), { agentId })).text).toContain('"paymentId"');
  });

  it.each<[string, object]>([
    ["HTML", { answer: { kind: "html" } }],
    ["half of its JSON", { answer: { kind: "truncated" } }],
    ["an empty 200", { answer: { kind: "empty" } }],
    ["about another card", { answer: { body: { cardToken: cardToken("2") } } }],
    ["an unlisted 422", { answer: { status: 422, body: { error: "processing_error" } } }],
    ["a 404 of somebody else", { answer: { status: 404, body: "no such route" } }],
    ["429", { answer: { status: 429, body: { error: "slow_down" } } }],
    ["503", { execute: false }],
    ["with a broken connection", { answer: { kind: "reset" } }],
  ])("rules no card out when the acquirer answers %s", async (_name, fault) => {
    const body = cardPullBody("1", { sender: { ...Object(cardPullBody("1")["sender"]), ...unknownCard() } });
    await world.outside.fault({ provider: "acquirer", step: "card", times: 1, ...fault });

    const problems = await preview(body);

    expect(problems).toEqual([]);
    expect(await preview(body)).toEqual(["VE_001 sender.paymentMethod.cardTokenId"]);
    expect(await accept(body)).toMatchObject({ reason: "INVALID_ARGUMENT", text: undefined });
    expect(await stored(body)).toBe(0);
  });
  const unknownCard = () => ({ paymentMethod: { type: "CARD", cardTokenId: randomUUID() } });

  it("leaves nothing behind when it is a preview, however often it is asked at both replicas", async () => {
    const body = await world.push();

    const found = await Promise.all(
      Array.from({ length: 12 }, (_none, index) => preview(body, world.replicas[index % 2 === 0 ? 0 : 1])),
    );

    expect(found.flat()).toEqual([]);
    expect(await stored(body)).toBe(0);
    expect(await world.replicas[0].getQuoteUse({ tenant: demo, quoteId: String(body["fxId"]) })).toEqual({
      paymentId: undefined,
    });
    expect((await accept(body)).text).toContain('"paymentId"');
  });

  it("lets as many payments of an agent through as it may send, at two replicas at once", async () => {
    for (let race = 0; race < 3; race += 1) {
      const agentId = randomUUID();
      const bodies = await Promise.all([1, 2, 3, 4].map(() => world.push()));

      const answers = await Promise.all(
        bodies.map((body, index) => accept(body, { agentId }, index % 2 === 0 ? 0 : 1)),
      );

      expect(answers.filter(({ text }) => text !== undefined)).toHaveLength(1);
      for (const { text, reason } of answers) if (text === undefined) expect(reason).toBe("LIMIT_EXCEEDED");
      expect(await used(agentId)).toBe(10_000n);
    }
  });

  it("is UNAVAILABLE while fx is away, which is no reason to refuse, and nothing is stored", async () => {
    const alone = await world.startReplica({ FX_TARGET: "ipv4:127.0.0.1:9" });
    const body = await world.push();

    const refusals = [
      await refusalOf(sendPayment(alone, { tenant: demo }, body)),
      await refusalOf(askPreflight(alone, demo, body)),
    ];

    expect(refusals.map((one) => one?.reason)).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
    expect(await stored(body)).toBe(0);
    expect((await accept(body)).text).toContain('"paymentId"');
  });
});
