import type { FieldViolation } from "../shared/kernel/errors";
import type { JsonObject } from "../shared/kernel/json";
import type { Money } from "../shared/kernel/money";
import type { ReasonCode } from "../shared/kernel/reason-codes";
import type { BoundQuote } from "./domain/conversion";
import type { Evidence, Fact, Refusal } from "./domain/fact";
import type { IdentityDocument } from "./domain/party";
import type { MadePromise, Payment } from "./domain/payment";
import type { PayoutOrder } from "./domain/payment-command";
import type { PaymentIntent } from "./domain/payment-intent";
import type { PayoutDestination } from "./domain/payout-account";
import type { Need } from "./domain/promises";
import type { ScreeningReport } from "./domain/screening";
import type { Step } from "./domain/steps";

/** The entries of the ledger, as far as they are needed here. */
export interface Bookings {
  /** Returns which of these entries the ledger had at the end of an instant. Throws UNAVAILABLE. */
  posted(entryIds: readonly string[], asOf: Date): Promise<ReadonlySet<string>>;
}

/** The fx service, as payments need it. */
export interface Quotes {
  /**
   * Asks whether a payout may use its route, and what prices it: the quote that the payout names, or a fresh one; undefined for equal
   * currencies without a quote. Reserves nothing: a quote is used by the payment that is stored with it. A preview stores nothing. Throws
   * NO_ROUTE, QUOTE_UNUSABLE, QUOTE_MISMATCH or QUOTE_EXPIRED.
   */
  price(payout: {
    tenant: string;
    agentId: string | undefined;
    /** What is given, in its own currency. */
    amount: Money;
    order: PayoutOrder;
    /** The payment that is to be stored; undefined in a preview. */
    paymentId: string | undefined;
  }): Promise<BoundQuote | undefined>;
  /** Quotes a pair. Throws INVALID_ARGUMENT, NO_ROUTE or PAYMENT_METHOD_UNKNOWN. */
  create(need: {
    tenant: string;
    agentId: string;
    amount: Money;
    destinationCurrency: string;
    paymentMethod: string;
    destinationCountry: string | undefined;
  }): Promise<OpenQuote>;
}

/** A quote that has not been used. */
export interface OpenQuote extends BoundQuote {
  expiresAt: Date;
}

/** A message that a service has parked. */
export interface ParkedNotice {
  /** Stream and sequence, separated by a slash. */
  id: string;
  subject: string;
  cause: string;
  parkedAt: Date | undefined;
}

/** A service that takes messages from the bus, as seen by those who look after the messages that it parked. */
export interface ParkedSource {
  service: string;
  /** Returns the messages after one, the oldest first; `next` is undefined after the last. */
  page(after: string): Promise<{ messages: readonly ParkedNotice[]; next: string | undefined }>;
}

/** Persons and companies of tenants. */
export interface Participants {
  /** Throws PARTICIPANT_NOT_FOUND unless the tenant has this person or company. */
  require(tenant: string, participantId: string): Promise<void>;
}

/** The published schemas, as payments need them. */
export interface Schemas {
  /** Returns every rule of the named schema that the body breaks. Throws COUNTRY_UNSUPPORTED when there is no such schema. */
  check(name: string, body: JsonObject): Promise<readonly FieldViolation[]>;
  /** Returns the names of all present schemas of payments. */
  names(): Promise<readonly string[]>;
  /**
   * Returns the numbers of a push whose checksums are wrong; nothing for a country that is not served. `paymentMethod` has the form of
   * the country schemas.
   */
  advise(
    country: string,
    paymentMethod: Record<string, string>,
    documents: readonly IdentityDocument[],
  ): Promise<readonly FieldViolation[]>;
}

/** The rules of the published schemas for the details of a payment. Fields are named as in the country schemas. */
export interface DetailsRules {
  /** Returns every rule that a payment breaks: of its texts, its kind, and the destination country. Throws UNAVAILABLE. */
  check(intent: PaymentIntent): Promise<readonly FieldViolation[]>;
  /**
   * Returns every broken rule of the destination country that concerns the recipient itself, rather than one payment to it. Throws
   * UNAVAILABLE.
   */
  checkRecipient(destination: PayoutDestination): Promise<readonly FieldViolation[]>;
  /** Returns what looks mistyped; a payment is not refused for it. Throws UNAVAILABLE. */
  advise(intent: PaymentIntent): Promise<readonly FieldViolation[]>;
}

/** Funds that are reserved for one payment. Exactly one of `commit`, `release`, `doubt` and `lose` must be called. */
export interface Reservation {
  /** The promises that the payment is to record. */
  promises: readonly MadePromise[];
  /** Reports that the payment is stored. */
  commit(): void;
  /** Reports that there will be no such payment. */
  release(): void;
  /** Reports that it is unknown whether the payment is or will be stored. */
  doubt(): void;
  /** Reports that another process took this one for dead and released its blocks: the payment was not stored, and no other will be. */
  lose(): void;
}

/** A rail, with the funds for one payment. */
export interface FundedRail extends Reservation {
  rail: string;
}

/** A payout that needs a rail. */
export interface PayoutPlan {
  tenant: string;
  order: PayoutOrder;
  /** The amount that the recipient gets. */
  amount: Money;
  /** The amount that it takes from the tenant's own account; undefined for none. */
  own: Need | undefined;
}

/** The choice of a rail. */
export interface Routes {
  /**
   * Chooses the rail that pays an order out, and reserves its funds and the tenant's. Throws FUNDS_TOO_LOW when the tenant's account, or
   * ours at each of the rails, does not cover the order; UNAVAILABLE when a rail that might cover it does not report what it holds.
   */
  railFor(plan: PayoutPlan): Promise<FundedRail>;
  /** Throws what `railFor` would throw now; reserves nothing. */
  requireRail(plan: PayoutPlan): Promise<void>;
}

/** What a rail reported that it can still pay out for us, and the ledger's counter of releases as it was before the rail was asked. */
export interface RailBalance {
  available: bigint;
  released: bigint;
}

/** A part of an account that a process asks for. */
export interface BlockRequest {
  blockId: string;
  holder: string;
  account: string;
  currency: string;
  wanted: bigint;
  /** The smallest block that is of use. */
  least: bigint;
  figure: RailBalance | undefined;
}

/** The ledger, as payments need it before they are accepted. */
export interface PromiseLedger {
  /** Returns the state of an account; `available` is undefined where there is no floor. */
  stand(
    account: string,
    currency: string,
  ): Promise<{ promised: bigint; released: bigint; available: bigint | undefined }>;
  /** Takes a block, or nothing of an account that has less than the least; returns also the blocks that others have not returned. */
  take(request: BlockRequest): Promise<{ granted: bigint; available: bigint; unreturned: readonly string[] }>;
  /** Releases the part of a block that was promised to no payment. Repeating it changes nothing. */
  returnUnused(blockId: string, unused: bigint): Promise<void>;
  /** Lists the blocks that a holder has taken and not returned. */
  unreturned(holder: string): Promise<readonly { blockId: string; granted: bigint }[]>;
}

/** What a debit scheme receives about an account that was checked before. */
export type DebitAccount = { accessToken: string; accountId: string } | { account: Readonly<Record<string, string>> };

/** Tokens of checked bank accounts. */
export interface AccountTokens {
  /** Returns the account behind a token of the tenant; undefined when there is none, or the token was revoked. */
  open(tenant: string, token: string): Promise<DebitAccount | undefined>;
}

/**
 * What came of a call to a provider, as far as the adapter's table recognises the answer. `facts`: the provider reports facts. `refused`:
 * it will not do the step, by a code of the adapter's closed list. `absent`: it was asked and certainly knows nothing of the step.
 * `unknown`: everything else; the step may or may not have been executed.
 */
export type Outcome =
  | { kind: "facts"; facts: readonly [Fact, ...Fact[]] }
  | { kind: "refused"; refusal: Refusal }
  | { kind: "absent"; facts?: readonly Fact[] }
  | { kind: "unknown"; evidence?: Evidence };

/** What a callback says. Without facts and refusal it only announces news: the provider is asked. */
export interface ProviderCallback {
  reference: string;
  facts: readonly Fact[];
  /** What it reports about money where the reference belongs to no payment, so that the provider cannot be asked about it. */
  strayFacts?: readonly Fact[] | undefined;
  /** When it happened, by the provider's clock; undefined when the callback gives no time. */
  at: Date | undefined;
  evidence: Evidence;
}

/** A closed list of refusals, each with the reason that applies when the provider gives none itself. */
export type Refusals = Readonly<Record<string, ReasonCode>>;

/** What an adapter declares about its provider, before any call. */
export interface ProviderManifest {
  name: string;
  /** Whether the provider collects money, pays it out, or decides about it. */
  role: "pull" | "payout" | "screening";
  /** False: the provider receives the whole instruction with the release, and is not called before. */
  hasPrepare: boolean;
  /** False: preparing leaves nothing behind at the provider, so it is recorded together with the next step. */
  keepsPrepared: boolean;
  /** True when the provider cancels a prepared instruction on demand. */
  hasCancel: boolean;
  /** How its reports are authenticated: by the signature of our protocol, or not at all where it does not call back. */
  callbacks: "signed" | "none";
  /** How long a call may still take effect after it was sent, in milliseconds of business time. */
  finalityWindowMs: number;
  /** Every code by which the provider may refuse a step, by step; no other answer is a refusal. */
  refusals: Readonly<Partial<Record<Step, Refusals>>>;
  /** Where its statement comes from: the provider's statement API, our own ledger, or nowhere. */
  statement: "api" | "ledger" | "none";
}

/**
 * A provider that collects or pays out. Every call carries our own key for the payment and the step, and the provider executes a key at
 * most once however often it is sent. No call throws for an error of the other side. README.md of `adapters/` says what an adapter has to
 * promise.
 */
export interface Provider {
  readonly manifest: ProviderManifest;
  /** Instructs the provider to do the step. */
  perform(payment: Payment, step: Step): Promise<Outcome>;
  /** Asks what became of the step; changes nothing at the provider. */
  ask(payment: Payment, step: Step): Promise<Outcome>;
  /** Reads a callback. Throws UNAUTHENTICATED or INVALID_ARGUMENT. */
  readCallback(signature: string, body: Buffer): ProviderCallback;
}

/** The providers by name. */
export type Providers = ReadonlyMap<string, Provider>;

/**
 * Decides whether a payment may go on; undefined while the decision is not known. Asking again changes nothing; `isFirst` is a hint that
 * the question was not asked before.
 */
export type Screening = (payment: Payment, isFirst: boolean) => Promise<ScreeningReport | undefined>;
