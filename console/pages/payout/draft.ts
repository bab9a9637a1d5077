import { convert, type Decimal, type Money, money } from "../../../sdk/src/money";
import { dataOf, type Values } from "../../form/engine";

/** A quote that is still valid. */
export interface Price {
  readonly fxId: string;
  readonly rate: Decimal;
  readonly expiresAt: string;
}

/** The state of the form beside the fields of the country. */
export interface Draft {
  readonly externalPaymentId: string;
  readonly ipAddress: string;
  readonly total: string;
  readonly source: string;
  readonly target: string;
  readonly price: Price | undefined;
  readonly scenario: string;
}

/** Returns a typed amount; undefined while it is not valid, or has more decimals than its currency. */
export function amountOf(total: string, currency: string): Money | undefined {
  try {
    const amount = money(total.trim(), currency);
    return /[1-9]/.test(amount.total) && !amount.total.startsWith("-") ? amount : undefined;
  } catch {
    return undefined;
  }
}

/** Returns what the recipient gets, exactly as the platform rounds it. */
export function recipientAmountOf({ total, source, target, price }: Draft): Money | undefined {
  const amount = amountOf(total, source);
  if (amount === undefined) return undefined;
  if (source === target) return amount;
  return price === undefined ? undefined : convert(amount, price.rate, target);
}

/** Returns the body of the payment; undefined while its amounts are not known. */
export function bodyOf(draft: Draft, values: Values): Readonly<Record<string, unknown>> | undefined {
  const amount = amountOf(draft.total, draft.source);
  const recipientAmount = recipientAmountOf(draft);
  if (amount === undefined || recipientAmount === undefined) return undefined;
  return {
    additionalData: {},
    ...dataOf(values),
    paymentType: "PUSH",
    externalPaymentId: draft.externalPaymentId,
    ipAddress: draft.ipAddress,
    amount,
    recipientAmount,
    ...(draft.price === undefined ? {} : { fxId: draft.price.fxId }),
    ...(draft.scenario === "" ? {} : { dynamicDescriptor: draft.scenario }),
  };
}

/** Quotes distinguish three methods; accounts of every kind are one of them. */
export const quoteMethodOf = (type: string): string => (type === "WALLET" || type === "CARD" ? type : "BANK_ACCOUNT");
