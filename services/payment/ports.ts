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

/** A message that a service has put aside. */
export interface ParkedNotice {
  /** Stream and sequence, with a slash between. */
  id: string;
  subject: string;
  cause: string;
  parkedAt: Date | undefined;
}

/** A service that takes messages from the bus, as those see it who look after what it put aside. */
export interface ParkedSource {
  service: string;
  /** Messages behind one, the oldest first; `next` is undefined behind the last. */
  page(after: string): Promise<{ messages: readonly ParkedNotice[]; next: string | undefined }>;
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
  /**
   * Numbers of a push whose checksums do not fit; nothing for a country that is not served. `paymentMethod` is in the words of
   * the schemas of countries.
   */
  advise(
    country: string,
    paymentMethod: Record<string, string>,
    documents: readonly IdentityDocument[],
  ): Promise<readonly FieldViolation[]>;
}

/** The rules of the published schemas for the details of a payment. Fields are named in the words of the schemas of countries. */
export interface DetailsRules {
  /** Every rule that a payment breaks: of text, of its kind, and of the destination country. Throws UNAVAILABLE. */
  check(intent: PaymentIntent): Promise<readonly FieldViolation[]>;
  /** Every rule of the destination country that is about the recipient itself, and not about one payment to it. Throws UNAVAILABLE. */
  checkRecipient(destination: PayoutDestination): Promise<readonly FieldViolation[]>;
  /** What looks mistyped; a payment is not refused for it. Throws UNAVAILABLE. */
  advise(intent: PaymentIntent): Promise<readonly FieldViolation[]>;
}

/** Funds that are set apart for one payment. Exactly one of the four must be called. */
export interface Reservation {
  /** What the payment is to name. */
  promises: readonly MadePromise[];
  /** The payment is stored. */
  commit(): void;
  /** There will be no such payment. */
  release(): void;
  /** It is not known whether the payment is or will be stored. */
  doubt(): void;
  /** Another process took this one for dead and released its blocks: the payment was not stored, and no other will be. */
  lose(): void;
}

/** A rail with the funds for one payment. */
export interface FundedRail extends Reservation {
  rail: string;
}

/** A payout that looks for its rail. */
export interface PayoutPlan {
  tenant: string;
  order: PayoutOrder;
  /** What the recipient gets. */
  amount: Money;
  /** What it takes of the tenant's own account; undefined for nothing. */
  own: Need | undefined;
}

/** The choice of a rail. */
export interface Routes {
  /**
   * The rail that pays an order out, its funds and the tenant's set apart. Throws FUNDS_TOO_LOW when the tenant's account, or ours
   * at each of the rails, does not cover it; UNAVAILABLE when a rail that may cover it does not say what it holds.
   */
  railFor(plan: PayoutPlan): Promise<FundedRail>;
  /** Throws what `railFor` would throw now; sets nothing apart. */
  requireRail(plan: PayoutPlan): Promise<void>;
}

/** What a rail said that it can still pay out for us, and the ledger's counter of releases as it was before the rail was asked. */
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
  /** The least that is of use. */
  least: bigint;
  figure: RailBalance | undefined;
}

/** The ledger as payments need it before they are accepted. */
export interface PromiseLedger {
  /** How an account stands; `available` is undefined where there is no floor. */
  stand(
    account: string,
    currency: string,
  ): Promise<{ promised: bigint; released: bigint; available: bigint | undefined }>;
  /** Takes a block, or nothing of an account that has less than the least; then says what others have not returned. */
  take(request: BlockRequest): Promise<{ granted: bigint; available: bigint; unreturned: readonly string[] }>;
  /** Releases what of a block was promised to no payment. Repeating it changes nothing. */
  returnUnused(blockId: string, unused: bigint): Promise<void>;
  /** Blocks that a holder has taken and not returned. */
  unreturned(holder: string): Promise<readonly { blockId: string; granted: bigint }[]>;
}

/** What a debit scheme receives of an account that was checked before. */
export type DebitAccount = { accessToken: string; accountId: string } | { account: Readonly<Record<string, string>> };

/** Tokens of checked bank accounts. */
export interface AccountTokens {
  /** The account behind a token of the tenant; undefined when there is none, or it was revoked. */
  open(tenant: string, token: string): Promise<DebitAccount | undefined>;
}

/**
 * What came of a call to a provider, as far as the adapter's table knows the answer:
 * `facts`: the provider says what is so; `refused`: it will not do the step, by a code of the adapter's closed list;
 * `absent`: it was asked and certainly knows nothing of the step; `unknown`: everything else, and the step may or may not have been
 * executed.
 */
export type Outcome =
  | { kind: "facts"; facts: readonly [Fact, ...Fact[]] }
  | { kind: "refused"; refusal: Refusal }
  | { kind: "absent"; facts?: readonly Fact[] }
  | { kind: "unknown"; evidence?: Evidence };

/** What a callback says. Without facts and refusal it only says that there is news: the provider is asked. */
export interface ProviderCallback {
  reference: string;
  facts: readonly Fact[];
  /** What it says of money where the reference is no payment's, and nothing can be asked about it. */
  strayFacts?: readonly Fact[] | undefined;
  /** When it happened, by the provider's clock; undefined when it does not say. */
  at: Date | undefined;
  evidence: Evidence;
}

/** A closed list of refusals, each with the reason that it stands for when the provider names none itself. */
export type Refusals = Readonly<Record<string, ReasonCode>>;

/** What an adapter says of its provider, before any call. */
export interface ProviderManifest {
  name: string;
  /** Whether money is collected, paid out, or decided about there. */
  role: "pull" | "payout" | "screening";
  /** False: the provider takes the whole instruction with the release, and is first called then. */
  hasPrepare: boolean;
  /** False: preparing leaves nothing behind there, so it is recorded with the step behind it. */
  keepsPrepared: boolean;
  /** True when the provider gives a prepared instruction up on demand. */
  hasCancel: boolean;
  /** How its reports are known to be its own: our protocol's signature, or nothing where it does not call back. */
  callbacks: "signed" | "none";
  /** How long a call that was sent may still take effect, in milliseconds of business time. */
  finalityWindowMs: number;
  /** Every code by which the provider may refuse a step, by step: nothing else is a refusal. */
  refusals: Readonly<Partial<Record<Step, Refusals>>>;
  /** Where its statement comes from: the statement API of the provider, our own ledger, or nowhere. */
  statement: "api" | "ledger" | "none";
}

/**
 * A provider that collects or pays out. Every call names our own key for the payment and the step, and the provider executes a
 * key at most once however often it is sent. No call throws for what the other side does. README.md of `adapters/` says what an
 * adapter has to promise.
 */
export interface Provider {
  readonly manifest: ProviderManifest;
  /** Instructs the provider to do the step. */
  perform(payment: Payment, step: Step): Promise<Outcome>;
  /** Asks what became of the step; changes nothing on the other side. */
  ask(payment: Payment, step: Step): Promise<Outcome>;
  /** Reads a callback. Throws UNAUTHENTICATED or INVALID_ARGUMENT. */
  readCallback(signature: string, body: Buffer): ProviderCallback;
}

/** The providers by name. */
export type Providers = ReadonlyMap<string, Provider>;

/**
 * Who decides whether a payment may go on; undefined while it is not known. Asking again changes nothing; `isFirst` is a hint that
 * it was not asked before.
 */
export type Screening = (payment: Payment, isFirst: boolean) => Promise<ScreeningReport | undefined>;
