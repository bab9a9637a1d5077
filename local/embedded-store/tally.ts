import { Double, Long } from "bson";
import { type Doc, isArray, isDoc, isNumber } from "./values/bson";
import { toNumber } from "./values/numbers";

/** Counts of commands since the start, as MongoDB's `serverStatus` and `top` report them. */
export interface Tally {
  note(name: string, command: Doc, reply: Doc): void;
  /** `metrics.commands` and `metrics.document` of serverStatus. */
  metrics(): Doc;
  /** `totals` of top: for each collection how often it was asked, by kind of command. */
  totals(): Doc;
}

const kinds = ["queries", "getmore", "insert", "update", "remove", "commands"] as const;
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
    note(name, command, reply) {
      const counted = total.has(name) || total.size < mostNames ? name : "other";
      total.set(counted, (total.get(counted) ?? 0) + 1);
      const namespace = namespaceIn(name, command);
      if (namespace !== undefined) {
        const kind = kindOf[name] ?? "commands";
        const counts = asked.get(namespace) ?? new Map<Kind, number>();
        asked.set(namespace, counts.set(kind, (counts.get(kind) ?? 0) + 1));
      }
      addWrites(documents, name, command, reply);
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

function addWrites(
  documents: { inserted: number; updated: number; deleted: number },
  name: string,
  command: Doc,
  reply: Doc,
): void {
  if (name === "insert") documents.inserted += countIn(reply["n"]);
  else if (name === "delete") documents.deleted += countIn(reply["n"]);
  else if (name === "update") {
    documents.updated += countIn(reply["nModified"]);
    documents.inserted += isArray(reply["upserted"]) ? reply["upserted"].length : 0;
  } else if (name === "findAndModify") {
    const outcome = reply["lastErrorObject"];
    if (!isDoc(outcome)) return;
    if (outcome["upserted"] !== undefined) documents.inserted += 1;
    else if (command["remove"] === true) documents.deleted += countIn(outcome["n"]);
    else documents.updated += countIn(outcome["n"]);
  }
}
