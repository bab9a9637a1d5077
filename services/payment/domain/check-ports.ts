import type { Cardholder, CardReport } from "./card-check";

/** A link flow that was opened. */
export interface LinkToken {
  token: string;
  /** ISO 8601. */
  expiration: string;
  requestId: string;
}

/** A linked bank account, with the names that its provider uses. */
export interface LinkedAccount {
  accessToken: string;
  accountId: string;
  name: string;
  accountNumber: string;
  routingNumber: string;
}

/** `refused`: the provider refuses the link; `unknown`: the result of the call is not known. */
export type LinkOutcome = { kind: "linked"; account: LinkedAccount } | { kind: "refused" } | { kind: "unknown" };

/** The provider through which customers link bank accounts. No call throws for an error of the other side. */
export interface Linker {
  /** Undefined when the provider does not answer. */
  createLinkToken(request: { phoneNumber: string; androidPackageName?: string }): Promise<LinkToken | undefined>;
  /** Exchanges the token that the link flow gave to the client, and reads the account that the customer picked. */
  openAccount(publicToken: string, accountId: string): Promise<LinkOutcome>;
}

/** `unknown-token`: the tokenizer has no card for the token; `unknown`: the result of the call is not known. */
export type CardOutcome = { kind: "report"; report: CardReport } | { kind: "unknown-token" } | { kind: "unknown" };

/** Verifies cards without charging them. No call throws for an error of the other side. */
export interface CardVerifier {
  /** Leaves the name out of the question when `hasNameInquiry` is false. Nothing is held, so a call may be repeated. */
  verify(check: {
    reference: string;
    cardToken: string;
    ipAddress: string;
    cardholder: Cardholder;
    hasNameInquiry: boolean;
  }): Promise<CardOutcome>;
}

/** Knows the cards behind tokens. No call throws for an error of the other side. */
export interface CardTokens {
  /** False only if the provider says that the token belongs to no card: a provider that does not answer rules no token out. */
  mayExist(cardToken: string): Promise<boolean>;
}

/** A token of a card or of a checked account, with the field in which the caller gave it. */
export interface GivenToken {
  field: string;
  kind: "card" | "account";
  token: string;
}

/** An amount that a provider holds for us, in plain decimal text. */
export interface Balance {
  currency: string;
  available: string;
}

/** A provider that holds money for us. */
export interface FundsHolder {
  name: string;
  /** Returns undefined when the provider does not answer. */
  balances(): Promise<Balance[] | undefined>;
}
