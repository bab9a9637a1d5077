import type { Card } from "../cards";
import type { Step } from "../steps";

export type AuthorizationStatus = "AUTHORIZED" | "CAPTURED" | "DECLINED" | "CHALLENGE" | "VOIDED";

/** The acquirer's record of one card payment. Times are ISO 8601, amounts decimal text. */
export interface Authorization {
  reference: string;
  acquirerId: string;
  contentHash: string;
  status: AuthorizationStatus;
  cardToken: string;
  amount: string;
  currency: string;
  capture: boolean;
  narrative: string;
  responseCode: string;
  message: string | null;
  authCode: string | null;
  challengeId: string | null;
  card: Card;
  avs: string;
  cvc: string;
  captures: Step[];
  refunds: Step[];
  /** Amounts that cardholders took back through their banks. */
  chargebacks: Step[];
  voidReference: string | null;
  voidedAt: string | null;
  createdAt: string;
  /** Number of calls of each kind. */
  calls: Readonly<Record<string, number>>;
}

/** The card data that an acquirer passes on. */
export const renderCard = (card: Card): object => ({
  bin: card.bin,
  binNumber: card.binNumber,
  lastFour: card.lastFour,
  scheme: card.scheme,
  issuer: card.issuer,
  country: card.country,
  countryName: card.countryName,
  type: card.type,
  category: card.category,
  currency: card.currency,
});

/** ISO 8583 response codes. */
export const responses = {
  approved: { responseCode: "00", message: null },
  declined: { responseCode: "05", message: "Rejected by provider" },
  challenge: { responseCode: "1A", message: "Authentication required" },
  failed: { responseCode: "82", message: "Authentication failed" },
  expired: { responseCode: "82", message: "Authentication timed out" },
} as const;

/** Drops null fields. */
export const known = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
