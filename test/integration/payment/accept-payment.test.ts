import { randomUUID } from "node:crypto";
import { sendPayment } from "../../support/payment-door";
import { refusalOf } from "./looks";
import { demo, type PaymentRpc, type PaymentWorld, startPaymentWorld, type Told } from "./payment-world";

/** In `make test`; more where the random tests run more often. */
const factor = Math.min(25, Math.max(1, Number(process.env["RANDOM_FACTOR"] ?? "1")));
const races = 40 * factor;
const copies = 8;

describe("copies of one request over two replicas", () => {
  let world: PaymentWorld;
  const payments = () =>
    world.mongo.connection.collection<{ tenant: string; externalId: string; quoteId?: string }>("payments");
  const replica = (index: number): PaymentRpc => world.replicas[index % 2 === 0 ? 0 : 1];
  const storedUnder = (externalId: unknown): Promise<number> =>
    payments().countDocuments({ tenant: demo, externalId: String(externalId) });
  const outcomes = (all: readonly Told[]): Set<string> =>
    new Set(all.map(({ text, reason }) => text ?? String(reason)));

  /** Asks until there is an answer: who waited too long for what another copy is doing may ask again. */
  async function ask(replicaAsked: PaymentRpc, body: object): Promise<Told & { hasWaited: boolean }> {
    for (let hasWaited = false; ; hasWaited = true) {
      const told = await world.accept(replicaAsked, body);
      if (told.reason !== "REQUEST_RUNNING") return { ...told, hasWaited };
    }
  }

  beforeAll(async () => {
    world = await startPaymentWorld({
      // An agent of the narrow tenant has room for one payment of 100 USD.
      PAYMENT_TERMS: JSON.stringify({
        "*": { agentLimits: { currency: "USD", MONTH: 100_000_000_000 } },
        narrow: { agentLimits: { currency: "USD", DAY: 10_000 } },
      }),
    });
  }, 120_000);
  afterAll(() => world.stop());

  it(
    `are one payment with one answer, byte for byte, in each of ${races} races for one quote`,
    async () => {
      const wrong: unknown[] = [];
      for (let race = 0; race < races; race += 1) {
        const quote = await world.quote();
        const body = await world.push({}, quote.fxId);
        const rival = await world.push({}, quote.fxId);

        // The copies start together, and the payment with the same quote in the middle of them.
        const [others, ...answers] = await Promise.all([
          ask(replica(race), rival),
          ...Array.from({ length: copies }, (_none, index) => ask(replica(index), body)),
        ]);

        const [mine, theirs] = [
          await storedUnder(body["externalPaymentId"]),
          await storedUnder(rival["externalPaymentId"]),
        ];
        const told = outcomes(answers);
        const firsts = answers.filter(({ text, replayed }) => text !== undefined && !replayed).length;
        const isFirstOnce = firsts === 1 || (firsts === 0 && answers.some(({ hasWaited }) => hasWaited));
        const isMine = mine === 1 && theirs === 0 && isFirstOnce && others.reason === "QUOTE_UNUSABLE";
        const isTheirs = mine === 0 && theirs === 1 && told.has("QUOTE_UNUSABLE") && others.text !== undefined;
        if (told.size !== 1 || !(isMine || isTheirs))
          wrong.push({ mine, theirs, told: [...told], others: others.reason });
      }

      expect(wrong).toEqual([]);
      const uses = await payments()
        .aggregate([{ $match: { quoteId: { $exists: true } } }, { $group: { _id: "$quoteId", n: { $sum: 1 } } }], {
          hint: { $natural: 1 },
        })
        .toArray();
      expect(uses).toHaveLength(races);
      expect(uses.filter(({ n }) => n !== 1)).toEqual([]);
    },
    60_000 * factor * 5,
  );

  it("are never refused for what their own twin has used up: the agent's whole limit, and the quote", async () => {
    for (let race = 0; race < 5; race += 1) {
      const door = { tenant: "narrow", agentId: randomUUID() };
      const quote = await world.quote({ tenant: "narrow" });
      const body = await world.push({}, quote.fxId);

      const answers = await Promise.all(
        Array.from({ length: copies }, (_none, index) => world.accept(replica(index), body, door)),
      );
      const next = await world.accept(
        replica(race),
        await world.push({}, (await world.quote({ tenant: "narrow" })).fxId),
        door,
      );

      expect([...outcomes(answers)]).toEqual([expect.stringContaining('"paymentId"')]);
      expect(next).toMatchObject({ reason: "LIMIT_EXCEEDED", details: { window: "DAY", left: { minor: 0n } } });
    }
  }, 120_000);

  it("with other content get IDM_002 and never a word about the quote, also while the first is on its way", async () => {
    for (let race = 0; race < 12; race += 1) {
      const body = await world.push();
      const changed = { ...body, ipAddress: "203.0.113.8" };

      const answers = await Promise.all(
        [body, changed, changed, body].map((one, index) => world.accept(replica(index), one)),
      );

      const kinds = new Set(answers.map(({ text, reason }) => (text === undefined ? reason : "answered")));
      expect(kinds).toEqual(new Set(["answered", "IDEMPOTENCY_CONFLICT"]));
      expect(await storedUnder(body["externalPaymentId"])).toBe(1);
    }
  }, 120_000);

  it("through two doors are one payment, and the door that comes second is told IDM_002", async () => {
    for (let race = 0; race < 6; race += 1) {
      const body = await world.push();
      const agentId = randomUUID();

      const answers = await Promise.all([
        world.accept(replica(race), body),
        world.accept(replica(race + 1), body, { agentId }),
      ]);

      const kinds = answers.map(({ text, reason }) => (text === undefined ? reason : "answered"));
      expect(new Set(kinds)).toEqual(new Set(["answered", "IDEMPOTENCY_CONFLICT"]));
    }
  }, 60_000);

  it("find a used quote used, whatever else is wrong with their payment", async () => {
    const quote = await world.quote();
    expect((await world.accept(replica(0), await world.push({}, quote.fxId))).text).toBeDefined();

    const otherRate = await world.push({ exchangeRate: 1.5 }, quote.fxId);
    const otherMoney = await world.push({ amount: { total: 100, currency: "EUR" } }, quote.fxId);

    for (const body of [otherRate, otherMoney, await world.push({}, quote.fxId)]) {
      expect(await world.accept(replica(1), body)).toMatchObject({ reason: "QUOTE_UNUSABLE" });
    }
    const { paymentId } = await replica(1).getQuoteUse({ tenant: demo, quoteId: quote.fxId });
    expect(paymentId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await replica(0).getQuoteUse({ tenant: "other", quoteId: quote.fxId })).toEqual({ paymentId: undefined });
  });

  it("are stored by the other replica when the first dies as it stores, and the quote is still theirs", async () => {
    const body = await world.push();
    const restore = await world.cutOff(0, ["insert"]);

    const refused = await refusalOf(sendPayment(replica(0), { tenant: demo }, body));
    const stored = await storedUnder(body["externalPaymentId"]);
    const other = await world.accept(replica(1), body);
    await restore();
    const again = await world.accept(replica(0), body);

    expect(refused).toMatchObject({ reason: "UNAVAILABLE" });
    expect(stored).toBe(0);
    expect(other).toMatchObject({ text: expect.stringContaining('"paymentId"'), replayed: false });
    expect(again).toMatchObject({ text: other.text, replayed: true });
    expect(await storedUnder(body["externalPaymentId"])).toBe(1);
  }, 60_000);

  it.each<[string, object, string, string[]]>([
    ["no id", { externalPaymentId: undefined }, "INVALID_ARGUMENT", ["externalPaymentId"]],
    ["an id with a slash", { externalPaymentId: "a/b" }, "INVALID_ARGUMENT", ["externalPaymentId"]],
    ["no amount", { amount: undefined }, "INVALID_ARGUMENT", ["amount"]],
    ["part of a cent", { amount: { total: 1.001, currency: "USD" } }, "INVALID_ARGUMENT", ["amount.total"]],
    ["a type of nobody", { paymentType: "PUSHPULL" }, "INVALID_ARGUMENT", ["paymentType"]],
    ["a quote of nobody", { fxId: randomUUID() }, "QUOTE_UNUSABLE", []],
    ["another rate than the quote's", { exchangeRate: 1.5 }, "QUOTE_MISMATCH", ["exchangeRate"]],
  ])("with %s are refused, each time alike, and nothing is stored", async (_name, changes, reason, fields) => {
    const body = { ...(await world.push(changes)), ...changes };

    const answers = await Promise.all([0, 1, 0, 1].map((index) => world.accept(replica(index), body)));

    for (const answer of answers) expect(answer).toMatchObject({ text: undefined, reason, fields });
    expect(await storedUnder(body["externalPaymentId"])).toBe(0);
  });
});
