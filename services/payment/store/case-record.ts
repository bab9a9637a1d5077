import type { Connection, mongo } from "mongoose";
import { Schema } from "mongoose";
import { parseInstant } from "../../shared/clock";
import type { TenantKey } from "../../shared/data-keys";
import type { Money } from "../../shared/money";
import { driverDb } from "../../shared/mongo";
import type { CaseKind, CaseNote } from "../domain/case-note";
import type { Evidence, Fact } from "../domain/fact";
import type { Payment, PaymentEvent } from "../domain/payment";

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

type LineRecord = Omit<StoryLine, "evidence"> & { hash: string | undefined; raw: string | undefined };

/** A case as it is stored. What providers and operators gave as proof is sealed. */
export interface CaseRecord {
  _id: string;
  state: "OPEN" | "CLOSED";
  kinds: CaseKind[];
  /** The finder's own key of it; undefined for a case of a payment. */
  key: string | undefined;
  tenant: string;
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
  facts: { id: string; sealed: string }[] | undefined;
  version: number;
  agentId: string;
  externalId: string;
  externalTransactionId: string | undefined;
  traceparent: string;
  published: number;
  relayDue: Date | undefined;
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
  },
  { strict: false },
)
  .index({ state: 1, openedAt: 1, _id: 1 })
  .index({ paymentIds: 1, openedAt: 1, _id: 1 })
  .index({ openedAt: 1, _id: 1 })
  .index({ relayDue: 1, _id: 1 }, { partialFilterExpression: { relayDue: { $exists: true } } })
  .index({ lastEventAt: 1 });

const placeOf = (caseId: string, field: string): string => `cases|${caseId}|${field}`;

export const sealLine = (
  key: Pick<TenantKey, "seal">,
  caseId: string,
  { evidence, ...line }: StoryLine,
): LineRecord => ({
  ...line,
  hash: evidence?.hash,
  raw: evidence === undefined ? undefined : key.seal(evidence.raw, placeOf(caseId, "notes")),
});

export const openLine = (
  key: Pick<TenantKey, "open">,
  caseId: string,
  { raw, hash, ...line }: LineRecord,
): StoryLine => ({
  ...line,
  evidence:
    raw === undefined || hash === undefined
      ? undefined
      : { raw: key.open(raw, placeOf(caseId, "notes")).toString("utf8"), hash },
});

/** A fact with its amount; bigint is written as text. */
export const sealCaseFact = (key: Pick<TenantKey, "seal">, caseId: string, fact: Fact): string =>
  key.seal(
    JSON.stringify(fact, (_name, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)),
    placeOf(caseId, "facts"),
  );

export function openCaseFact(key: Pick<TenantKey, "open">, caseId: string, sealed: string): Fact {
  const text = key.open(sealed, placeOf(caseId, "facts")).toString("utf8");
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
export function noteUpdates(payment: Payment, notes: readonly CaseNote[], key: Pick<TenantKey, "seal">, at: Date) {
  const { tenant, id, payout, pull, amount } = payment;
  const amounts = [amount, ...(payout === undefined ? [] : [payout.amount])];
  const provider = pull?.provider ?? payout?.rail ?? "";
  return notes.map(({ caseId, kind, text, evidence, closes }) => {
    const line: StoryLine = { at, author: "platform", approver: "", text, command: "", evidence };
    return {
      filter: { _id: caseId },
      update: {
        $setOnInsert: freshCase({ tenant, provider, paymentIds: [id], amounts }, at),
        $set: {
          state: closes ? ("CLOSED" as const) : ("OPEN" as const),
          updatedAt: at,
          ...(closes ? { closedAt: at } : {}),
        },
        $push: { notes: sealLine(key, caseId, line) },
        $inc: { version: 1 },
        ...(kind === undefined ? {} : { $addToSet: { kinds: kind } }),
      },
    };
  });
}
