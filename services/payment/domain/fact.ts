import { derivedUuid } from "../../shared/kernel/ids";
import type { Money } from "../../shared/kernel/money";
import type { ReasonCode } from "../../shared/kernel/reason-codes";

/** What an acquirer says of a card. */
export interface CardFacts {
  bin: string;
  binNumber: string;
  lastFour: string;
  scheme: string;
  issuer: string;
  country: string;
  countryName: string;
  type: string;
  category: string;
  currency: string;
}

/** What a provider reports of a collection beside the outcome; it may report less with every answer. */
export interface PullDetails {
  providerId?: string;
  authCode?: string;
  responseCode?: string;
  message?: string;
  acsUrl?: string;
  avs?: string;
  cvc?: string;
  card?: CardFacts;
}

/** The proof of what a provider said: its own words as they came, and their SHA-256 in hex. */
export interface Evidence {
  raw: string;
  hash: string;
}

/** Why a provider refused, or why money came back: an ISO 20022 external code or a card scheme's, and a sentence. */
export interface Reason {
  code: string | undefined;
  text: string | undefined;
}

/** A reason whose code is known. */
export interface NamedReason extends Reason {
  code: string;
}

/** What an acquirer or a debit scheme may have done. */
export type PullFactKind =
  | "AUTHORIZED"
  | "CHALLENGED"
  | "DECLINED"
  | "CAPTURED"
  | "SETTLED"
  | "VOIDED"
  | "REFUNDED"
  | "RETURNED"
  | "CHARGED_BACK";

/** What a rail may have done with one instruction; `REFERENCE_TAKEN`: it has other content under our reference. */
export type PayoutFactKind =
  | "PREPARED"
  | "HELD"
  | "RELEASED"
  | "PAID"
  | "REJECTED"
  | "RETURNED"
  | "CANCELLED"
  | "REFERENCE_TAKEN";

interface FactBase {
  /** Name of the provider that says it. */
  provider: string;
  /** Our own reference of the payment. */
  reference: string;
  /** Our key of the step that it belongs to, where the provider says it: a refund's id, a capture's key. */
  stepReference?: string | undefined;
  /** What moved. Kinds that move money always have it. */
  amount?: Money | undefined;
  /** True where the amount is all that has moved of this kind so far, under the reference; it names no movement then. */
  isTotal?: boolean | undefined;
  /** The provider's own id of the movement; our key of the step stands for it where a provider gives none. */
  movementId?: string | undefined;
  /** When it happened, by the provider's clock. */
  providerAt?: Date | undefined;
  reason?: Reason | undefined;
  evidence?: Evidence | undefined;
}

export interface PullFact extends FactBase {
  role: "pull";
  kind: PullFactKind;
  details?: PullDetails | undefined;
}

export interface PayoutFact extends FactBase {
  role: "payout";
  kind: PayoutFactKind;
  railId?: string | undefined;
  receipt?: string | undefined;
}

/** What a provider says to be so: the same in an answer, in the reply to a question and in a callback. */
export type Fact = PullFact | PayoutFact;

/** Kinds that say that money moved. */
const moving: ReadonlySet<Fact["kind"]> = new Set([
  "CAPTURED",
  "SETTLED",
  "REFUNDED",
  "RETURNED",
  "CHARGED_BACK",
  "PAID",
]);

/** Kinds that say nothing of money: they are acted on and not kept. */
const passing: ReadonlySet<Fact["kind"]> = new Set(["CHALLENGED", "PREPARED", "HELD", "REFERENCE_TAKEN"]);

export const movesMoney = ({ kind }: Pick<Fact, "kind">): boolean => moving.has(kind);
export const isKept = ({ kind }: Pick<Fact, "kind">): boolean => !passing.has(kind);

/** A fact as a payment keeps it, permanently. Its id is known to the ledger too. */
export interface KeptFact {
  id: string;
  provider: string;
  role: Fact["role"];
  kind: Fact["kind"];
  reference: string;
  movementId: string;
  /** Our key of the step, where the provider said it: what has no id of its own is the same movement only under the same key. */
  stepReference: string | undefined;
  /** Minor units of the currency; undefined for kinds that move nothing. */
  minor: bigint | undefined;
  currency: string | undefined;
  providerAt: Date | undefined;
  /** When it was learnt. */
  at: Date;
  reason: Reason | undefined;
  evidence: Evidence | undefined;
  /** No provider has reported it: it follows from another fact. */
  isImplied: boolean;
  /** Its provider gave the movement no id, so that one with an id may report the same. */
  isAnonymous: boolean;
  /** The fact that followed from another one, and that this one now reports itself. */
  confirms: string | undefined;
}

/** The provider's own id of a movement, or what stands for it. */
const movementOf = ({ movementId, stepReference, reference }: FactBase): string =>
  movementId ?? stepReference ?? reference;

/** Id of a fact: one movement of one provider under one reference, however and however often it is reported. */
export const factId = (fact: Fact): string =>
  derivedUuid("fact", fact.provider, fact.role, fact.reference, fact.kind, movementOf(fact));

/** True when both report the same amount. */
export const isOfSameAmount = (kept: KeptFact, { amount }: Fact): boolean =>
  kept.minor === amount?.minor && kept.currency === amount?.currency;

/** A fact as it is kept from now on. */
export const toKept = (fact: Fact, at: Date, id = factId(fact)): KeptFact => ({
  id,
  provider: fact.provider,
  role: fact.role,
  kind: fact.kind,
  reference: fact.reference,
  movementId: movementOf(fact),
  stepReference: fact.stepReference,
  minor: fact.amount?.minor,
  currency: fact.amount?.currency,
  providerAt: fact.providerAt,
  at,
  reason: fact.reason,
  evidence: fact.evidence,
  isImplied: false,
  isAnonymous: fact.movementId === undefined,
  confirms: undefined,
});

/** A provider's refusal of one call, by a code of the adapter's closed list: nothing moved, and nothing will by that call. */
export interface Refusal {
  code: string;
  reason: NamedReason;
  evidence: Evidence | undefined;
}

const untold = "no reason given";

/** The reason with a code in any case: that of the schemes for "no reason given" stands in. */
export const named = (reason: Reason | undefined, fallback: ReasonCode = "MS03"): NamedReason => ({
  code: reason?.code ?? fallback,
  text: reason?.text,
});

/** The sentence of a reason. */
export const reasonText = (reason: Reason | undefined): string => reason?.text ?? reason?.code ?? untold;
