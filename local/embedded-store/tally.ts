import { Double, Long } from "bson";
import { type Doc, isArray, isDoc, isNumber } from "./values/bson";
import { toNumber } from "./values/numbers";
import type { Reply } from "./wire/frame";

/** Counts of commands since the start, as MongoDB's `serverStatus` and `top` report them. */
export interface Tally {
  note(name: string, command: Doc, reply: Reply): void;
  /** `metrics.commands` and `metrics.document` of serverStatus. */
  metrics(): Doc;
  /**
   * `totals` of top: for each collection the number of commands, by kind; and the number of its documents written (`documents`), which
   * MongoDB does not count.
   */
  totals(): Doc;
}

const kinds = ["queries", "getmore", "insert", "update", "remove", "commands", "documents"] as const;
type Kind = (typeof kinds)[number];
const kindOf: Readonly<Record<string, Kind>> = {
  find: "queries",
  getMore: "getmore",
  insert: "insert",
  update: "update",
  delete: "remove",
};
/** Names come from clients; those of no command are counted together. */
const mostNames = 200;

export function makeTally(): Tally {
  const total = new Map<string, number>();
  const asked = new Map<string, Map<Kind, number>>();
  const documents = { inserted: 0, updated: 0, deleted: 0 };
  return {
    note(name, command, { body: reply, written: byNamespace = new Map<string, number>() }) {
      const counted = total.has(name) || total.size < mostNames ? name : "other";
      total.set(counted, (total.get(counted) ?? 0) + 1);
      const written = writesIn(name, command, reply);
      documents.inserted += written.inserted;
      documents.updated += written.updated;
      documents.deleted += written.deleted;
      const namespace = namespaceIn(name, command);
      if (namespace !== undefined) {
        const kind = kindOf[name] ?? "commands";
        const counts = asked.get(namespace) ?? new Map<Kind, number>();
        add(counts, kind, 1);
        add(counts, "documents", sum(Object.values(written)));
        asked.set(namespace, counts);
      }
      for (const [written, count] of byNamespace) {
        const counts = asked.get(written) ?? new Map<Kind, number>();
        add(counts, "documents", count);
        asked.set(written, counts);
      }
    },
    metrics: () => ({
      commands: Object.fromEntries([...total].map(([name, count]) => [name, { total: Long.fromNumber(count) }])),
      document: Object.fromEntries(Object.entries(documents).map(([name, count]) => [name, Long.fromNumber(count)])),
    }),
    totals: () =>
      Object.fromEntries(
        [...asked].map(([namespace, counts]) => [
          namespace,
          Object.fromEntries(
            kinds.map((kind) => [kind, { time: new Double(0), count: Long.fromNumber(counts.get(kind) ?? 0) }]),
          ),
        ]),
      ),
  };
}

function namespaceIn(name: string, command: Doc): string | undefined {
  const collection = name === "getMore" ? command["collection"] : command[name];
  const database = command["$db"];
  return typeof collection === "string" && typeof database === "string" ? `${database}.${collection}` : undefined;
}

const countIn = (value: unknown): number => (isNumber(value) ? toNumber(value) : 0);

const add = (counts: Map<Kind, number>, kind: Kind, more: number): void => {
  counts.set(kind, (counts.get(kind) ?? 0) + more);
};

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

interface Writes {
  inserted: number;
  updated: number;
  deleted: number;
}

const none: Writes = { inserted: 0, updated: 0, deleted: 0 };

/** Returns the number of documents that a command has written. */
function writesIn(name: string, command: Doc, reply: Doc): Writes {
  switch (name) {
    case "insert":
      return { ...none, inserted: countIn(reply["n"]) };
    case "delete":
      return { ...none, deleted: countIn(reply["n"]) };
    case "update": {
      const inserted = isArray(reply["upserted"]) ? reply["upserted"].length : 0;
      return { ...none, inserted, updated: countIn(reply["nModified"]) };
    }
    case "bulkWrite": {
      const inserted = countIn(reply["nInserted"]) + countIn(reply["nUpserted"]);
      return { inserted, updated: countIn(reply["nModified"]), deleted: countIn(reply["nDeleted"]) };
    }
    case "findAndModify":
      return found(command, reply["lastErrorObject"]);
    default:
      return none;
  }
}

function found(command: Doc, outcome: unknown): Writes {
  if (!isDoc(outcome)) return none;
  if (outcome["upserted"] !== undefined) return { ...none, inserted: 1 };
  const count = countIn(outcome["n"]);
  return command["remove"] === true ? { ...none, deleted: count } : { ...none, updated: count };
}
