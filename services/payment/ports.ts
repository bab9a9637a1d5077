import type { FieldViolation } from "../shared/errors";
import type { JsonObject } from "../shared/json";
import type { Money } from "../shared/money";
import type { BoundQuote } from "./domain/conversion";
import type { Payment } from "./domain/payment";
import type { PayoutOrder } from "./domain/payment-request";
import type { Report } from "./domain/report";
import type { Step } from "./domain/steps";

/** The fx service as payments need it. */
export interface Quotes {
  /**
   * Asks whether a payout may go along its route, and what prices it: the quote that it names, or one of its own; undefined
   * for equal currencies without a quote. Binds nothing: a quote is used by the payment that is stored with it. A preview
   * stores nothing. Throws NO_ROUTE, QUOTE_UNUSABLE, QUOTE_MISMATCH or QUOTE_EXPIRED.
   */
  price(payout: {
    tenant: string;
    agentId: string | undefined;
    source: string;
    order: PayoutOrder;
    isPreview: boolean;
  }): Promise<BoundQuote | undefined>;
  /** Quotes a pair. Throws INVALID_ARGUMENT, NO_ROUTE or PAYMENT_METHOD_UNKNOWN. */
  create(need: {
    tenant: string;
    agentId: string;
    sourceCurrency: string;
    destinationCurrency: string;
    paymentMethod: string;
    destinationCountry: string | undefined;
  }): Promise<OpenQuote>;
}

/** A quote that is still free. */
export interface OpenQuote extends BoundQuote {
  expiresAt: Date;
}

/** Persons and companies of tenants. */
export interface Participants {
  /** Throws PARTICIPANT_NOT_FOUND unless the tenant has this person or company. */
  require(tenant: string, participantId: string): Promise<void>;
}

/** The published schemas as payments need them. */
export interface Schemas {
  /** Every rule of the named schema that the body breaks. Throws COUNTRY_UNSUPPORTED when there is no such schema. */
  check(name: string, body: JsonObject): Promise<readonly FieldViolation[]>;
  /** Names of all present schemas of payments. */
  names(): Promise<readonly string[]>;
  /** Numbers of a push in the schema shape whose checksums do not fit; nothing for a country that is not served. */
  advise(country: string, body: JsonObject): Promise<readonly FieldViolation[]>;
}

/** Funds that are set apart for one payment. Exactly one of the three must be called. */
export interface Reservation {
  /** The payment is stored. */
  keep(): void;
  /** There will be no such payment. */
  giveBack(): void;
  /** Nobody knows whether the payment is or will be stored. */
  doubt(): void;
}

/** A rail with the funds for one payment. */
export interface FundedRail extends Reservation {
  rail: string;
}

/** The choice of a rail. */
export interface Routes {
  /**
   * The rail that pays an order out, its funds set apart. Throws INVALID_ARGUMENT when none serves its method, and
   * FUNDS_TOO_LOW when our account at none of them covers it.
   */
  railFor(tenant: string, order: PayoutOrder, amount: Money): Promise<FundedRail>;
  /** Throws what `railFor` would throw now; sets nothing apart. */
  requireRail(tenant: string, order: PayoutOrder, amount: Money): Promise<void>;
}

/** What a debit scheme is told of an account that was checked before. */
export type DebitAccount = { accessToken: string; accountId: string } | { account: Readonly<Record<string, string>> };

/** Tokens of checked bank accounts. */
export interface AccountTokens {
  /** The account behind a token of the tenant; undefined when there is none, or it was revoked. */
  open(tenant: string, token: string): Promise<DebitAccount | undefined>;
}

/**
 * What came of a call to a provider. `unknown` means that the call may or may not have been executed, and `absent` that
 * the provider, when asked, knew nothing of the step.
 */
export type Outcome = { kind: "report"; report: Report } | { kind: "absent" } | { kind: "unknown" };

/** A callback whose signature verifies. Without a report it only says that there is news: the provider is asked. */
export interface ProviderCallback {
  reference: string;
  report: Report | undefined;
}

/**
 * A provider: what collects, pays out or decides about compliance. Every call names our own key for the payment and the step, and the
 * provider executes a key at most once however often it is sent. No call throws for what the other side does.
 * README.md of `providers/` says what an adapter has to promise.
 */
export interface Provider {
  /** How long a call that was sent may still take effect, in milliseconds of business time. */
  readonly finalityWindowMs: number;
  /** Tells the provider to do the step. */
  perform(payment: Payment, step: Step): Promise<Outcome>;
  /** Asks what became of the step; changes nothing on the other side. */
  ask(payment: Payment, step: Step): Promise<Outcome>;
  /** Reads a callback. Throws UNAUTHENTICATED or INVALID_ARGUMENT. */
  readCallback(signature: string, body: Buffer): ProviderCallback;
}

/** The providers by name. */
export type Providers = ReadonlyMap<string, Provider>;
