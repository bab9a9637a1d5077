import type { Connection } from "mongoose";
import { plusMs } from "../../shared/kernel/clock";
import { type CaseRecord, caseModel } from "./case-record";
import { paymentCollection } from "./payment-store";

/** The evidence from providers and people, in payments and in cases, for as long as it is kept. */
export interface EvidenceStore {
  /**
   * Removes evidence given up to `until` from the oldest `limit` payments and cases that have some; amounts, references and hashes stay.
   * Returns how many were processed. What an interruption or a concurrent writer leaves is removed by the next call.
   */
  expire(until: Date, limit: number): Promise<number>;
}

/** How long until the evidence of a case that is still open is looked at again, milliseconds. */
const lookAgainMs = 30 * 86_400_000;

interface Aged {
  at: Date;
  raw?: string | undefined;
}

export function makeEvidenceStore(connection: Connection): EvidenceStore {
  const payments = paymentCollection(connection);
  const cases = caseModel(connection);
  return {
    async expire(until, limit) {
      const old = { evidenceAt: { $lte: until } };
      const projection = {
        version: 1,
        evidenceAt: 1,
        "facts.at": 1,
        "facts.raw": 1,
        "attempts.at": 1,
        "attempts.raw": 1,
      };
      const found = await payments.find(old, { projection }).sort({ evidenceAt: 1, _id: 1 }).limit(limit).toArray();
      let done = 0;
      for (const { _id, version, facts, attempts } of found) {
        const parts = [expiryOf("facts", facts, until), expiryOf("attempts", attempts, until)];
        // If another writer has changed the document meanwhile, the positions may have moved: the next batch includes it again.
        done += (await payments.updateOne({ _id, version }, changesOf(parts))).modifiedCount;
      }
      const kept = { version: 1, state: 1, closedAt: 1, "notes.at": 1, "notes.raw": 1, "facts.sealed": 1 };
      const noted = await cases.find(old, kept).sort({ evidenceAt: 1, _id: 1 }).limit(limit).lean<CaseRecord[]>();
      for (const { _id, version, notes, ...rest } of noted) {
        const parts = [expiryOf("notes", notes, until), expiryOfFacts(rest, until)];
        done += (await cases.updateOne({ _id, version }, changesOf(parts))).modifiedCount;
      }
      return done;
    },
  };
}

/** Paths whose time is over, and when the next of the remaining ones ends. */
interface Expiry {
  paths: string[];
  next: Date | undefined;
}

function expiryOf(list: string, items: readonly Aged[] = [], until: Date): Expiry {
  const paths = items.flatMap(({ raw, at }, index) =>
    raw !== undefined && at <= until ? [`${list}.${index}.raw`] : [],
  );
  const later = items.flatMap(({ raw, at }) => (raw !== undefined && at > until ? [at] : []));
  return { paths, next: earliest(later) };
}

/** Money that waits in an open case has yet to be given to a payment, together with what its provider wrote. */
function expiryOfFacts({ state, closedAt, facts = [] }: Pick<CaseRecord, "state" | "closedAt" | "facts">, until: Date) {
  const paths = facts.flatMap(({ sealed }, index) => (sealed === undefined ? [] : [`facts.${index}.sealed`]));
  if (paths.length === 0) return { paths, next: undefined };
  if (state === "OPEN" || closedAt === undefined) return { paths: [], next: plusMs(until, lookAgainMs) };
  return closedAt <= until ? { paths, next: undefined } : { paths: [], next: closedAt };
}

/** Returns the changes to a document: `$set` and `$unset` of its dates and paths. */
function changesOf(parts: readonly Expiry[]) {
  const next = earliest(parts.flatMap((part) => part.next ?? []));
  const gone = [...parts.flatMap(({ paths }) => paths), ...(next === undefined ? ["evidenceAt"] : [])];
  return {
    ...(gone.length === 0 ? {} : { $unset: Object.fromEntries(gone.map((path) => [path, "" as const])) }),
    ...(next === undefined ? {} : { $set: { evidenceAt: next } }),
  };
}

const earliest = (times: readonly Date[]): Date | undefined => times.toSorted((a, b) => a.getTime() - b.getTime())[0];
