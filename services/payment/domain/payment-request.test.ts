import fc from "fast-check";
import { DomainError, type FieldViolation } from "../../shared/kernel/errors";
import { parseJsonObject } from "../../shared/kernel/json";
import { money, type Rate } from "../../shared/kernel/money";
import { type BoundQuote, payoutAmount } from "./conversion";
import { readPayload } from "./payload-shape";
import { identify, type PayoutOrder, requireSameContent, toCommand } from "./payment-request";

const body = (changes: Record<string, string> = {}) => {
  const fields = {
    externalPaymentId: '"order-1"',
    paymentType: '"PUSH"',
    amount: '{"total":100,"currency":"USD"}',
    recipientAmount: '{"total":543.21,"currency":"BRL"}',
    fxId: '"quote-1"',
    ipAddress: '"203.0.113.7"',
    sender: '{"firstName":"Ada","lastName":"Lovelace","address":{"city":"London"}}',
    recipient:
      '{"firstName":"Maria","lastName":"Souza","paymentMethod":{"type":"PIX","key":"k","keyType":"EMAIL","countryCode":"BRA"}}',
    ...changes,
  };
  return parseJsonObject(
    `{${Object.entries(fields)
      .map(([key, value]) => `"${key}":${value}`)
      .join(",")}}`,
  );
};

const command = (changes: Record<string, string> = {}) => {
  const parsed = body(changes);
  return toCommand(identify("demo", parsed), readPayload(parsed.value), parsed);
};

function payout(changes: Record<string, string> = {}): PayoutOrder {
  const order = command(changes).payout;
  if (order === undefined) throw new Error("not a push");
  return order;
}

const paid = (changes: Record<string, string>, quote: BoundQuote) =>
  payoutAmount(command(changes).amount, payout(changes), quote);

function violations(work: () => unknown): readonly FieldViolation[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof DomainError) return error.violations;
    throw error;
  }
}

describe("a payment request", () => {
  it.each(["", "a/b", "a b", "é", "x".repeat(256), "a\\nb"])("refuses the id %p", (id) => {
    expect(violations(() => command({ externalPaymentId: `"${id}"` }))[0]?.field).toBe("externalPaymentId");
  });

  it.each(["-1", "1e3", "1E2", "0.001", "1000000000000", "12345678901234567890"])("refuses the amount %s", (total) => {
    expect(violations(() => command({ amount: `{"total":${total},"currency":"USD"}` }))).toMatchObject([
      { field: "amount.total" },
    ]);
  });

  it("takes decimals as the currency has them", () => {
    const yen = (total: string) => () => command({ amount: `{"total":${total},"currency":"JPY"}` });

    expect(violations(yen("1.5"))).toEqual([{ field: "amount.total", message: "must have at most 0 decimals" }]);
    expect(yen("15")().amount).toEqual(money(15n, "JPY"));
  });

  it("takes a caller's float for the recipient amount, up to 17 digits, rounded once", () => {
    const recipient = (total: string) => () => payout({ recipientAmount: `{"total":${total},"currency":"BRL"}` });

    expect(recipient("543.2100000000001")().recipientAmount.minor).toBe(54_321n);
    expect(violations(recipient("543.210000000000001234"))).toMatchObject([{ field: "recipientAmount.total" }]);
  });

  it("asks for a quote when the currencies differ, and for none when they are the same", () => {
    expect(violations(() => command({ fxId: '""' }))).toEqual([{ field: "fxId", message: "is required" }]);
    expect(command({ fxId: '""', recipientAmount: '{"total":100,"currency":"USD"}' }).payout?.quoteId).toBeUndefined();
  });

  it("names every top-level field that differs between two requests with one id", () => {
    const first = identify("demo", body()).hashes;
    const second = identify(
      "demo",
      body({ ipAddress: '"203.0.113.8"', fxId: '"quote-2"', dynamicDescriptor: '"x"' }),
    ).hashes;

    expect(() => requireSameContent(first, second)).toThrow("dynamicDescriptor, fxId, ipAddress");
    expect(() => requireSameContent(first, identify("demo", body()).hashes)).not.toThrow();
  });

  it("takes a difference in any one top-level field for different content", () => {
    const first = identify("demo", body({ amount: "5" })).hashes;

    expect(Object.keys(first)).toContain("amount");
    for (const name of Object.keys(first)) {
      expect(() => requireSameContent(first, { ...first, [name]: "other" })).toThrow(name);
    }
  });

  it("reads where a pull takes the money from, and whether it is captured at once", () => {
    const pull = (method: string, capture: string) => {
      const sender = `{"firstName":"Ada","lastName":"Lovelace","paymentMethod":${method}}`;
      return command({ paymentType: '"PULL"', sender, capture }).pull;
    };

    expect(pull('{"type":"CARD","cardTokenId":"ABC"}', "false")).toEqual({
      source: { kind: "card", token: "abc" },
      captureAtOnce: false,
    });
    expect(pull('{"type":"BANK_DEPOSIT","accountTokenId":"t"}', "true")).toEqual({
      source: { kind: "account", token: "t" },
      captureAtOnce: true,
    });
  });

  it("needs no quote in the customer shape: the platform prices it", () => {
    const recipient =
      '{"customer":{"countryCodeAlpha3":"BRA"},"destination":{"type":"PIX","pix":{"key":"k","keyType":"EMAIL"}}}';

    expect(payout({ fxId: '""', recipient })).toMatchObject({ isIndicative: true, countryCode: "BRA", method: "PIX" });
    expect(violations(() => command({ fxId: '""' }))).toMatchObject([{ field: "fxId" }]);
  });
});

describe("payoutAmount", () => {
  const quote = (rate: Rate): BoundQuote => ({
    quoteId: "quote-1",
    sourceCurrency: "USD",
    destinationCurrency: "BRL",
    rate,
    midRate: rate,
  });
  const rate = { mantissa: 543_215n, scale: 5 };

  it("pays the lower of the sent and the exact amount", () => {
    const sent = (total: string) => paid({ recipientAmount: `{"total":${total},"currency":"BRL"}` }, quote(rate));

    expect(sent("543.21").minor).toBe(54_321n);
    expect(sent("543.22").minor).toBe(54_322n);
    expect(sent("543.215").minor).toBe(54_322n);
  });

  it.each([
    ["recipientAmount.total", { recipientAmount: '{"total":543.23,"currency":"BRL"}' }],
    ["recipientAmount.total", { recipientAmount: '{"total":543.20,"currency":"BRL"}' }],
    [
      "recipientAmount.total",
      { amount: '{"total":0,"currency":"USD"}', recipientAmount: '{"total":0.01,"currency":"BRL"}' },
    ],
    ["exchangeRate", { exchangeRate: "5.4321" }],
  ])("refuses a wrong %s", (field, changes) => {
    expect(violations(() => paid(changes, quote(rate)))).toMatchObject([{ field }]);
  });

  it("takes a rate that is written differently but equal", () => {
    expect(() => paid({ exchangeRate: "5.43215" }, quote({ mantissa: 54_321_500n, scale: 7 }))).not.toThrow();
  });

  it("never pays more than the exact product rounded to the nearest minor unit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 1, max: 10 ** 9 }), (cents, mantissa) => {
        // Less is too little to be converted.
        fc.pre(BigInt(cents) * BigInt(mantissa) >= 50n * 10n ** 8n);
        const fraction = { mantissa: BigInt(mantissa), scale: 8 };
        const product = (cents / 100) * (mantissa / 1e8);
        const total = product.toFixed(2);
        const amount = `{"total":${(cents / 100).toFixed(2)},"currency":"USD"}`;
        const recipientAmount = `{"total":${total},"currency":"BRL"}`;
        const payoutMinor = paid({ amount, recipientAmount }, quote(fraction)).minor;
        const exactTimesTwo = BigInt(cents) * BigInt(mantissa) * 2n;
        expect(payoutMinor * 2n * 10n ** 8n <= exactTimesTwo + 10n ** 8n).toBe(true);
      }),
    );
  });
});
