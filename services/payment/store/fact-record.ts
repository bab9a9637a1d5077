import type { TenantKey } from "../../shared/storage/data-keys";
import type { Evidence, KeptFact } from "../domain/fact";
import type { Payment } from "../domain/payment";
import { roleOf, type Step } from "../domain/steps";

/** One call to a provider, for the timeline. */
export interface Attempt {
  step: Step;
  provider: string;
  /** Whether the provider was instructed to do the step, or asked what became of it. */
  approach: "send" | "ask";
  /** What came of it: a status in the provider's report, `absent` or `unknown`. */
  outcome: string;
  /** Why the provider refused, held or gave back: an ISO 20022 code or a card scheme's code. */
  code?: string;
  /** What the provider wrote, where it became no fact. Sealed at rest. */
  evidence?: Evidence;
  at: Date;
  tookMs: number;
}

export type AttemptRecord = Omit<Attempt, "evidence"> & { hash?: string; raw?: string };

/** A fact as it is stored; the provider's text is sealed. */
export type FactRecord = Omit<KeptFact, "evidence"> & { hash: string | undefined; raw: string | undefined };

export type Sealing = Pick<TenantKey, "seal">;
export type Opening = Pick<TenantKey, "open">;
export type Place = Pick<Payment, "tenant" | "id">;

/** Returns the place of a sealed field of a payment. */
export const placeOf = ({ tenant, id }: Place, field: string): string => `${tenant}|payments|${id}|${field}`;

export const placeOfRecord = ({ tenant, _id }: { tenant: string; _id: string }): Place => ({ tenant, id: _id });

export const sealFact = (key: Sealing | undefined, place: Place, { evidence, ...fact }: KeptFact): FactRecord => ({
  ...fact,
  hash: evidence?.hash,
  raw: evidence === undefined ? undefined : key?.seal(evidence.raw, placeOf(place, `facts.${fact.id}`)),
});

/** Returns a fact as decisions need it; the provider's text stays sealed. */
export const toFact = ({ hash, raw: _raw, ...fact }: FactRecord): KeptFact => ({
  ...absentFact,
  ...fact,
  evidence: hash === undefined ? undefined : { raw: "", hash },
});

const absentFact = {
  stepReference: undefined,
  minor: undefined,
  currency: undefined,
  providerAt: undefined,
  reason: undefined,
  confirms: undefined,
} satisfies Partial<KeptFact>;

/** Returns a fact with the provider's text, for people. */
/** An opener is undefined when one of its persons was erased. */
export const openFact = (
  key: Opening | undefined,
  record: { tenant: string; _id: string },
  fact: FactRecord,
): KeptFact => {
  const place = placeOf(placeOfRecord(record), `facts.${fact.id}`);
  const raw = fact.raw === undefined ? undefined : key?.open(fact.raw, place).toString("utf8");
  return { ...toFact(fact), evidence: fact.hash === undefined ? undefined : { raw: raw ?? "", hash: fact.hash } };
};

export const sealAttempt = (
  key: Sealing | undefined,
  place: Place,
  { evidence, ...attempt }: Attempt,
): AttemptRecord => {
  if (evidence === undefined) return attempt;
  const raw = key?.seal(evidence.raw, placeOf(place, "attempts"));
  return { ...attempt, hash: evidence.hash, ...(raw === undefined ? {} : { raw }) };
};

/** Returns the leg that a call concerned; what a screening provider writes concerns the sender. */
export const legOf = ({ step }: Attempt): "pull" | "payout" => (roleOf[step] === "payout" ? "payout" : "pull");

/** Returns when the oldest item was given whose text is still kept. */
export const oldestRaw = (items: readonly { at: Date; raw?: string | undefined }[]): Date | undefined =>
  items
    .flatMap(({ raw, at }) => (raw === undefined ? [] : [at]))
    .toSorted((one, other) => one.getTime() - other.getTime())[0];

/** Returns an update to the earlier of the stored and the given times. */
export function minimum(times: Readonly<Record<string, Date | undefined>>): object {
  const given = Object.entries(times).filter(([, at]) => at !== undefined);
  return given.length === 0 ? {} : { $min: Object.fromEntries(given) };
}

/** Returns an attempt without the text that its provider wrote. */
export const toAttempt = ({ raw: _raw, hash: _hash, ...attempt }: AttemptRecord): Attempt => attempt;
