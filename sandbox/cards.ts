import type { Decision } from "./scenarios";

/** Whether the network lets a card receive a push (OCT) or fund a pull (AFT); null if it has not been asked. */
export interface Capability {
  capable: boolean;
  highPerforming: boolean;
  lowPerforming: boolean;
}

/** The network's data of a card, and its issuer's decisions. */
export interface Card {
  scheme: string;
  type: "DEBIT" | "CREDIT";
  category: string;
  /** First six digits, and the extended bin. */
  bin: string;
  binNumber: string;
  lastFour: string;
  issuer: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  countryName: string;
  currency: string;
  outcome: "approve" | "decline" | "challenge";
  /** The issuer's result codes; empty where it gives none. */
  avs: string;
  cvc: string;
  /** `COMPARE` compares with the name that the card was tokenized under. */
  nameResult: string;
  holderName?: string;
  oct: Capability | null;
  aft: Capability | null;
}

const high: Capability = { capable: true, highPerforming: true, lowPerforming: false };
const low: Capability = { capable: true, highPerforming: false, lowPerforming: true };
const none: Capability = { capable: false, highPerforming: false, lowPerforming: false };

/** An ordinary Visa debit card; its issuer approves everything. */
const visaDebit: Card = {
  scheme: "VISA",
  type: "DEBIT",
  category: "CLASSIC",
  bin: "411111",
  binNumber: "41111111",
  lastFour: "1111",
  issuer: "First Sandbox Bank",
  country: "US",
  countryName: "United States",
  currency: "USD",
  outcome: "approve",
  avs: "APPROVED",
  cvc: "APPROVED",
  nameResult: "APPROVED",
  oct: high,
  aft: high,
};

/** An ordinary Mastercard credit card; its network has neither a name inquiry nor capability flags. */
const mastercardCredit: Card = {
  ...visaDebit,
  scheme: "MASTERCARD",
  type: "CREDIT",
  category: "GOLD",
  bin: "555555",
  binNumber: "55555555",
  lastFour: "4444",
  issuer: "Second Sandbox Bank",
  nameResult: "N/A",
  oct: null,
  aft: null,
};

interface FixedCard extends Card {
  token: string;
  effect: string;
}

/** The token that repeats one digit. */
const tokenOf = (digit: string): string =>
  [digit.repeat(8), digit.repeat(4), `4${digit.repeat(3)}`, `8${digit.repeat(3)}`, digit.repeat(12)].join("-");

const fixed = (digit: string, effect: string, changes: Partial<Card> = {}): FixedCard => ({
  ...visaDebit,
  lastFour: digit.repeat(4),
  ...changes,
  token: tokenOf(digit),
  effect,
});

/** Cards that always exist. */
export const fixedCards: readonly FixedCard[] = [
  fixed("1", "Visa debit, everything approved, OCT and AFT high performing"),
  fixed("2", "Mastercard credit, approved; no name inquiry and no capability flags", mastercardCredit),
  fixed("3", "declined", { outcome: "decline", oct: none, aft: none }),
  fixed("4", "3DS challenge; its page decides", { outcome: "challenge" }),
  fixed("5", "approved, but the address fails", { avs: "FAILED" }),
  fixed("6", "approved, the security code is not checked", { cvc: "NOT_CHECKED" }),
  fixed("7", "approved, but the name does not match", { nameResult: "NO_MATCH" }),
  fixed("8", "approved; OCT low performing, no AFT", { oct: low, aft: none }),
  fixed("9", "business card, approved; names are not compared", { category: "BUSINESS", nameResult: "N/A" }),
  fixed("0", "prepaid card, approved; names are not compared", { category: "PREPAID", nameResult: "N/A" }),
  fixed("a", "approved, but the security code fails", { cvc: "FAILED" }),
  fixed("b", "approved; no security code was sent", { cvc: "NOT_SENT" }),
  fixed("c", "approved; the issuer takes part in neither check", { avs: "N/A", cvc: "N/A" }),
  {
    ...fixed("1", "Visa debit, as the first; the card of the sample payloads"),
    token: "3f2b8c1e-5d4a-4b6f-9e21-7a0c9d8e6f13",
  },
];

const byToken: ReadonlyMap<string, Card> = new Map(
  fixedCards.map(({ token, effect: _effect, ...card }) => [token, card]),
);

/** Looks up a token: a fixed card, or one made by the tokenizer. */
export type FindCard = (token: string) => Card | undefined;

export const findFixedCard: FindCard = (token) => byToken.get(token.toLowerCase());

/** Returns why a card cannot receive a push; undefined when it can. A network without capability flags accepts the push. */
export function refuseCard(card: Card | undefined): Decision | undefined {
  if (card === undefined) return { reasonCode: "AC01", reason: "unknown card" };
  if (card.outcome === "decline") return { reasonCode: "AG01", reason: "refused by the issuer" };
  if (card.oct?.capable === false) return { reasonCode: "AG01", reason: "the card does not accept pushes" };
  return undefined;
}
