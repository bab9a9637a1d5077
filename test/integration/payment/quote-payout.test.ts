import { insistent, refusalOf } from "./looks";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });

describe("the quote of a payout", () => {
  let world: PaymentWorld;
  const order = {
    tenant: demo,
    agentId: "11111111-1111-4111-9111-111111111111",
    amount: usd(10_000n),
    destinationCurrency: "BRL",
    paymentMethod: "PIX",
    destinationCountry: undefined,
  };
  const quote = (changes: object = {}, replica: 0 | 1 = 0) =>
    world.replicas[replica].quotePayout({ ...order, paymentMethod: "BANK_ACCOUNT", ...changes });
  beforeAll(async () => {
    world = await startPaymentWorld({
      PAYMENT_TERMS: JSON.stringify({
        "*": {},
        [demo]: {
          fees: { BANK_DEPOSIT: { CAPTURE: { bps: 25, fixed: 7 } }, CARD: { CAPTURE: { bps: 150, fixed: 10 } } },
        },
      }),
    });
  }, 120_000);
  afterAll(() => world.stop());

  it("is what the recipient gets at the rate, rounded once, half to even, with what the tenant is charged", async () => {
    const { recipientAmount, rate, fee, expiresAt } = await insistent(() => quote({ amount: usd(12_345n) }));

    const { mantissa = 0n, scale = 0 } = rate ?? {};
    const unit = 10n ** BigInt(scale);
    const [whole, twice] = [(12_345n * mantissa) / unit, 2n * ((12_345n * mantissa) % unit)];
    const isUp = twice > unit || (twice === unit && whole % 2n === 1n);
    expect(recipientAmount).toEqual({ amountMinor: isUp ? whole + 1n : whole, currency: "BRL" });
    // 25 basis points of 123.45 are 0.308625, which is 0.31; and 0.07 fixed.
    expect(fee).toEqual(usd(38n));
    expect(expiresAt?.getTime()).toBeGreaterThan(Date.now());
  });

  it("is a new one each time, also for copies at once, and pays one payment", async () => {
    const made = await Promise.all(([0, 1, 0, 1] as const).map((replica) => insistent(() => quote({}, replica))));
    const ids = made.map(({ quoteId }) => quoteId);
    const { quoteId, rate } = made[0] ?? {};
    const recipientAmount = { total: Number(made[0]?.recipientAmount?.amountMinor) / 100, currency: "BRL" };
    const body = await world.push({ recipientAmount }, quoteId);
    const door = { agentId: order.agentId };

    const [first, second] = [
      await world.accept(world.replicas[0], body, door),
      await world.accept(
        world.replicas[1],
        { ...body, externalPaymentId: `${String(body["externalPaymentId"])}-2` },
        door,
      ),
    ];

    expect(rate).toBeDefined();
    expect(new Set(ids).size).toBe(4);
    expect(first).toMatchObject({ text: expect.stringContaining('"paymentId"') });
    expect(second).toMatchObject({ reason: "QUOTE_UNUSABLE" });
  });

  it.each<[string, object, string, string[]]>([
    ["no amount", { amount: undefined }, "INVALID_ARGUMENT", ["amount"]],
    [
      "an amount that becomes nothing",
      { amount: { amountMinor: 1n, currency: "JPY" }, destinationCurrency: "USD" },
      "INVALID_ARGUMENT",
      ["sourceCurrencyAmount"],
    ],
    ["a currency that no corridor pays in", { destinationCurrency: "XXX" }, "NO_ROUTE", []],
    ["a method of nobody", { paymentMethod: "PIGEON" }, "PAYMENT_METHOD_UNKNOWN", []],
    ["a corridor that nobody serves", { destinationCountry: "ATA" }, "NO_ROUTE", []],
  ])("is refused for %s", async (_name, changes, reason, fields) => {
    const refused = await refusalOf(insistent(() => quote(changes)));

    expect(refused).toMatchObject({ reason });
    if (fields.length > 0) expect(refused?.fields).toEqual(fields);
  });

  it("is UNAVAILABLE while nobody quotes, and is told again when somebody does", async () => {
    const alone = await world.startReplica({ FX_TARGET: "ipv4:127.0.0.1:9" });

    expect(await refusalOf(alone.quotePayout({ ...order, paymentMethod: "BANK_ACCOUNT" }))).toMatchObject({
      reason: "UNAVAILABLE",
    });
    expect((await insistent(() => quote())).quoteId).not.toBe("");
  });
});
