import { Long } from "bson";
import { CommandError } from "./errors";
import type { Batch } from "./wire/frame";

/** Results that a client has not fetched yet. They are complete and fixed from the start. */
interface Cursor {
  namespace: string;
  documents: Uint8Array[];
  next: number;
  usedAt: number;
}

const idleLimitMs = 10 * 60_000;
const defaultFirstBatch = 101;
/** A batch stays below the largest document so that the reply stays below the largest message. */
const mostBatchBytes = 16 * 1024 * 1024;

export type CursorTable = ReturnType<typeof makeCursors>;

export function makeCursors() {
  const cursors = new Map<string, Cursor>();
  let lastId = Date.now() * 1_000;

  function take(cursor: Cursor, size: number): Uint8Array[] {
    const start = cursor.next;
    let bytes = 0;
    while (cursor.next < cursor.documents.length && cursor.next - start < size) {
      bytes += cursor.documents[cursor.next]?.length ?? 0;
      if (bytes > mostBatchBytes && cursor.next > start) break;
      cursor.next += 1;
    }
    return cursor.documents.slice(start, cursor.next);
  }

  const batchOf = (name: Batch["name"], id: string, cursor: Cursor, documents: Uint8Array[]): Batch => ({
    name,
    documents,
    rest: { id: Long.fromString(id), ns: cursor.namespace },
  });

  return {
    /** The first batch; a cursor remains when there is more. */
    open(namespace: string, documents: Uint8Array[], batchSize: number | undefined, isSingle: boolean): Batch {
      const cursor: Cursor = { namespace, documents, next: 0, usedAt: Date.now() };
      const first = take(cursor, batchSize ?? defaultFirstBatch);
      const hasMore = cursor.next < documents.length || batchSize === 0;
      if (!hasMore || isSingle) return batchOf("firstBatch", "0", cursor, first);
      lastId += 1;
      cursors.set(String(lastId), cursor);
      return batchOf("firstBatch", String(lastId), cursor, first);
    },
    more(id: string, namespace: string, batchSize: number | undefined): Batch {
      const cursor = cursors.get(id);
      if (cursor === undefined || cursor.namespace !== namespace)
        throw new CommandError("CursorNotFound", `cursor id ${id} not found`);
      cursor.usedAt = Date.now();
      const documents = take(cursor, batchSize === undefined || batchSize === 0 ? Number.POSITIVE_INFINITY : batchSize);
      const isDone = cursor.next >= cursor.documents.length;
      if (isDone) cursors.delete(id);
      return batchOf("nextBatch", isDone ? "0" : id, cursor, documents);
    },
    kill: (id: string): boolean => cursors.delete(id),
    reap(now: number): void {
      for (const [id, cursor] of cursors) if (now - cursor.usedAt > idleLimitMs) cursors.delete(id);
    },
  };
}
