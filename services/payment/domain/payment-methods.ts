import type { PayoutMethod } from "./party";
import type { PullSource } from "./payment";

/** Which wallet operator of a country is reached through a money-services network. */
export type MoneyServices = Readonly<Record<string, string>>;

type Kind = PayoutMethod["kind"];
type MethodOf<K extends Kind> = Extract<PayoutMethod, { kind: K }>;

/** What is to be known of one method. */
interface MethodRow<K extends Kind> {
  /** `type` of a payment method in the published schemas; also what fees are agreed for. */
  type: "BANK_DEPOSIT" | "WALLET" | "PIX" | "CARD";
  /** `accountNumberType` beside it; undefined where there is none. */
  accountNumberType: "UPI" | "DIMO" | undefined;
  /** What the fx service calls it. */
  quotedAs: "BANK_ACCOUNT" | "WALLET" | "CARD";
  /** Names of its fields in the published schemas. */
  fields: Readonly<Record<Exclude<keyof MethodOf<K>, "kind">, string>>;
  /** Rails that can pay it out, the preferred one first. The first one with funds is taken. */
  rails(method: MethodOf<K>, countryCode: string, moneyServices: MoneyServices): readonly string[];
}

/** Every method of a payout. A method without its row does not compile. */
export const paymentMethods: { readonly [K in Kind]: MethodRow<K> } = {
  bankAccount: {
    type: "BANK_DEPOSIT",
    accountNumberType: undefined,
    quotedAs: "BANK_ACCOUNT",
    fields: {
      accountNumber: "accountNumber",
      accountType: "accountType",
      bankCode: "bankCode",
      routingNumber: "routingNumber",
    },
    rails: () => ["bank"],
  },
  wallet: {
    type: "WALLET",
    accountNumberType: undefined,
    quotedAs: "WALLET",
    fields: { walletId: "walletId", walletType: "walletType", walletOperator: "walletOperator" },
    rails({ walletOperator }, countryCode, moneyServices) {
      const operator = moneyServices[countryCode];
      return operator !== undefined && operator === walletOperator ? ["msn"] : ["wallet"];
    },
  },
  pix: {
    type: "PIX",
    accountNumberType: undefined,
    quotedAs: "BANK_ACCOUNT",
    fields: { key: "key", keyType: "keyType" },
    rails: () => ["pix"],
  },
  upi: {
    type: "BANK_DEPOSIT",
    accountNumberType: "UPI",
    quotedAs: "BANK_ACCOUNT",
    fields: { address: "accountNumber" },
    rails: () => ["upi"],
  },
  dimo: {
    type: "BANK_DEPOSIT",
    accountNumberType: "DIMO",
    quotedAs: "BANK_ACCOUNT",
    fields: { phoneNumber: "accountNumber", bankCode: "bankCode" },
    rails: () => ["dimo"],
  },
  card: {
    type: "CARD",
    accountNumberType: undefined,
    quotedAs: "CARD",
    fields: { token: "cardTokenId" },
    rails: () => ["card"],
  },
};

/** The row of a method, whichever it is. */
const rowOf = (method: PayoutMethod): MethodRow<Kind> => paymentMethods[method.kind];

/** The rails that can pay a method out in a country, the preferred one first. */
export const railsOf = (method: PayoutMethod, countryCode: string, moneyServices: MoneyServices): readonly string[] =>
  // The row is the method's own.
  rowOf(method).rails(method, countryCode, moneyServices);

/** What the fx service calls the method. */
export const quotedMethod = (method: PayoutMethod): string => rowOf(method).quotedAs;

/** What fees are agreed for. */
export const feeKeyOf = (method: PayoutMethod): string => rowOf(method).type;

/** The method in the names of the published schemas. Texts that were not given are left out. */
export function methodInWords(method: PayoutMethod): { type: string } & Record<string, string> {
  const { type, accountNumberType, fields } = rowOf(method);
  const texts = Object.entries<string | undefined>({ ...method, kind: undefined });
  const named = texts.flatMap(([field, text]) => (text ? [[wordOf(fields, field), text] as const] : []));
  return { type, ...(accountNumberType && { accountNumberType }), ...Object.fromEntries(named) };
}

function wordOf(fields: Readonly<Record<string, string>>, field: string): string {
  const word = fields[field];
  if (word === undefined) throw new Error(`no published schema has a name for ${field}`);
  return word;
}

/** What is to be known of one kind of source. */
interface SourceRow {
  /** What fees are agreed for. */
  feeKey: string;
  /** Who collects from it. */
  provider: string;
  /** False where authorising and collecting are one. */
  canHold: boolean;
}

/** Every source of a collection. */
export const collectionSources: { readonly [K in PullSource["kind"]]: SourceRow } = {
  card: { feeKey: "CARD", provider: "acquirer", canHold: true },
  account: { feeKey: "ACCOUNT", provider: "debits", canHold: false },
  bank: { feeKey: "ACCOUNT", provider: "debits", canHold: false },
};
