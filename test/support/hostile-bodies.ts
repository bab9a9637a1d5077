import { customerPayload } from "./corridor-payloads";
import type { Rail, Target } from "./hostile-cases";
import { bankSource, cardPullBody, cardSource, cardToken, pullPushBody } from "./payment-bodies";

/** The payment that leads to the call. */
export function bodyOf({ type, adapter, way, step }: Target, mark: string): Record<string, unknown> {
  const common = { externalPaymentId: mark };
  const additionalData = {
    statementNarrative: `FAULT:${mark}`,
    ...(adapter === "upi" ? { paymentPurpose: "P1301" } : {}),
  };
  const note = { additionalData };
  const lastName = way === "refused by screening" ? "Sanctioned" : "Souza";
  if (type === "PULL") {
    const pull = cardPullBody("1", { ...common, capture: isCapturedAtOnce({ way, step }) });
    const sender = pull["sender"] as Record<string, unknown>;
    const address = { ...(sender["address"] as object), line1: `FAULT:${mark}` };
    if (adapter !== "debits") return { ...pull, sender: { ...sender, address } };
    const source = bankSource();
    const accountHolder = { type: "INDIVIDUAL", firstName: "Ada", lastName: `FAULT:${mark}` };
    const { paymentMethod: _card, ...payer } = sender;
    return { ...pull, sender: { ...payer, source: { ...source, accountHolder } } };
  }
  if (type === "PUSH") return { ...pushOf(adapter, lastName), ...common, ...note };
  const isDebit = adapter === "debits";
  const accountHolder = { type: "INDIVIDUAL", firstName: "Ada", lastName: `FAULT:${mark}` };
  const body = pullPushBody(isDebit ? { ...bankSource(), accountHolder } : cardSource("1"), { ...common, ...note });
  return withRecipient(body, lastName);
}

const isCapturedAtOnce = ({ way, step }: Pick<Target, "way" | "step">): boolean =>
  !(way === "by command" && (step === "capture" || step === "void"));

function withRecipient(body: Record<string, unknown>, lastName: string): Record<string, unknown> {
  const recipient = body["recipient"] as { customer: object };
  return { ...body, recipient: { ...recipient, customer: { ...recipient.customer, lastName } } };
}

function pushOf(adapter: Target["adapter"], lastName: string): Record<string, unknown> {
  const plain = plainPushes[adapter as Exclude<Rail, "pix">];
  if (plain !== undefined) return plainPush(plain, lastName);
  const pix = { type: "PIX", pix: { keyType: "EMAIL", key: "maria.souza@example.com" } };
  const push = {
    ...customerPayload("BRA", pix),
    ipAddress: "203.0.113.7",
    paymentType: "PUSH",
    amount: { total: 100, currency: "USD" },
    recipientAmount: { total: 500, currency: "BRL" },
  };
  return withRecipient(push, lastName);
}

interface PlainPush {
  currency: string;
  address: object;
  documents?: object[];
  paymentMethod: object;
}

const inBritain = { countryCode: "GBR", city: "London", line1: "Gracechurch Street 10" };
const inKenya = {
  currency: "KES",
  address: { countryCode: "KEN", city: "Nairobi", line1: "Kenyatta Avenue 12" },
  documents: [{ type: "ID", document: "23456789", countryCode: "KEN" }],
};
const mobile = { type: "WALLET", countryCode: "KEN", walletId: "254712345678" };

/** Recipients of the rails that need no conversion. */
const plainPushes: Readonly<Record<Exclude<Rail, "pix">, PlainPush>> & Readonly<Record<string, PlainPush | undefined>> =
  {
    dimo: {
      currency: "MXN",
      address: { countryCode: "MEX", stateCode: "CMX", city: "Ciudad de México", line1: "Paseo de la Reforma 222" },
      paymentMethod: {
        type: "BANK_DEPOSIT",
        countryCode: "MEX",
        accountNumber: "5512345678",
        accountNumberType: "DIMO",
        bankCode: "012",
      },
    },
    bank: {
      currency: "GBP",
      address: inBritain,
      paymentMethod: {
        type: "BANK_DEPOSIT",
        countryCode: "GBR",
        accountNumber: "63748472",
        routingNumber: "202959",
      },
    },
    upi: {
      currency: "INR",
      address: { countryCode: "IND", city: "Mumbai", line1: "Marine Drive 14", stateCode: "MH", zipCode: "400020" },
      paymentMethod: {
        type: "BANK_DEPOSIT",
        countryCode: "IND",
        accountNumberType: "UPI",
        accountNumber: "ananya.sharma@okhdfcbank",
      },
    },
    wallet: { ...inKenya, paymentMethod: { ...mobile, walletOperator: "MPESA" } },
    msn: { ...inKenya, paymentMethod: { ...mobile, walletOperator: "AIRTEL_MONEY" } },
    card: {
      currency: "GBP",
      address: inBritain,
      paymentMethod: { type: "CARD", countryCode: "GBR", cardTokenId: cardToken("1") },
    },
  };

const plainPush = ({ currency, ...recipient }: PlainPush, lastName: string): Record<string, unknown> => ({
  ipAddress: "203.0.113.7",
  paymentType: "PUSH",
  amount: { total: 100, currency },
  recipientAmount: { total: 100, currency },
  sender: {
    firstName: "Ada",
    lastName: "Lovelace",
    address: { countryCode: "GBR", city: "London", line1: "12 Hill Road" },
  },
  recipient: { firstName: "Maria", lastName, ...recipient },
});
