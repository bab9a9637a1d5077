import { Long } from "bson";
import { CommandError } from "./errors";
import type { Batch } from "./wire/frame";

/** The parts of a reading command that its cursor needs. */
export interface Reader {
  transaction: { isImplicit: boolean };
  deadline: number;
  position: number;
}

/** Results that a client has not fetched yet; they are read from the store as the client asks for them. */
interface Cursor {
  namespace: string;
  documents: Iterator<Uint8Array>;
  /** The next document, read ahead to know whether there is one. */
  next: Uint8Array | undefined;
  /** The command that opened it: reading continues on its behalf. */
  opener: Reader;
  isKilled: boolean;
  usedAt: number;
}

const idleLimitMs = 10 * 60_000;
const defaultFirstBatch = 101;
/** Larger batches would only use memory; a single document may be larger. */
const mostBatchBytes = 2 * 1024 * 1024;

export type CursorTable = ReturnType<typeof makeCursors>;

export function makeCursors() {
  const cursors = new Map<string, Cursor>();
  let lastId = Date.now() * 1_000;

  function take(cursor: Cursor, size: number): Uint8Array[] {
    const taken: Uint8Array[] = [];
    let bytes = 0;
    for (let next = cursor.next; next !== undefined && taken.length < size; next = cursor.next) {
      bytes += next.length;
      if (bytes > mostBatchBytes && taken.length > 0) break;
      taken.push(next);
      cursor.next = following(cursor.documents);
    }
    return taken;
  }

  const batchOf = (name: Batch["name"], id: string, { namespace }: Cursor, documents: Uint8Array[]): Batch => ({
    name,
    documents,
    rest: { id: Long.fromString(id), ns: namespace },
  });

  return {
    /** The first batch; a cursor remains when there is more. */
    open(
      reader: Reader,
      namespace: string,
      source: Iterable<Uint8Array>,
      batchSize: number | undefined,
      isSingle: boolean,
    ): Batch {
      // A transaction's view changes with its own writes, so its results are fixed when the cursor opens.
      const documents = (reader.transaction.isImplicit ? source : [...source])[Symbol.iterator]();
      const next = following(documents);
      const cursor: Cursor = { namespace, documents, next, opener: reader, isKilled: false, usedAt: Date.now() };
      const first = take(cursor, batchSize ?? defaultFirstBatch);
      const hasMore = cursor.next !== undefined || batchSize === 0;
      if (!hasMore || isSingle) return batchOf("firstBatch", "0", cursor, first);
      lastId += 1;
      cursors.set(String(lastId), cursor);
      return batchOf("firstBatch", String(lastId), cursor, first);
    },
    more(reader: Reader, id: string, namespace: string, batchSize: number | undefined): Batch {
      const cursor = cursors.get(id);
      if (cursor === undefined || cursor.namespace !== namespace)
        throw new CommandError("CursorNotFound", `cursor id ${id} not found`);
      if (cursor.isKilled) {
        cursors.delete(id);
        throw new CommandError("QueryPlanKilled", `${namespace} or one of its indexes was dropped`);
      }
      cursor.usedAt = Date.now();
      cursor.opener.deadline = reader.deadline;
      const documents = take(cursor, batchSize === undefined || batchSize === 0 ? Number.POSITIVE_INFINITY : batchSize);
      reader.position = Math.max(reader.position, cursor.opener.position);
      const isDone = cursor.next === undefined;
      if (isDone) cursors.delete(id);
      return batchOf("nextBatch", isDone ? "0" : id, cursor, documents);
    },
    kill: (id: string): boolean => cursors.delete(id),
    /** Cursors whose collection or index is gone must not end as if they had read everything. */
    killOn(namespace: string): void {
      for (const cursor of cursors.values()) if (cursor.namespace === namespace) cursor.isKilled = true;
    },
    reap(now: number): void {
      for (const [id, cursor] of cursors) if (now - cursor.usedAt > idleLimitMs) cursors.delete(id);
    },
  };
}

function following(documents: Iterator<Uint8Array>): Uint8Array | undefined {
  const result = documents.next();
  return result.done === true ? undefined : result.value;
}
