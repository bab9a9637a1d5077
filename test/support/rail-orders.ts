import { randomUUID } from "node:crypto";
import { toIntent } from "../../gateway/codec/payment-intent";
import { bodyReader } from "../../gateway/contract/compile";
import { paymentRequest } from "../../gateway/contract/payments";
import { commandOf } from "../../services/payment/domain/intent-command";
import operators from "../../services/payment/domain/money-service-operators.json";
import type { Payment } from "../../services/payment/domain/payment";
import { railsOf } from "../../services/payment/domain/payment-methods";
import { decodeIntent } from "../../services/payment/handlers/intent-codec";
import { money } from "../../services/shared/kernel/money";
import { customerPayload, type Json, payloadCases } from "./corridor-payloads";
import { newPayment } from "./payment-builder";

const readBody = bodyReader(paymentRequest);

const texts = {
  dynamicDescriptor: "INVOICE 7",
  additionalData: { paymentPurpose: "GIFT", statementNarrative: "rent" },
};

/** A sample with both texts and one more, its own ones if it has any. */
const withTexts = (payload: Json): Json => ({
  ...payload,
  ...texts,
  additionalData: { ...texts.additionalData, costCentre: "four", ...Object(payload["additionalData"]) },
});

const customers = [
  ["a customer by PIX", customerPayload("BRA", { type: "PIX", pix: { keyType: "EMAIL", key: "m@example.com" } })],
  ["a customer by card", customerPayload("BRA", { type: "CARD", cardTokenId: "11111111-1111-4111-8111-111111111111" })],
  ["a customer by wallet", customerPayload("KEN", { type: "WALLET", wallet: { walletId: "254712345678" } })],
] as const;

const everything = {
  email: "someone@example.com",
  phoneNumber: "+821012345678",
  birthDate: "1990-04-15",
  birthCountryCode: "KOR",
  documents: [
    { document: "A1234567", type: "PASSPORT", countryCode: "KOR" },
    { document: "B7654321", type: "ID", countryCode: "USA" },
  ],
};

const address = { state: "Gyeonggi", line2: "2nd floor", stateCode: "41", zipCode: "04524" };

/** A country's sample with every field that a payment may have about either party. */
function talkative(country: string): Json {
  const { payload = {} } = payloadCases.find((sample) => sample.country === country) ?? {};
  const party = (name: "sender" | "recipient"): Json => {
    const said = Object(payload[name]) as Json;
    return { ...everything, ...said, address: { ...address, ...Object(said["address"]) } };
  };
  return { ...payload, sender: party("sender"), recipient: party("recipient") };
}

/** Payments of every variant to every corridor, by name: the good samples, customers, and one with every field. */
export const railSamples: readonly (readonly [name: string, body: Json])[] = [
  ...payloadCases
    .filter(({ expectField }) => expectField === undefined)
    .map(({ country, name, payload }) => [`${country}, ${name}`, withTexts(payload)] as const),
  ...customers.map(([name, payload]) => [name, withTexts(payload)] as const),
  ["all that may be said", withTexts(talkative("KOR"))],
];

/** The first sample of a country. */
export function railSample(country: string): Json {
  const found = railSamples.find(([name]) => name.startsWith(`${country}, `));
  if (found === undefined) throw new Error(`there is no sample to ${country}`);
  return found[1];
}

/** The payment of a body, on its way to its rail. */
export function paymentFrom(body: Json, id: string = randomUUID()): Payment & { payout: { rail: string } } {
  const { value, violations } = readBody(Buffer.from(JSON.stringify(body)));
  if (value === undefined) throw new Error(JSON.stringify(violations));
  const { intent } = decodeIntent(toIntent(value));
  const { externalId } = intent;
  const command = commandOf({ tenant: "demo", externalId, agentId: undefined, hashes: {} }, intent);
  const order = command.payout;
  if (order === undefined) throw new Error("nobody is paid");
  const { countryCode, method, recipient, texts: told } = order;
  const { sender, ipAddress, externalId: name } = command;
  const built = newPayment("PUSH", { id, externalId: name, sender, ipAddress }).next;
  const [rail = ""] = railsOf(method, countryCode, operators.moneyServices);
  const amount = money(order.recipientAmount.minor || 1n, order.recipientAmount.currency);
  const leg = { rail, reference: id, amount, countryCode, method, recipient, texts: told };
  if (built.payout === undefined) throw new Error("a push pays somebody");
  return { ...built, payout: { ...built.payout, ...leg } };
}
