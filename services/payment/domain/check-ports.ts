import type { Cardholder, CardReport } from "./card-check";

/** A link flow that was opened. */
export interface LinkToken {
  token: string;
  /** ISO 8601. */
  expiration: string;
  requestId: string;
}

/** A linked bank account as its provider names it. */
export interface LinkedAccount {
  accessToken: string;
  accountId: string;
  name: string;
  accountNumber: string;
  routingNumber: string;
}

/** `refused` is the provider's answer; `unknown` means that the result of the call is not known. */
export type LinkOutcome = { kind: "linked"; account: LinkedAccount } | { kind: "refused" } | { kind: "unknown" };

/** The provider through which customers link bank accounts. No call throws for what the other side does. */
export interface Linker {
  /** Undefined when the provider does not answer. */
  createLinkToken(request: { phoneNumber: string; androidPackageName?: string }): Promise<LinkToken | undefined>;
  /** Exchanges what the link flow gave to the client, and reads the account that was picked. */
  openAccount(publicToken: string, accountId: string): Promise<LinkOutcome>;
}

/** `unknown-token` is no card of the tokenizer; `unknown`: the result of the call is not known. */
export type CardOutcome = { kind: "report"; report: CardReport } | { kind: "unknown-token" } | { kind: "unknown" };

/** Who verifies cards without charging them. No call throws for what the other side does. */
export interface CardVerifier {
  /** `hasNameInquiry` false leaves the name out of the question. Nothing is held, so a call may be repeated. */
  verify(check: {
    reference: string;
    cardToken: string;
    ipAddress: string;
    cardholder: Cardholder;
    hasNameInquiry: boolean;
  }): Promise<CardOutcome>;
}

/** Who knows the cards behind tokens. No call throws for what the other side does. */
export interface CardTokens {
  /** False only if the provider says that the token is no card's: one that does not answer rules no token out. */
  mayExist(cardToken: string): Promise<boolean>;
}

/** A token of a card or of a checked account, as a caller has given it in a field. */
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
  /** Undefined when it does not answer. */
  balances(): Promise<Balance[] | undefined>;
}
