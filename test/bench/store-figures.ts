import { mongo } from "mongoose";

/** Numbers by name. */
export type Counts = Readonly<Record<string, number>>;

/** What a store was asked for in a span of time, or since its start. */
export interface StoreCounts {
  /** By name of command. */
  commands: Counts;
  /** By collection, and there by kind of command: `queries`. A store that counts them also tells `documents` written there. */
  collections: Readonly<Record<string, Counts>>;
  /** Inserted, changed and removed. */
  documents: number;
}

/** Reads what a store has counted since its start. Its own questions are left out. */
export interface StoreFigures {
  read(): Promise<StoreCounts>;
  stop(): Promise<void>;
}

/** Longer than any measure, so that the reader's own connection says nothing while others are counted. */
const heartbeatFrequencyMS = 3_600_000;
const own = new Set(["serverStatus", "top"]);

export async function openStoreFigures(uri: string): Promise<StoreFigures> {
  const client = await mongo.MongoClient.connect(uri, { heartbeatFrequencyMS });
  const admin = client.db("admin");
  return {
    async read() {
      const { metrics } = await admin.command({ serverStatus: 1 });
      const { totals } = await admin.command({ top: 1 });
      const commands = entriesOf(metrics.commands).flatMap(([name, counts]) =>
        own.has(name) ? [] : [[name, numberIn(counts, "total")] as const],
      );
      const collections = entriesOf(totals).map(([namespace, counts]) => {
        const kinds = entriesOf(counts).map(([kind, facts]) => [kind, numberIn(facts, "count")] as const);
        return [namespace, Object.fromEntries(kinds)] as const;
      });
      const documents = ["inserted", "updated", "deleted"].map((name) => numberIn(metrics.document, name));
      return {
        commands: Object.fromEntries(commands),
        collections: Object.fromEntries(collections),
        documents: sum(documents),
      };
    },
    stop: () => client.close(),
  };
}

/** What was asked between two readings. */
export const countsBetween = (before: StoreCounts, after: StoreCounts): StoreCounts => ({
  commands: difference(before.commands, after.commands),
  collections: Object.fromEntries(
    Object.entries(after.collections).map(([name, counts]) => [
      name,
      difference(before.collections[name] ?? {}, counts),
    ]),
  ),
  documents: after.documents - before.documents,
});

const difference = (before: Counts, after: Counts): Counts =>
  Object.fromEntries(
    Object.entries(after)
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const entriesOf = (value: unknown): [string, unknown][] => Object.entries(Object(value));

const numberIn = (value: unknown, name: string): number => Number(Reflect.get(Object(value), name) ?? 0);
