import { DomainError } from "../../shared/kernel/errors";
import type { PayoutMethod } from "./party";
import type { PullSource } from "./payment";

/** Maps a country to the wallet operator that is reached through a money-services network. */
export type MoneyServices = Readonly<Record<string, string>>;

type Kind = PayoutMethod["kind"];
type MethodOf<K extends Kind> = Extract<PayoutMethod, { kind: K }>;

/** What the platform knows about one method. */
interface MethodRow<K extends Kind> {
  /** `type` of a payment method in the published schemas; fees are agreed by it, too. */
  type: "BANK_DEPOSIT" | "WALLET" | "PIX" | "CARD";
  /** The `accountNumberType` that goes with it; undefined where there is none. */
  accountNumberType: "UPI" | "DIMO" | undefined;
  /** The fx service's name for the method. */
  quotedAs: "BANK_ACCOUNT" | "WALLET" | "CARD";
  /** Names of its fields in the published schemas. */
  fields: Readonly<Record<Exclude<keyof MethodOf<K>, "kind">, string>>;
  /** Rails that can pay the method out, the preferred one first. The first one with funds is chosen. */
  rails(method: MethodOf<K>, countryCode: string, moneyServices: MoneyServices): readonly string[];
}

/** Every payout method. A method without its row does not compile. */
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

/** Returns the row of any method. */
const rowOf = (method: PayoutMethod): MethodRow<Kind> => paymentMethods[method.kind];

/** Returns the rails that can pay a method out in a country, the preferred one first. */
export const railsOf = (method: PayoutMethod, countryCode: string, moneyServices: MoneyServices): readonly string[] =>
  // The row belongs to the method's own kind.
  rowOf(method).rails(method, countryCode, moneyServices);

/** Returns the fx service's name for the method. */
export const quotedMethod = (method: PayoutMethod): string => rowOf(method).quotedAs;

/** Returns the key that fees are agreed by. */
export const feeKeyOf = (method: PayoutMethod): string => rowOf(method).type;

/** Returns the key that fees are agreed by for the first method that the fx service has this name for. Throws PAYMENT_METHOD_UNKNOWN. */
export function feeKeyOfQuoted(name: string): string {
  const row = Object.values(paymentMethods).find(({ quotedAs }) => quotedAs === name);
  if (row === undefined) throw new DomainError("PAYMENT_METHOD_UNKNOWN", "no payment method has this name");
  return row.type;
}

/** Returns the method with the names of the published schemas. Texts that were not given are omitted. */
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

/** What the platform knows about one kind of source. */
interface SourceRow {
  /** The key that fees are agreed by. */
  feeKey: string;
  /** The provider that collects from it. */
  provider: string;
  /** False where authorising and collecting are one step. */
  canHold: boolean;
}

/** Every kind of source that money is collected from. */
export const collectionSources: { readonly [K in PullSource["kind"]]: SourceRow } = {
  card: { feeKey: "CARD", provider: "acquirer", canHold: true },
  account: { feeKey: "ACCOUNT", provider: "debits", canHold: false },
  bank: { feeKey: "ACCOUNT", provider: "debits", canHold: false },
};
