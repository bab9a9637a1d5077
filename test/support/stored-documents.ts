import { type Connection, createConnection, type Model, mongo } from "mongoose";
import type { Platform, ServiceName } from "../../local/platform";
import { makeAgentStore } from "../../services/auth/store/agent-store";
import { makeApprovalStore } from "../../services/auth/store/approval-store";
import { makeAuditKeyStore } from "../../services/auth/store/audit-key-store";
import { makeAuditStore } from "../../services/auth/store/audit-store";
import { makeClientStore } from "../../services/auth/store/client-store";
import { makeCredentialStore } from "../../services/auth/store/credential-store";
import { makeDeviceLoginStore } from "../../services/auth/store/device-login-store";
import { makeLoginStore } from "../../services/auth/store/login-store";
import { makeRevokedTokenStore } from "../../services/auth/store/revoked-token-store";
import { makeSessionStore as makePersonSessionStore } from "../../services/auth/store/session-store";
import { makeSigningKeyStore } from "../../services/auth/store/signing-key-store";
import { makeTenantStore } from "../../services/auth/store/tenant-store";
import { makeUserStore } from "../../services/auth/store/user-store";
import { makeExposureLimitStore } from "../../services/fx/store/exposure-limit-store";
import { makeMarketStore } from "../../services/fx/store/market-store";
import { makeQuoteStore } from "../../services/fx/store/quote-store";
import { makeDecisionStore } from "../../services/identity/store/decision-store";
import { makeDocumentFiles } from "../../services/identity/store/document-files";
import { makeDocumentStore } from "../../services/identity/store/document-store";
import { makeErasureStore } from "../../services/identity/store/erasure-store";
import { makeExceptionStore } from "../../services/identity/store/exception-store";
import { makeParticipantStore } from "../../services/identity/store/participant-store";
import { makeReviewStore } from "../../services/identity/store/review-store";
import { makeSessionStore } from "../../services/identity/store/session-store";
import { makeVerificationStore } from "../../services/identity/store/verification-store";
import { makeAccountTokenStore } from "../../services/payment/store/account-token-store";
import { makeCardVerdictStore } from "../../services/payment/store/card-verdict-store";
import { makeCaseStore } from "../../services/payment/store/case-store";
import { makeLimitStore } from "../../services/payment/store/limit-store";
import { lostPaymentModel } from "../../services/payment/store/lost-payment-store";
import { makeOpenConversionStore } from "../../services/payment/store/open-conversion-store";
import { makeParticipantKeys } from "../../services/payment/store/participant-keys";
import { makePaymentStore } from "../../services/payment/store/payment-store";
import { makePayoutAccountStore } from "../../services/payment/store/payout-account-store";
import { makePromiseHolderStore } from "../../services/payment/store/promise-holder-store";
import { makeTransactionStore } from "../../services/payment/store/transaction-store";
import { makeBankStore } from "../../services/schema/store/bank-store";
import { makeSchemaStore } from "../../services/schema/store/schema-store";
import { makeDataKeys } from "../../services/shared/storage/data-keys";
import { makeAccountStore } from "../../services/wallet/store/account-store";
import { makeCheckpointStore } from "../../services/wallet/store/checkpoint-store";
import { makeCommitStore } from "../../services/wallet/store/commit-store";
import { makeEntryStore } from "../../services/wallet/store/entry-store";
import { makeHoldExpiryStore } from "../../services/wallet/store/hold-expiry-store";
import { makePromiseStore } from "../../services/wallet/store/promise-store";
import { makeProofStore } from "../../services/wallet/store/proof-store";
import { makeRowStore } from "../../services/wallet/store/row-store";
import { makeStatementStore } from "../../services/wallet/store/statement-store";
import { makeSuspenseStore } from "../../services/wallet/store/suspense-store";
import { makeVerificationStore as makeWalletVerificationStore } from "../../services/wallet/store/verification-store";
import { makeChangeStore } from "../../services/webhook/store/change-store";
import { makeDeliveryStore } from "../../services/webhook/store/delivery-store";
import { makeEventStore } from "../../services/webhook/store/event-store";
import { makeQueueStore } from "../../services/webhook/store/queue-store";
import { restoreModel } from "../../services/webhook/store/restore-store";
import { makeSubscriptionStore } from "../../services/webhook/store/subscription-store";

/** Stores get their sealing keys when they are made, and their models are made with them. */
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
    makeDeviceLoginStore(connection);
    makeLoginStore(connection);
    makePersonSessionStore(connection);
    makeRevokedTokenStore(connection);
    makeSigningKeyStore(connection, unused);
    makeTenantStore(connection);
    makeUserStore(connection, unused);
  },
  fx(connection: Connection) {
    makeExposureLimitStore(connection, unused);
    makeMarketStore(connection);
    makeQuoteStore(connection);
  },
  identity(connection: Connection) {
    makeDataKeys({ connection, sealingKeys: [Buffer.alloc(32)], ids: unused });
    makeDecisionStore(connection);
    makeDocumentFiles(connection, { pieceBytes: 1, clock: unused });
    makeDocumentStore(connection);
    makeErasureStore(connection);
    makeExceptionStore(connection);
    makeParticipantStore(connection, unused, unused);
    makeReviewStore(connection, unused);
    makeSessionStore(connection, unused, unused);
    makeVerificationStore(connection);
  },
  payment(connection: Connection) {
    makeAccountTokenStore(connection, unused);
    makeCardVerdictStore(connection, unused);
    makeCaseStore(connection, unused, unused, unused);
    makeDataKeys({ connection, sealingKeys: [Buffer.alloc(32)], ids: unused });
    makeLimitStore(connection, unused);
    makeParticipantKeys({ connection, sealingKeys: [Buffer.alloc(32)], ids: unused });
    makePaymentStore(connection, unused, unused, unused);
    makePayoutAccountStore({ connection, transact: unused, keys: unused, tenantKeys: unused, ids: unused });
    makePromiseHolderStore(connection);
    makeOpenConversionStore(connection);
    makeTransactionStore(connection, unused);
    lostPaymentModel(connection);
  },
  schema(connection: Connection) {
    makeBankStore(connection);
    makeSchemaStore(connection);
  },
  wallet(connection: Connection) {
    makeAccountStore(connection);
    makeCheckpointStore(connection);
    makeCommitStore(connection, unused);
    makeDataKeys({ connection, sealingKeys: [Buffer.alloc(32)], ids: unused });
    makeEntryStore(connection);
    makeHoldExpiryStore(connection);
    makePromiseStore(connection);
    makeProofStore(connection);
    makeRowStore(connection);
    makeStatementStore(connection);
    makeSuspenseStore(connection);
    makeWalletVerificationStore(connection);
  },
  webhook(connection: Connection) {
    makeChangeStore(connection, unused);
    makeDeliveryStore(connection);
    makeEventStore(connection, unused);
    makeQueueStore(connection);
    makeSubscriptionStore(connection);
    restoreModel(connection);
  },
} as const satisfies Record<ServiceName, (connection: Connection) => void>;

/** Collections without a model: those of every service for itself and its bus (`services/shared`), and the driver's for files. */
const plumbing: ReadonlySet<string> = new Set([
  "documentFiles.chunks",
  "documentFiles.files",
  "consumer_positions",
  "format_readers",
  "formats",
  "inbox",
  "key_holders",
  "key_renewals",
  "leases",
  "parked_messages",
  "rate_buckets",
  "relay_notes",
  "relay_positions",
  "replicas",
  "replays",
  "verifiers",
]);

/** Number of documents that are compared per collection; ids are random, so these are a random sample. */
const mostOfOne = 1_000;

export interface StoredDocuments {
  /** Differences between the schema of a model and the stored documents. */
  faults: readonly string[];
  /** Number of checked documents, by `<service>.<collection>`. */
  counts: Readonly<Record<string, number>>;
}

type Modelled = keyof typeof modelsOf;

/** Compares every document of the services with known models with its model's schema. */
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
    const roots = Object.values(connection.models).filter(({ baseModelName }) => baseModelName === undefined);
    const models = new Map(roots.map((model) => [model.collection.name, model]));
    const db = connection.getClient().db(dbName);
    for (const { name } of await db.listCollections().toArray()) {
      const model = models.get(name);
      if (model === undefined && !plumbing.has(name)) faults.add(`${service}.${name}: has no model`);
      if (model === undefined) continue;
      counts[`${service}.${name}`] = 0;
      for await (const document of db.collection(name).find({}, { hint: "_id_", limit: mostOfOne })) {
        counts[`${service}.${name}`] = (counts[`${service}.${name}`] ?? 0) + 1;
        for (const fault of await faultsOf(model, document)) faults.add(`${service}.${name}: ${fault}`);
      }
    }
    await connection.close();
  }
  return { faults: [...faults], counts };
}

/** Throws if a document of a service does not satisfy its model's schema. */
export async function requireTrueSchemas(...place: Parameters<typeof readStoredDocuments>): Promise<void> {
  const { faults } = await readStoredDocuments(...place);
  if (faults.length > 0) throw new Error(`schemas are not true:\n${faults.join("\n")}`);
}

/** Returns what the schema of a model refuses in a document, and what it would store differently. */
async function faultsOf(model: Model<unknown>, stored: mongo.Document): Promise<readonly string[]> {
  try {
    const document = new model(stored);
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
