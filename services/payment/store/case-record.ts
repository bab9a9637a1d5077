import { type Connection, Schema } from "mongoose";
import { parseInstant } from "../../shared/kernel/clock";
import type { Money } from "../../shared/kernel/money";
import type { TenantKey } from "../../shared/storage/data-keys";
import {
  addVariants,
  anyText,
  date,
  integer,
  listOf,
  mayListOf,
  number,
  oneOf,
  part,
  strictDocument,
  text,
} from "../../shared/storage/stored-fields";
import type { CaseKind, CaseNote, StatementDifference } from "../domain/case-note";
import { type Evidence, type Fact, factId } from "../domain/fact";
import type { Payment, PaymentEvent } from "../domain/payment";
import type { ByLeg, EvidenceKey } from "./evidence-keys";
import { caseKinds, differenceClasses, eventFields, eventVariants } from "./payment-parts";

/** One line of a case's story. */
export interface StoryLine {
  at: Date;
  author: string;
  approver: string;
  text: string;
  /** The command that was carried out; empty for what the platform itself noticed. */
  command: string;
  evidence: Evidence | undefined;
}

/** The keys that seal a part of a case: those of the persons, else those of a payment's tenant, else the case's own. */
interface Sealed {
  persons: readonly string[] | undefined;
  sealedOf?: string;
}

/** A line as it is stored, with its evidence sealed. */
export type LineRecord = Omit<StoryLine, "evidence"> &
  Sealed & {
    hash: string | undefined;
    raw: string | undefined;
  };

/** A fact under an unknown reference; once it was given to a payment, it is sealed for that payment. */
export interface FactOfCase extends Sealed {
  id: string;
  sealed: string | undefined;
  /** The command that gave the fact to a payment, or settled it otherwise; absent while its money waits in suspense. */
  settledBy?: string;
}

/** The keys that seal a case. */
export type CaseSealing = Sealed & { sealer: Pick<TenantKey, "seal"> | undefined };

/** True for what the case's own key opens. */
export const isOwn = ({ persons, sealedOf }: Sealed): boolean => persons === undefined && sealedOf === undefined;

const sealedBy = ({ persons, sealedOf }: Sealed): Sealed => ({
  persons,
  ...(sealedOf === undefined ? {} : { sealedOf }),
});
export type CaseOpening = Pick<TenantKey, "open"> | undefined;

/** A case as it is stored. Evidence from providers and operators is sealed. */
export interface CaseRecord {
  _id: string;
  state: "OPEN" | "CLOSED";
  kinds: CaseKind[];
  /** The key by which its creator finds it; undefined for a case of a payment. */
  key: string | undefined;
  /** The keys of what other services reported about the payment of the case; absent without any. */
  reported?: string[];
  tenant: string;
  /** The persons whose keys seal what is written into it from now on; undefined for the tenant's key. */
  persons: readonly string[] | undefined;
  provider: string;
  paymentIds: string[];
  amounts: { minor: bigint; currency: string }[];
  /** Differences to statements that other services reported; absent without any. */
  differences?: StatementDifference[];
  owner: string;
  openedAt: Date;
  updatedAt: Date;
  closedAt: Date | undefined;
  notes: LineRecord[];
  /** Commands that were carried out, by id, with a hash of their content. */
  commands: { id: string; hash: string }[] | undefined;
  /** Money that moved under an unknown reference; it waits in suspense. */
  facts: FactOfCase[] | undefined;
  version: number;
  agentId: string;
  externalId: string;
  externalTransactionId: string | undefined;
  traceparent: string;
  published: number;
  relayDue: Date | undefined;
  /** When the oldest evidence that is still kept was given, or when to look at it again; absent when there is none. */
  evidenceAt?: Date;
  lastEventAt: Date;
  eventCount: number;
  events: PaymentEvent[];
}

export const platformTenant = "platform";

const amountSchema = part({ minor: integer, currency: text });
const differenceSchema = part({
  breakId: text,
  class: oneOf(differenceClasses),
  provider: anyText,
  reference: anyText,
  leg: { type: String, enum: ["pull", "payout"] },
  ours: amountSchema,
  theirs: amountSchema,
  lineIds: listOf(String),
  entryIds: listOf(String),
  foundAt: date,
});
const sealedBySchema = { persons: mayListOf(String), sealedOf: String };
const caseSchema = new Schema<CaseRecord>(
  {
    _id: text,
    state: oneOf(["OPEN", "CLOSED"]),
    kinds: listOf({ type: String, enum: caseKinds }),
    key: String,
    reported: mayListOf(String),
    tenant: text,
    persons: mayListOf(String),
    provider: anyText,
    paymentIds: listOf(String),
    amounts: mayListOf(amountSchema),
    differences: mayListOf(differenceSchema),
    owner: anyText,
    openedAt: date,
    updatedAt: date,
    closedAt: Date,
    notes: listOf(
      part({
        at: date,
        author: text,
        approver: anyText,
        text,
        command: anyText,
        hash: String,
        raw: String,
        ...sealedBySchema,
      }),
    ),
    commands: mayListOf(part({ id: text, hash: text })),
    facts: mayListOf(part({ id: text, sealed: String, settledBy: String, ...sealedBySchema })),
    version: number,
    agentId: text,
    externalId: anyText,
    externalTransactionId: String,
    traceparent: anyText,
    published: number,
    relayDue: Date,
    evidenceAt: Date,
    lastEventAt: date,
    eventCount: number,
    events: listOf(eventFields),
  },
  strictDocument,
)
  .index({ state: 1, openedAt: 1, _id: 1 })
  .index({ paymentIds: 1, openedAt: 1, _id: 1 })
  .index({ openedAt: 1, _id: 1 })
  .index({ relayDue: 1, _id: 1 }, { partialFilterExpression: { relayDue: { $exists: true } } })
  .index({ evidenceAt: 1, _id: 1 }, { partialFilterExpression: { evidenceAt: { $exists: true } } })
  .index({ lastEventAt: 1 });
addVariants(caseSchema, "events", eventVariants);

export const caseModel = (connection: Connection) => connection.model("Case", caseSchema, "cases");

const placeOf = (caseId: string, field: string): string => `cases|${caseId}|${field}`;

export const sealLine = (
  { sealer, ...whose }: CaseSealing,
  caseId: string,
  { evidence, ...line }: StoryLine,
): LineRecord => ({
  ...line,
  hash: evidence?.hash,
  raw: evidence === undefined ? undefined : sealer?.seal(evidence.raw, placeOf(caseId, "notes")),
  ...(evidence === undefined ? { persons: undefined } : sealedBy(whose)),
});

/** Opens a line. A line whose persons were erased keeps only the hash of its evidence. */
export const openLine = (
  opener: CaseOpening,
  caseId: string,
  { raw, hash, persons: _persons, sealedOf: _sealedOf, ...line }: LineRecord,
): StoryLine => {
  const opened = raw === undefined ? undefined : opener?.open(raw, placeOf(caseId, "notes")).toString("utf8");
  return { ...line, evidence: hash === undefined ? undefined : { raw: opened ?? "", hash } };
};

/** Seals a fact with its amount; bigint is written as text. */
export const sealCaseFact = (
  { sealer, ...whose }: CaseSealing,
  caseId: string,
  id: string,
  fact: Fact,
): FactOfCase => ({
  id,
  sealed: sealer?.seal(
    JSON.stringify(fact, (_name, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)),
    placeOf(caseId, "facts"),
  ),
  ...sealedBy(whose),
});

/** Reseals the story of a case that goes to a payment: what went to another payment before stays as it is. `stored` are the same lines. */
export const sealedAnew = (
  { id, notes }: { id: string; notes: readonly StoryLine[] },
  line: StoryLine,
  sealing: CaseSealing,
  stored: readonly LineRecord[] = [],
) => ({
  persons: sealing.persons,
  notes: [...notes, line].map((one, index) => {
    const own = stored[index];
    return own === undefined || isOwn(own) ? sealLine(sealing, id, one) : own;
  }),
});

/**
 * Returns the facts of a case. Those that a command settles carry its id, and those that it gave to a payment are sealed for the
 * payment's persons.
 */
export function settledFacts(
  { _id, facts = [] }: CaseRecord,
  { commandId, settles = [], paymentId }: { commandId: string; settles?: readonly Fact[]; paymentId?: string },
  sealing: CaseSealing,
): FactOfCase[] {
  const settled = new Map(settles.map((fact) => [factId(fact), fact]));
  return facts.map((one) => {
    const fact = settled.get(one.id);
    if (fact === undefined) return one;
    return { ...(paymentId === undefined ? one : sealCaseFact(sealing, _id, one.id, fact)), settledBy: commandId };
  });
}

/** Opens a fact; undefined once its persons were erased. */
export function openCaseFact(opener: CaseOpening, caseId: string, { sealed }: FactOfCase): Fact | undefined {
  if (sealed === undefined || opener === undefined) return undefined;
  const text = opener.open(sealed, placeOf(caseId, "facts")).toString("utf8");
  return JSON.parse(text, (name, value: unknown) => {
    if (name === "minor" && typeof value === "string") return BigInt(value.slice(0, -1));
    return name === "providerAt" && typeof value === "string" ? parseInstant(value) : value;
  }) as Fact;
}

/** Everything that a new case is made from. */
export interface NewCase {
  tenant: string;
  provider: string;
  paymentIds: readonly string[];
  amounts: readonly Money[];
  difference?: StatementDifference | undefined;
}

export const freshCase = ({ tenant, provider, paymentIds, amounts, difference }: NewCase, at: Date) => ({
  tenant,
  provider,
  paymentIds: [...paymentIds],
  amounts: amounts.map(({ minor, currency }) => ({ minor, currency })),
  ...(difference === undefined ? {} : { differences: [difference] }),
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

/** Returns the writes that keep a payment's case in step with it, one for each line, in their order. */
export function noteUpdates(payment: Payment, notes: readonly CaseNote[], sealing: ByLeg<EvidenceKey>) {
  const { tenant, id, payout, pull, amount, updatedAt: at } = payment;
  // What people write into the case belongs to the sender.
  const { persons } = sealing.pull;
  const amounts = [amount, ...(payout === undefined ? [] : [payout.amount])];
  const provider = pull?.provider ?? payout?.rail ?? "";
  return notes.map(({ caseId, kind, text, evidence, role = "pull", key, difference, closes }) => {
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
        $push: {
          notes: sealLine(sealing[role], caseId, line),
          ...(difference === undefined ? {} : { differences: difference }),
        },
        $inc: { version: 1 },
        ...(evidence === undefined ? {} : { $min: { evidenceAt: at } }),
        ...(kind === undefined ? {} : { $addToSet: { kinds: kind, ...(key === undefined ? {} : { reported: key }) } }),
      },
    };
  });
}
