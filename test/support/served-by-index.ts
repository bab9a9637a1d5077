import { type Connection, createConnection, type mongo } from "mongoose";
import type { Tx } from "../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "./testbed";

/**
 * A call of each method of a store, so that every query that it can send is sent. None for methods that only insert, or that only
 * touch what a whole domain object names by its `_id`.
 */
type Calls<S> = { [M in keyof S]: ((method: S[M]) => unknown) | "inserts" | "by _id" };

interface WatchedStore {
  connection: Connection;
  /** A session without a transaction: explained commands are not part of one. */
  tx: Tx;
  /** Runs work and returns its queries that no index serves; a refusal of the work is ignored. */
  unserved(work: () => unknown): Promise<string[]>;
  stop(): Promise<void>;
}

const watched = new Set(["find", "aggregate", "count", "distinct", "update", "delete", "findAndModify"]);

/** A connection with queries that the answering store explains: on MongoDB, by MongoDB's planner. */
async function watchStore(uri: string, database: string): Promise<WatchedStore> {
  const options = { dbName: database, useBigInt64: true, ignoreUndefined: true, autoIndex: false, autoCreate: false };
  const connection = await createConnection(uri, { ...options, monitorCommands: true }).asPromise();
  const plain = await createConnection(uri, options).asPromise();
  const session = await connection.startSession();
  let commands: mongo.Document[] = [];
  connection.getClient().on("commandStarted", ({ commandName, databaseName, command }) => {
    if (databaseName === database && watched.has(commandName)) commands.push(command);
  });
  return {
    connection,
    tx: { session },
    async unserved(work) {
      commands = [];
      await finish(work).catch(() => undefined);
      const sent = commands.flatMap(single);
      if (sent.length === 0) return ["sent no query"];
      const verdicts = await Promise.all(sent.map((command) => verdictOn(plain, command)));
      return verdicts.filter((verdict) => verdict !== undefined);
    },
    async stop() {
      await session.endSession();
      await connection.close();
      await plain.close();
    },
  };
}

/** Runs work to its end, including iterations. */
async function finish(work: () => unknown): Promise<void> {
  const result = await work();
  if (typeof result !== "object" || result === null || !(Symbol.asyncIterator in result)) return;
  for await (const _one of result as AsyncIterable<unknown>);
}

const ofConnection = new Set(
  `lsid txnNumber $clusterTime $db $readPreference startTransaction autocommit readConcern writeConcern maxTimeMS
  bypassDocumentValidation ordered`.split(/\s+/),
);

/** Returns commands in explainable form: without their session, and with one statement each. */
function single(command: mongo.Document): mongo.Document[] {
  const bare = Object.fromEntries(Object.entries(command).filter(([name]) => !ofConnection.has(name)));
  for (const list of ["updates", "deletes"]) {
    const statements: unknown = bare[list];
    if (Array.isArray(statements)) return statements.map((statement) => ({ ...bare, [list]: [statement] }));
  }
  return [bare];
}

interface Question {
  filter: unknown;
  sort: unknown;
  isPage: boolean;
}

function questionOf(command: mongo.Document): Question {
  const [statement] = command["updates"] ?? command["deletes"] ?? [];
  const stages: mongo.Document[] = command["pipeline"] ?? [];
  const stage = (name: string): unknown => stages.find((one) => name in one)?.[name];
  return {
    filter: statement?.q ?? command["filter"] ?? command["query"] ?? stage("$match") ?? {},
    sort: plainOf(command["sort"] ?? stage("$sort") ?? {}),
    isPage: Number(command["limit"] ?? stage("$limit") ?? 0) > 0,
  };
}

/** Drivers send the order of fields as a map. */
const plainOf = (fields: unknown): unknown => (fields instanceof Map ? Object.fromEntries(fields) : fields);

/** Returns what is wrong with the way a store finds the documents of a command; undefined when an index serves it. */
async function verdictOn(connection: Connection, command: mongo.Document): Promise<string | undefined> {
  const explained = await connection
    .getClient()
    .db(connection.name)
    .command({ explain: command, verbosity: "queryPlanner" });
  const planner = plannerOf(explained);
  const { filter, sort, isPage } = questionOf(command);
  const asksForNothing = [filter, sort].every((part) => Object.keys(Object(part)).length === 0);
  const plans: unknown[] = [planner["winningPlan"], ...(planner["rejectedPlans"] ?? [])];
  const ways = plans.map((plan) => [...stagesOf(plan)]);
  const told = JSON.stringify(
    { [Object.keys(command)[0] ?? ""]: Object.values(command)[0], filter, sort },
    (_name, value) => (typeof value === "bigint" ? String(value) : value),
  );
  if (ways[0]?.includes("COLLSCAN") === true && !asksForNothing) return `no index serves ${told}`;
  // On a nearly empty collection it is chance which of two plans wins, so one in order is enough.
  const inOrder = plans.filter((_plan, at) => ways[at]?.includes("SORT") === false);
  if (isPage && inOrder.length === 0) return `no index gives the order of a page of ${told}`;
  // Otherwise a query for a tenant with few documents would read past those of all others.
  const isSorted = Object.keys(Object(sort)).length > 0;
  if (isPage && isSorted && isOfTenant(filter) && !inOrder.some((plan) => [...indexesOf(plan)].every(isOwn)))
    return `the page is read from an index of all tenants: ${told}`;
  return undefined;
}

function plannerOf(explained: mongo.Document): mongo.Document {
  const first: mongo.Document | undefined = explained["stages"]?.[0]?.$cursor;
  return (first ?? explained)["queryPlanner"] ?? {};
}

const isOfTenant = (filter: unknown): boolean => typeof Object(filter).tenant === "string";
/** Indexes are named by their keys. An id belongs to one tenant only. */
const isOwn = (index: string): boolean => index === "_id_" || index.startsWith("tenant_");

/** The values of a name in all stages of a plan, at any depth. */
function* valuesIn(plan: unknown, wanted: string): Generator<string> {
  if (typeof plan !== "object" || plan === null) return;
  for (const [name, value] of Object.entries(plan)) {
    if (name === wanted) yield String(value);
    else if (name !== "slotBasedPlan") yield* valuesIn(value, wanted);
  }
}

const stagesOf = (plan: unknown): Generator<string> => valuesIn(plan, "stage");
const indexesOf = (plan: unknown): Generator<string> => valuesIn(plan, "indexName");

/** Each method of some stores with a call of it. */
function rowsOf(stores: Stores): [string, (() => unknown) | undefined][] {
  return Object.entries(stores).flatMap(([name, [store, calls]]) =>
    Object.keys(store).map((method): [string, (() => unknown) | undefined] => {
      const call: unknown = Reflect.get(calls, method);
      if (call !== "inserts" && call !== "by _id" && typeof call !== "function") {
        throw new Error(`${name}.${method} has no call that shows which index serves it`);
      }
      const run =
        typeof call === "function"
          ? (): unknown => Reflect.apply(call, undefined, [Reflect.get(store, method)])
          : undefined;
      return [`${name}.${method}`, run];
    }),
  );
}

/** A store with the calls of all its methods; typed, so that a method without a call does not compile. */
export const callsOf = <S extends object>(store: S, calls: Calls<S>): readonly [S, Calls<S>] => [store, calls];

type Stores = Readonly<Record<string, readonly [store: object, calls: object]>>;

/**
 * Tests that an index serves every query of some stores. The stores are made on a fresh database of any store that tests run on,
 * and their collections and indexes by their own `init`.
 */
export function describeQueries(service: string, open: (watched: WatchedStore) => Promise<Stores>): void {
  describe(`queries of ${service}`, () => {
    let store: TestStore;
    let watched: WatchedStore;

    beforeAll(async () => {
      // A query that no index serves is to be reported with its method, and not refused before.
      store = await startTestStore({ refusesScans: false });
      watched = await watchStore(store.mongoUri, store.database("queries"));
    });
    afterAll(async () => {
      await watched.stop();
      await store.stop();
    });

    it("are each served by an index, as the planner of the store would choose it", async () => {
      const stores = await open(watched);
      for (const [made] of Object.values(stores))
        await (Reflect.get(made, "init") as (() => Promise<void>) | undefined)?.();
      const unserved: Record<string, string[]> = {};
      for (const [method, call] of rowsOf(stores)) {
        const found = call === undefined ? [] : await watched.unserved(call);
        if (found.length > 0) unserved[method] = found;
      }

      expect(unserved).toEqual({});
    });
  });
}
