import { type Answer, type Caller, expect, json, text } from "./transcript";

/** Test cards of the sandbox. */
const goodCard = "11111111-1111-4111-8111-111111111111";

const customer = {
  firstName: "Ada",
  lastName: "Lovelace",
  phoneNumber: "13055550123",
  documentNumber: "123456789",
  documentType: "NATIONAL_ID",
  email: "ada.lovelace@example.com",
  countryCodeAlpha3: "USA",
};
const customerAddress = { stateCode: "FL", city: "Miami", line1: "Brickell Avenue 801", zipCode: "33131" };
const address = { countryCode: "USA", stateCode: "FL", city: "Miami", line1: "Brickell Avenue 801", zipCode: "33131" };

/** Payouts in the schema variant, each with a quote: by bank account, wallet, UPI and DIMO. */
const payouts = [
  {
    kind: "bank account",
    currency: "KES",
    method: "BANK_ACCOUNT",
    recipient: {
      paymentMethod: { type: "BANK_DEPOSIT", countryCode: "KEN", accountNumber: "1104567890", bankCode: "01" },
      address: { countryCode: "KEN", city: "Nairobi", line1: "Moi Avenue 12" },
      documents: [{ document: "12345678", type: "ID" }],
    },
  },
  {
    kind: "wallet of a money-services network",
    currency: "KES",
    method: "WALLET",
    recipient: {
      paymentMethod: {
        type: "WALLET",
        countryCode: "KEN",
        walletId: "254712345678",
        walletOperator: "AIRTEL_MONEY",
      },
      address: { countryCode: "KEN", city: "Nairobi", line1: "Moi Avenue 12" },
    },
  },
  {
    kind: "UPI",
    currency: "INR",
    method: "BANK_ACCOUNT",
    recipient: {
      paymentMethod: {
        type: "BANK_DEPOSIT",
        countryCode: "IND",
        accountNumberType: "UPI",
        accountNumber: "ananya.sharma@okhdfcbank",
      },
    },
    additionalData: { paymentPurpose: "P1301" },
  },
  {
    kind: "DIMO",
    currency: "MXN",
    method: "BANK_ACCOUNT",
    recipient: {
      paymentMethod: {
        type: "BANK_DEPOSIT",
        countryCode: "MEX",
        accountNumberType: "DIMO",
        accountNumber: "5512345678",
        bankCode: "012",
      },
    },
  },
] as const;

/** Makes one payment of each other kind: payouts by every method, collections, and both in one. Throws at the first failure. */
export async function payEachKind(call: Caller, bearer: Record<string, string>, run: string): Promise<void> {
  const pay = async (body: Record<string, unknown>, kind: string, status: string): Promise<string> => {
    const externalPaymentId = `demo-${run}-${kind.replaceAll(/\W/g, "-")}`;
    await call({
      method: "POST",
      path: "/v2/payment",
      headers: { ...bearer, ...json },
      body: JSON.stringify({ externalPaymentId, ipAddress: "203.0.113.7", ...body }),
      status: 200,
      say: (answer) => `${String(body["paymentType"])} by ${kind}: ${text(answer, "status")}`,
    });
    await settle(call, bearer, externalPaymentId, status);
    return externalPaymentId;
  };
  for (const payout of payouts) await pay(await schemaPush(call, bearer, payout), payout.kind, "CAPTURED");
  await pay(customerPush("PUSH", {}), "card, priced by the platform", "CAPTURED");
  await pay(
    customerPush("PULLPUSH", { source: { type: "CARD", card: { token: goodCard } } }),
    "card to card",
    "CAPTURED",
  );
  await pay(customerPush("PULLPUSH", { source: bankSource }), "bank account to card", "CAPTURED");
  await pay(cardPull(true), "card", "CAPTURED");
  const authorised = await pay(cardPull(false), "card, captured later", "AUTHORIZED");
  await act(call, bearer, authorised, "capture", { amount: 60 }, (answer) => `captured ${text(answer, "amount")}`);
  const refund = { externalRefundId: `${authorised}-refund`, amount: 10 };
  await act(call, bearer, authorised, "refund", refund, (answer) => `gave back ${text(answer, "amount")}`);
  const voided = await pay(cardPull(false), "card, voided", "AUTHORIZED");
  await act(call, bearer, voided, "void", undefined, (answer) => text(answer, "status"));
}

const bankSource = {
  type: "BANK_ACCOUNT",
  accountType: "checking",
  accountNumber: "000123456789",
  routingNumber: "021000021",
  accountHolder: { type: "INDIVIDUAL", firstName: "Ada", lastName: "Lovelace" },
};

const cardPull = (capture: boolean): Record<string, unknown> => ({
  paymentType: "PULL",
  capture,
  amount: { total: 100, currency: "USD" },
  sender: {
    firstName: "Ada",
    lastName: "Lovelace",
    address,
    paymentMethod: { type: "CARD", cardTokenId: goodCard },
  },
});

/** 100 USD to a card in Poland, in the customer variant. */
const customerPush = (paymentType: string, source: object): Record<string, unknown> => ({
  paymentType,
  amount: { total: 100, currency: "USD" },
  recipientAmount: { total: 384.93, currency: "PLN" },
  exchangeRate: 3.8493,
  sender: { customer, customerAddress, ...source },
  recipient: {
    customer: { ...customer, firstName: "Jan", lastName: "Kowalski", countryCodeAlpha3: "POL" },
    customerAddress,
    destination: { type: "CARD", cardTokenId: goodCard },
  },
});

async function schemaPush(
  call: Caller,
  bearer: Record<string, string>,
  payout: (typeof payouts)[number],
): Promise<Record<string, unknown>> {
  const quote = await call({
    method: "POST",
    path: "/v2/foreign-exchange",
    headers: { ...bearer, ...json },
    body: JSON.stringify({
      sourceCurrencyCode: "USD",
      destinationCurrencyCode: payout.currency,
      paymentMethod: payout.method,
    }),
    status: 200,
    say: (answer) => `1 USD = ${text(answer, "conversionRate")} ${payout.currency}`,
  });
  return {
    paymentType: "PUSH",
    amount: { total: 100, currency: "USD" },
    recipientAmount: { total: 100 * Number(quote.json["conversionRate"]), currency: payout.currency },
    fxId: text(quote, "fxId"),
    sender: { firstName: "Ada", lastName: "Lovelace", address },
    recipient: { firstName: "Grace", lastName: "Wanjiku", ...payout.recipient },
    additionalData: "additionalData" in payout ? payout.additionalData : {},
  };
}

async function act(
  call: Caller,
  bearer: Record<string, string>,
  id: string,
  action: string,
  body: object | undefined,
  say: (answer: Answer) => string,
): Promise<void> {
  await call({
    method: "POST",
    path: `/payments/${id}/${action}`,
    headers: { ...bearer, ...(body === undefined ? {} : json) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    status: 200,
    say,
  });
}

const patienceMs = 60_000;

/** Reads a payment until it reaches the expected state. */
async function settle(call: Caller, bearer: Record<string, string>, id: string, status: string): Promise<void> {
  const giveUpMs = performance.now() + patienceMs;
  for (;;) {
    const record = await call({
      method: "GET",
      path: `/v2/payment/${id}`,
      headers: bearer,
      status: 200,
      say: (answer) => text(answer, "status"),
    });
    if (record.json["status"] === status) return;
    expect(record.json["status"] === "PENDING" && performance.now() < giveUpMs, `status ${status} of ${id}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
