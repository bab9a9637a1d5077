import { loadPacks } from "../../services/schema/adapters/files/load-packs";
import type { CorridorPack } from "../../services/schema/domain/corridor-pack";
import { packExamples } from "../../services/schema/domain/pack-examples";

/** One row of the document's examples of payments. */
interface PaymentExample {
  summary: string;
  value: Readonly<Record<string, unknown>>;
}

/** The shown methods of countries: name, country, fields of the payment method, amount for 100 USD. */
const shown: readonly [name: string, country: string, has: Readonly<Record<string, string>>, total: number][] = [
  ["pix", "BRA", { type: "PIX" }, 522.42],
  ["bankBrazil", "BRA", { type: "BANK_DEPOSIT" }, 522.42],
  ["upi", "IND", { accountNumberType: "UPI" }, 8_732.5],
  ["dimo", "MEX", { accountNumberType: "DIMO" }, 1_873.2],
  ["iban", "DEU", { type: "BANK_DEPOSIT" }, 92.4],
  ["wallet", "KEN", { type: "WALLET" }, 12_931],
];

const common = { ipAddress: "203.0.113.7", amount: { total: 100, currency: "USD" } };
const fxId = "5d2c7a10-8f3b-4c6e-9a41-7be02d9c1f53";
const cardTokenId = "3f2b8c1e-5d4a-4b6f-9e21-7a0c9d8e6f13";
const person = (firstName: string, lastName: string, country: string, documentNumber: string) => ({
  firstName,
  lastName,
  phoneNumber: "5511987654321",
  documentNumber,
  documentType: "NATIONAL_ID",
  email: `${firstName.toLowerCase()}@example.com`,
  countryCodeAlpha3: country,
});
const london = { stateCode: "LND", city: "London", line1: "12 Hill Road", zipCode: "N1 9GU", countryCode: "GB" };
const saoPaulo = {
  stateCode: "SP",
  city: "São Paulo",
  line1: "Rua Direita 7",
  zipCode: "01002-000",
  countryCode: "BR",
};
const payer = { customer: person("Ada", "Lovelace", "GBR", "533380006"), customerAddress: london };
const maria = { customer: person("Maria", "Souza", "BRA", "39053344705"), customerAddress: saoPaulo };
const pixKey = { type: "PIX", pix: { keyType: "EMAIL", key: "maria@example.com" } };
const inReais = { recipientAmount: { total: 522.42, currency: "BRL" }, exchangeRate: 5.2242, fxId, additionalData: {} };

const others: readonly [name: string, example: PaymentExample][] = [
  [
    "customer",
    {
      summary: "Pays a customer by PIX, in the words of customers.",
      value: {
        paymentType: "PUSH",
        ...common,
        ...inReais,
        sender: payer,
        recipient: { ...maria, destination: pixKey },
      },
    },
  ],
  [
    "card",
    {
      summary: "Pays a customer to a card.",
      value: {
        paymentType: "PUSH",
        ...common,
        ...inReais,
        sender: payer,
        recipient: { ...maria, destination: { type: "CARD", cardTokenId } },
      },
    },
  ],
  [
    "pullByCard",
    {
      summary: "Authorises a card, to be captured or voided later.",
      value: {
        paymentType: "PULL",
        ...common,
        capture: false,
        sender: { firstName: "Ada", lastName: "Lovelace", paymentMethod: { type: "CARD", cardTokenId } },
      },
    },
  ],
  [
    "pullPush",
    {
      summary: "Collects from a card and pays by PIX.",
      value: {
        paymentType: "PULLPUSH",
        ...common,
        ...inReais,
        sender: { ...payer, source: { type: "CARD", card: { token: cardTokenId } } },
        recipient: { ...maria, destination: pixKey },
      },
    },
  ],
];

/** Bodies of POST /v2/payment for the OpenAPI document: pushes of the countries' own examples, and the other types. */
export async function paymentExamples(): Promise<string> {
  const packs = new Map((await loadPacks()).map((pack) => [pack.country, pack]));
  const pushes = shown.map(([name, country, has, total]) => {
    const pack = packs.get(country);
    if (pack === undefined) throw new Error(`no pack of ${country}`);
    return [name, pushExample(pack, has, total)] as const;
  });
  const rows = [...pushes, ...others].map(([name, { summary, value }]) => [
    name,
    { summary, value: { externalPaymentId: `order-${name}`, ...value } },
  ]);
  return `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`;
}

function pushExample(pack: CorridorPack, has: Readonly<Record<string, string>>, total: number): PaymentExample {
  const fits = ({ recipient }: Readonly<Record<string, unknown>>): boolean => {
    const method = Object(Object(recipient).paymentMethod) as Record<string, unknown>;
    return Object.entries(has).every(([name, value]) => method[name] === value);
  };
  const example = packExamples(pack).find(fits);
  if (example === undefined) throw new Error(`${pack.country} has no example of ${JSON.stringify(has)}`);
  const [method] = Object.values(has);
  return {
    summary: `Pays to ${pack.name} by ${method}.`,
    value: {
      paymentType: "PUSH",
      ...common,
      fxId,
      ...example,
      recipientAmount: { total, currency: pack.currencies[0] },
    },
  };
}
