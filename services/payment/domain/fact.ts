import { derivedUuid } from "../../shared/kernel/ids";
import type { Money } from "../../shared/kernel/money";
import type { ReasonCode } from "../../shared/kernel/reason-codes";

/** What an acquirer reports about a card. */
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

/** What a provider reports of a collection besides the outcome; a later answer may contain less than an earlier one. */
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

/** Evidence of what a provider said: its words exactly as received, and their SHA-256 in hex. */
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

/** What a rail may have done with one instruction; `REFERENCE_TAKEN`: the rail has other content under our reference. */
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
  /** Name of the provider that reports the fact. */
  provider: string;
  /** Our own reference of the payment. */
  reference: string;
  /** Our key of the step that the fact belongs to, where the provider gives it: a refund's id, a capture's key. */
  stepReference?: string | undefined;
  /** The amount that moved. Kinds that move money always have it. */
  amount?: Money | undefined;
  /** True where the amount is the total of this kind under the reference so far; such a fact names no movement. */
  isTotal?: boolean | undefined;
  /** The provider's own id of the movement; where a provider gives none, our key of the step is used. */
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

/** What a provider reports; the same in an answer, in the reply to a question and in a callback. */
export type Fact = PullFact | PayoutFact;

/** Kinds of facts that move money. */
const moving: ReadonlySet<Fact["kind"]> = new Set([
  "CAPTURED",
  "SETTLED",
  "REFUNDED",
  "RETURNED",
  "CHARGED_BACK",
  "PAID",
]);

/** Kinds that do not concern money: they are acted on and not kept. */
const passing: ReadonlySet<Fact["kind"]> = new Set(["CHALLENGED", "PREPARED", "HELD", "REFERENCE_TAKEN"]);

export const movesMoney = ({ kind }: Pick<Fact, "kind">): boolean => moving.has(kind);
export const isKept = ({ kind }: Pick<Fact, "kind">): boolean => !passing.has(kind);

/** A fact as a payment keeps it, permanently. The ledger uses the same id. */
export interface KeptFact {
  id: string;
  provider: string;
  role: Fact["role"];
  kind: Fact["kind"];
  reference: string;
  movementId: string;
  /** Our key of the step, where the provider gave it: two movements without ids are the same only if they have the same key. */
  stepReference: string | undefined;
  /** Minor units of the currency; undefined for kinds that move nothing. */
  minor: bigint | undefined;
  currency: string | undefined;
  providerAt: Date | undefined;
  /** When the platform learned of it. */
  at: Date;
  reason: Reason | undefined;
  evidence: Evidence | undefined;
  /** True when no provider has reported the fact: it follows from another one. */
  isImplied: boolean;
  /** True when the provider gave the movement no id, so that a report with an id may be about the same movement. */
  isAnonymous: boolean;
  /** Id of the fact that was implied by another one, and that this fact now reports. */
  confirms: string | undefined;
}

/** Returns the provider's own id of a movement, or our key of the step in its place. */
const movementOf = ({ movementId, stepReference, reference }: FactBase): string =>
  movementId ?? stepReference ?? reference;

/** Returns the id of a fact: one movement of one provider under one reference, however it is reported and however often. */
export const factId = (fact: Fact): string =>
  derivedUuid("fact", fact.provider, fact.role, fact.reference, fact.kind, movementOf(fact));

/** True when both facts report the same amount. */
export const isOfSameAmount = (kept: KeptFact, { amount }: Fact): boolean =>
  kept.minor === amount?.minor && kept.currency === amount?.currency;

/** Converts a fact to the form in which it is kept. */
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

/** A provider's refusal of one call, by a code of the adapter's closed list: nothing has moved, and nothing will move by that call. */
export interface Refusal {
  code: string;
  reason: NamedReason;
  evidence: Evidence | undefined;
}

const untold = "no reason given";

/** Returns the reason with a code in every case: the schemes' code for "no reason given" is the default. */
export const named = (reason: Reason | undefined, fallback: ReasonCode = "MS03"): NamedReason => ({
  code: reason?.code ?? fallback,
  text: reason?.text,
});

/** Returns the sentence of a reason. */
export const reasonText = (reason: Reason | undefined): string => reason?.text ?? reason?.code ?? untold;
