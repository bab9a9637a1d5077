import { type Connection, createConnection, type Model, mongo } from "mongoose";
import type { Platform } from "../../local/platform";
import { makeAgentStore } from "../../services/auth/store/agent-store";
import { makeApprovalStore } from "../../services/auth/store/approval-store";
import { makeAuditKeyStore } from "../../services/auth/store/audit-key-store";
import { makeAuditStore } from "../../services/auth/store/audit-store";
import { makeClientStore } from "../../services/auth/store/client-store";
import { makeCredentialStore } from "../../services/auth/store/credential-store";
import { makeRevokedTokenStore } from "../../services/auth/store/revoked-token-store";
import { makeSigningKeyStore } from "../../services/auth/store/signing-key-store";
import { makeTenantStore } from "../../services/auth/store/tenant-store";
import { makeMarketStore } from "../../services/fx/store/market-store";
import { makeQuoteStore } from "../../services/fx/store/quote-store";
import { makeBankStore } from "../../services/schema/store/bank-store";
import { makeSchemaStore } from "../../services/schema/store/schema-store";

/** Stores take what they need to seal when they are made, and their models are made with them. */
const unused: never = new Proxy({}, {}) as never;

/** Makes the models of a service, by the stores that have them. */
const modelsOf = {
  auth(connection: Connection) {
    makeAgentStore(connection, unused);
    makeApprovalStore(connection, unused);
    makeAuditKeyStore(connection, unused);
    makeAuditStore(connection);
    makeClientStore(connection);
    makeCredentialStore(connection);
    makeRevokedTokenStore(connection);
    makeSigningKeyStore(connection, unused);
    makeTenantStore(connection);
  },
  fx(connection: Connection) {
    makeMarketStore(connection);
    makeQuoteStore(connection);
  },
  schema(connection: Connection) {
    makeBankStore(connection);
    makeSchemaStore(connection);
  },
} as const;

/** What every service keeps for itself and its bus (`services/shared`), without a model. */
const plumbing: ReadonlySet<string> = new Set([
  "consumer_positions",
  "inbox",
  "key_holders",
  "key_renewals",
  "leases",
  "parked_messages",
  "rate_buckets",
  "relay_notes",
  "relay_positions",
  "replays",
  "verifiers",
  "watermarks",
]);

export interface StoredDocuments {
  /** What the schema of a model does not say of the documents that are stored, or says otherwise. */
  faults: readonly string[];
  /** How many documents were looked at, by `<service>.<collection>`. */
  counts: Readonly<Record<string, number>>;
}

type Modelled = keyof typeof modelsOf;

/** Compares every document of the services whose models are known here with its model's schema. */
export async function readStoredDocuments(
  { mongoUri, database }: Pick<Platform, "mongoUri" | "database">,
  services: readonly Modelled[] = Object.keys(modelsOf) as Modelled[],
): Promise<StoredDocuments> {
  const faults = new Set<string>();
  const counts: Record<string, number> = {};
  for (const service of services) {
    const dbName = database(service);
    const connection = await createConnection(mongoUri, {
      dbName,
      useBigInt64: true,
      promoteBuffers: true,
      autoIndex: false,
      autoCreate: false,
    }).asPromise();
    modelsOf[service](connection);
    const models = new Map(Object.values(connection.models).map((model) => [model.collection.name, model]));
    const db = connection.getClient().db(dbName);
    for (const { name } of await db.listCollections().toArray()) {
      const model = models.get(name);
      if (model === undefined && !plumbing.has(name)) faults.add(`${service}.${name}: has no model`);
      if (model === undefined) continue;
      counts[`${service}.${name}`] = 0;
      for await (const document of db.collection(name).find({}, { hint: "_id_" })) {
        counts[`${service}.${name}`] = (counts[`${service}.${name}`] ?? 0) + 1;
        for (const fault of await faultsOf(model, document)) faults.add(`${service}.${name}: ${fault}`);
      }
    }
    await connection.close();
  }
  return { faults: [...faults], counts };
}

/** Throws where a document of a service is not what its model's schema says. */
export async function requireTrueSchemas(...place: Parameters<typeof readStoredDocuments>): Promise<void> {
  const { faults } = await readStoredDocuments(...place);
  if (faults.length > 0) throw new Error(`schemas are not true:\n${faults.join("\n")}`);
}

/** What the schema of a model refuses of a document, and what it would store in another way. */
async function faultsOf(model: Model<unknown>, stored: mongo.Document): Promise<readonly string[]> {
  try {
    const document = new model(stored, null, { defaults: false });
    await document.validate();
    const read = leavesOf(document.toObject({ minimize: false, flattenMaps: true }));
    const written = leavesOf(stored);
    return [...new Set([...read.keys(), ...written.keys()])]
      .filter((path) => read.get(path) !== written.get(path))
      .map((path) => `${path.replaceAll(/\d+/g, "*")} is stored otherwise than its schema says`);
  } catch (error) {
    return [String(error)];
  }
}

/** Values of a document with their types, by path. */
function leavesOf(document: unknown): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    const leaf = leafOf(value);
    leaves.set(path, leaf ?? (Array.isArray(value) ? "array" : "object"));
    if (leaf !== undefined) return;
    for (const [key, inner] of Object.entries(value as object)) walk(inner, path === "" ? key : `${path}.${key}`);
  };
  walk(document, "");
  return leaves;
}

/** A value that has no parts, with its type. */
function leafOf(value: unknown): string | undefined {
  if (Buffer.isBuffer(value)) return `bytes ${value.toString("base64")}`;
  if (value instanceof mongo.Binary) return `bytes ${value.toString("base64")}`;
  if (value instanceof Date) return `date ${value.toISOString()}`;
  if (typeof value === "object" && value !== null) return undefined;
  return `${typeof value} ${String(value)}`;
}
