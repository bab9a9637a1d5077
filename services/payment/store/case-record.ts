import type { Connection, mongo } from "mongoose";
import { Schema } from "mongoose";
import { parseInstant } from "../../shared/kernel/clock";
import type { Money } from "../../shared/kernel/money";
import type { TenantKey } from "../../shared/storage/data-keys";
import { driverDb } from "../../shared/storage/mongo";
import type { CaseKind, CaseNote } from "../domain/case-note";
import type { Evidence, Fact } from "../domain/fact";
import type { Payment, PaymentEvent } from "../domain/payment";
import type { ByLeg, EvidenceKey } from "./evidence-keys";

/** One line of a case's story. */
export interface StoryLine {
  at: Date;
  author: string;
  approver: string;
  text: string;
  /** The command that was carried out; empty for what the platform noticed. */
  command: string;
  evidence: Evidence | undefined;
}

/** A line as it is stored; `persons`: with whose keys its evidence is sealed, undefined for the tenant's. */
export type LineRecord = Omit<StoryLine, "evidence"> & {
  hash: string | undefined;
  raw: string | undefined;
  persons: readonly string[] | undefined;
};

/** A fact about nobody's reference; sealed for the persons of the payment that it was given to, once it was. */
export interface FactOfCase {
  id: string;
  sealed: string | undefined;
  persons: readonly string[] | undefined;
}

/** With what a case is sealed: as the persons' own, or as the tenant's. */
export type CaseSealing = { persons: readonly string[] | undefined; sealer: Pick<TenantKey, "seal"> | undefined };
export type CaseOpening = Pick<TenantKey, "open"> | undefined;

/** A case as it is stored. What providers and operators gave as proof is sealed. */
export interface CaseRecord {
  _id: string;
  state: "OPEN" | "CLOSED";
  kinds: CaseKind[];
  /** The finder's own key of it; undefined for a case of a payment. */
  key: string | undefined;
  tenant: string;
  /** Whose keys seal what is written into it from now on; undefined for the tenant's. */
  persons: readonly string[] | undefined;
  provider: string;
  paymentIds: string[];
  amounts: { minor: bigint; currency: string }[];
  owner: string;
  openedAt: Date;
  updatedAt: Date;
  closedAt: Date | undefined;
  notes: LineRecord[];
  /** Commands that were carried out, by their id, with a hash of their content. */
  commands: { id: string; hash: string }[] | undefined;
  /** Money that moved about nobody's reference; it waits in suspense. */
  facts: FactOfCase[] | undefined;
  version: number;
  agentId: string;
  externalId: string;
  externalTransactionId: string | undefined;
  traceparent: string;
  published: number;
  relayDue: Date | undefined;
  /** When the oldest was given of the proof that is still kept, or when to look at it again; absent when there is none. */
  evidenceAt?: Date;
  lastEventAt: Date;
  eventCount: number;
  events: PaymentEvent[];
}

export const platformTenant = "platform";

export const caseCollection = (connection: Connection): mongo.Collection<CaseRecord> =>
  driverDb(connection).collection<CaseRecord>("cases");

export const caseSchema = new Schema(
  {
    _id: String,
    state: { type: String, required: true },
    kinds: { type: [String], required: true },
    tenant: { type: String, required: true },
    provider: String,
    paymentIds: [String],
    openedAt: { type: Date, required: true },
    lastEventAt: { type: Date, required: true },
    relayDue: Date,
    evidenceAt: Date,
  },
  { strict: false },
)
  .index({ state: 1, openedAt: 1, _id: 1 })
  .index({ paymentIds: 1, openedAt: 1, _id: 1 })
  .index({ openedAt: 1, _id: 1 })
  .index({ relayDue: 1, _id: 1 }, { partialFilterExpression: { relayDue: { $exists: true } } })
  .index({ evidenceAt: 1, _id: 1 }, { partialFilterExpression: { evidenceAt: { $exists: true } } })
  .index({ lastEventAt: 1 });

const placeOf = (caseId: string, field: string): string => `cases|${caseId}|${field}`;

export const sealLine = (
  { persons, sealer }: CaseSealing,
  caseId: string,
  { evidence, ...line }: StoryLine,
): LineRecord => ({
  ...line,
  hash: evidence?.hash,
  raw: evidence === undefined ? undefined : sealer?.seal(evidence.raw, placeOf(caseId, "notes")),
  persons: evidence === undefined ? undefined : persons,
});

/** A line whose persons were erased keeps the hash of its evidence alone. */
export const openLine = (
  opener: CaseOpening,
  caseId: string,
  { raw, hash, persons: _persons, ...line }: LineRecord,
): StoryLine => {
  const opened = raw === undefined ? undefined : opener?.open(raw, placeOf(caseId, "notes")).toString("utf8");
  return { ...line, evidence: hash === undefined ? undefined : { raw: opened ?? "", hash } };
};

/** A fact with its amount; bigint is written as text. */
export const sealCaseFact = ({ persons, sealer }: CaseSealing, caseId: string, id: string, fact: Fact): FactOfCase => ({
  id,
  sealed: sealer?.seal(
    JSON.stringify(fact, (_name, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)),
    placeOf(caseId, "facts"),
  ),
  persons,
});

/** Undefined once its persons were erased. */
export function openCaseFact(opener: CaseOpening, caseId: string, { sealed }: FactOfCase): Fact | undefined {
  if (sealed === undefined || opener === undefined) return undefined;
  const text = opener.open(sealed, placeOf(caseId, "facts")).toString("utf8");
  return JSON.parse(text, (name, value: unknown) => {
    if (name === "minor" && typeof value === "string") return BigInt(value.slice(0, -1));
    return name === "providerAt" && typeof value === "string" ? parseInstant(value) : value;
  }) as Fact;
}

/** What a new case is made from. */
export interface NewCase {
  tenant: string;
  provider: string;
  paymentIds: readonly string[];
  amounts: readonly Money[];
}

export const freshCase = ({ tenant, provider, paymentIds, amounts }: NewCase, at: Date) => ({
  tenant,
  provider,
  paymentIds: [...paymentIds],
  amounts: amounts.map(({ minor, currency }) => ({ minor, currency })),
  owner: "",
  openedAt: at,
  agentId: platformTenant,
  externalId: "",
  traceparent: "",
  published: 0,
  lastEventAt: at,
  eventCount: 0,
  events: [],
});

/** The writes that keep a payment's case in step with it, one for each line, in their order. */
export function noteUpdates(payment: Payment, notes: readonly CaseNote[], sealing: ByLeg<EvidenceKey>) {
  const { tenant, id, payout, pull, amount, updatedAt: at } = payment;
  // What people write into it is the sender's.
  const { persons } = sealing.pull;
  const amounts = [amount, ...(payout === undefined ? [] : [payout.amount])];
  const provider = pull?.provider ?? payout?.rail ?? "";
  return notes.map(({ caseId, kind, text, evidence, role = "pull", closes }) => {
    const line: StoryLine = { at, author: "platform", approver: "", text, command: "", evidence };
    return {
      filter: { _id: caseId },
      update: {
        $setOnInsert: freshCase({ tenant, provider, paymentIds: [id], amounts }, at),
        $set: {
          state: closes ? ("CLOSED" as const) : ("OPEN" as const),
          updatedAt: at,
          persons,
          ...(closes ? { closedAt: at } : {}),
        },
        $push: { notes: sealLine(sealing[role], caseId, line) },
        $inc: { version: 1 },
        ...(evidence === undefined ? {} : { $min: { evidenceAt: at } }),
        ...(kind === undefined ? {} : { $addToSet: { kinds: kind } }),
      },
    };
  });
}
