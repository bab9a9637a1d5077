import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FxServiceService } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { DecisionServiceService } from "../../../proto/gen/corridor/identity/v1/decision_service";
import { IdentityServiceService } from "../../../proto/gen/corridor/identity/v1/identity_service";
import { CaseServiceService } from "../../../proto/gen/corridor/payment/v1/case_service";
import { CheckServiceService } from "../../../proto/gen/corridor/payment/v1/check_service";
import { PaymentServiceService } from "../../../proto/gen/corridor/payment/v1/payment_service";
import { WalletServiceService } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { Sandbox } from "../../../sandbox/app";
import { startFx } from "../../../services/fx/app";
import { readFxConfig } from "../../../services/fx/config";
import { startIdentity } from "../../../services/identity/app";
import { readIdentityConfig } from "../../../services/identity/config";
import { startPayment } from "../../../services/payment/app";
import { readPaymentConfig } from "../../../services/payment/config";
import { startSchema } from "../../../services/schema/app";
import { readSchemaConfig } from "../../../services/schema/config";
import type { Clock } from "../../../services/shared/kernel/clock";
import { DomainError } from "../../../services/shared/kernel/errors";
import type { RefusalDetails } from "../../../services/shared/kernel/refusal-details";
import { type Running, stopAll } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startWallet } from "../../../services/wallet/app";
import { readWalletConfig } from "../../../services/wallet/config";
import { sendPayment } from "../../support/payment-door";
import { pushBody, until } from "../../support/platform-client";
import { startTestTestbed } from "../../support/testbed";
import { callbackSecret, railKey, startWorld } from "../sandbox/outside-world";
import { callbackSecretOf, type Outside, outsideOf } from "./outside";

const paymentServices = { ...PaymentServiceService, ...CheckServiceService, ...CaseServiceService };
export type PaymentRpc = Rpc<typeof paymentServices>;
const identityServices = { ...IdentityServiceService, ...DecisionServiceService };

/** An answer with its bytes, or a refusal. */
export interface Told {
  /** Body of the answer; undefined for a refusal. */
  text: string | undefined;
  replayed: boolean;
  reason: string | undefined;
  message: string | undefined;
  details: RefusalDetails;
  fields: readonly string[];
}

export interface Door {
  tenant?: string;
  agentId?: string;
}

/** Two replicas of the payment service on one store, with all that they ask: other services and the outside world. */
export interface PaymentWorld extends Running {
  replicas: readonly [PaymentRpc, PaymentRpc];
  fx: Rpc<typeof FxServiceService>;
  wallet: Rpc<typeof WalletServiceService>;
  /** Starts one more replica of the wallet service; the result is its target. */
  startWallet(env: Readonly<Record<string, string>>): Promise<string>;
  /** Starts an fx service that reads positions from the wallet and the first payment replica, on the shared store; its target. */
  startFx(env?: Readonly<Record<string, string>>): Promise<string>;
  /** Targets of the services beside it. */
  targets: { identity: string; wallet: string };
  identity: Rpc<typeof identityServices>;
  /** Replaces the screening list by these names; resolved when identity screens by it. */
  useList(...names: readonly string[]): Promise<void>;
  /** The payments' own database. */
  mongo: Mongo;
  /** The bus, for one who may do everything there. */
  natsUrl: string;
  sandbox: Sandbox;
  outside: Outside;
  /** Takes the store away from one replica, or some commands of it, as if it had died there; the result gives it back. */
  cutOff(replica: 0 | 1, commands?: readonly string[]): Promise<() => Promise<void>>;
  /** Settings of a replica; `env` replaces some. */
  startReplica(env?: Readonly<Record<string, string>>, machineClock?: Clock): Promise<PaymentRpc>;
  accept(replica: PaymentRpc, body: object, door?: Door): Promise<Told>;
  /** A push of 100 USD to a PIX key, with a quote of its own; or by another quote. */
  push(changes?: object, quoteId?: string): Promise<Record<string, unknown>>;
  quote(changes?: object): Promise<{ fxId: string; conversionRate: number }>;
}

export const demo = "demo";

const told = (facts: Partial<Told>): Told => ({
  text: undefined,
  replayed: false,
  reason: undefined,
  message: undefined,
  details: {},
  fields: [],
  ...facts,
});

/** One secret for each provider; tests call back for them. */
const callbackSecrets = (): string =>
  ["pix", "bank", "upi", "dimo", "wallet", "card", "msn", "acquirer", "debits", "screening", "kyc"]
    .map((name) => `${name}=${callbackSecretOf(name)}`)
    .join("\n");

/** The store as one replica knows it, so that it can be taken away from that one alone. */
const storeOf = (uri: string, replica: number): string => {
  const url = new URL(uri);
  url.searchParams.set("appName", `replica-${replica}`);
  return url.toString();
};

/** What a replica needs the store for. */
const storeCommands = [
  "find",
  "insert",
  "update",
  "delete",
  "bulkWrite",
  "findAndModify",
  "aggregate",
  "commitTransaction",
];

async function takeStore(
  { connection }: Mongo,
  replica: number,
  failCommands: readonly string[],
): Promise<() => Promise<void>> {
  const admin = connection.getClient().db("admin");
  const point = (mode: string, data: object) => admin.command({ configureFailPoint: "failCommand", mode, data });
  await point("alwaysOn", { failCommands, closeConnection: true, appName: `replica-${replica}` });
  return async () => {
    await point("off", {});
  };
}

interface WorldOptions {
  /** Whether the services follow the clock of the outside world, which a test can move. */
  hasClock?: boolean;
  /** Settings of the first replica of the wallet service. */
  wallet?: Readonly<Record<string, string>>;
}

/** A screening list of its own version. */
function listOf(names: readonly string[]): { version: string; text: string } {
  const version = randomUUID();
  const entries = names.map((name, index) => ({ id: `e${index}`, names: [name] }));
  return { version, text: JSON.stringify({ version, entries }) };
}

/** The version of the list that identity uses. */
async function screenedBy(identity: Pick<Rpc<typeof identityServices>, "decidePayment">): Promise<string> {
  const order = { tenant: demo, paymentId: randomUUID(), amount: { amountMinor: 1n, currency: "USD" } };
  const sender = { firstName: "Nobody", lastName: "Special", party: undefined };
  return (await identity.decidePayment({ isFirst: true, ...order, sender, recipient: undefined })).listVersion;
}

/** What a caller learns of a payment. */
async function tell(replica: PaymentRpc, body: object, { tenant = demo, agentId }: Door): Promise<Told> {
  try {
    return told(await sendPayment(replica, { tenant, agentId }, body));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { reason, message, details, violations } = error;
    return told({ reason, message, details, fields: violations.map(({ field }) => field) });
  }
}

export async function startPaymentWorld(
  env: Readonly<Record<string, string>> = {},
  { hasClock = false, wallet: ofWallet = {} }: WorldOptions = {},
): Promise<PaymentWorld> {
  const testbed = await startTestTestbed();
  const folder = mkdtempSync(join(tmpdir(), "corridor-payment-"));
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const sandbox = await startWorld({ finalityWindowMs: 500 });
  const outside = sandbox.url;
  const settingsOf = (name: string): Record<string, string> => ({
    PROFILE: "local",
    LOG_LEVEL: "error",
    GRPC_PORT: "0",
    ...(hasClock ? { CLOCK_URL: `${outside}/clock` } : {}),
    MONGODB_URI: testbed.mongoUri,
    MONGODB_DATABASE: testbed.database(name),
  });
  const [rail, secret] = [file("rail-key", railKey), file("callback-secret", callbackSecret)];
  const targetOf = ({ port }: { port: number }): string => `ipv4:127.0.0.1:${port}`;
  const schema = await startSchema(readSchemaConfig(settingsOf("schema")));
  const fxService = await startFx(readFxConfig({ ...settingsOf("fx"), SCHEMA_TARGET: targetOf(schema) }));
  const walletEnv = {
    ...settingsOf("wallet"),
    ...testbed.busOf("wallet"),
    WALLET_SEAL_KEY_FILE: file("seal", "5e".repeat(32)),
    WALLET_SEALING_KEY_FILE: file("wallet-sealing", "6b".repeat(32)),
  };
  const wallet = await startWallet(readWalletConfig({ ...walletEnv, ...ofWallet }));
  const identity = await startIdentity(
    readIdentityConfig({
      ...settingsOf("identity"),
      ...testbed.busOf("identity"),
      SCHEMA_TARGET: targetOf(schema),
      IDENTITY_SEALING_KEY_FILE: file("identity-sealing", "1".repeat(64)),
      IDENTITY_INDEX_KEY_FILE: file("index", "2".repeat(64)),
      IDENTITY_SCREENING_LIST_FILE: file("list", listOf(["Listed"]).text),
      KYC_BASE_URL: outside,
      KYC_API_KEY_FILE: rail,
      KYC_CALLBACK_SECRET_FILE: secret,
      SCREENING_BASE_URL: outside,
      SCREENING_API_KEY_FILE: rail,
      SCREENING_CALLBACK_SECRET_FILE: secret,
    }),
  );
  const payment = {
    ...settingsOf("payment"),
    ...testbed.busOf("payment"),
    SCHEMA_TARGET: targetOf(schema),
    FX_TARGET: targetOf(fxService),
    WALLET_TARGET: targetOf(wallet),
    IDENTITY_TARGET: targetOf(identity),
    PAYMENT_SEALING_KEY_FILE: file("payment-sealing", "7".repeat(64)),
    RAIL_BASE_URL: outside,
    RAIL_API_KEY_FILE: rail,
    PROVIDER_CALLBACK_SECRETS_FILE: file("callback-secrets", callbackSecrets()),
    RAIL_FINALITY_MS: "500",
    LINKER_BASE_URL: `${outside}/plaid`,
    LINKER_CLIENT_ID: "corridor",
    LINKER_SECRET_FILE: rail,
    RATE_LIMIT_FACTOR: "1000",
    ...env,
  };
  const started: Running[] = [];
  const clientOf = (server: { port: number } & Running): PaymentRpc => {
    const target = targetOf(server);
    const client = makeRpcClient(paymentServices, {
      target,
      tls: undefined,
      timeoutMs: 30_000,
      retryable: [],
      tracing: noTracing,
    });
    started.push(server, client);
    return client;
  };
  const startServer = (more: Readonly<Record<string, string>>, machineClock?: Clock) =>
    startPayment(readPaymentConfig({ ...payment, ...more }), machineClock);
  const startReplica: PaymentWorld["startReplica"] = async (more = {}, machineClock) =>
    clientOf(await startServer(more, machineClock));
  const first = await startServer({ MONGODB_URI: storeOf(testbed.mongoUri, 0) });
  const replicas = [clientOf(first), await startReplica({ MONGODB_URI: storeOf(testbed.mongoUri, 1) })] as const;
  const patient = { tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
  const fx = makeRpcClient(FxServiceService, { ...patient, target: targetOf(fxService) });
  const walletClient = makeRpcClient(WalletServiceService, { ...patient, target: targetOf(wallet) });
  const identities = makeRpcClient(identityServices, { ...patient, target: targetOf(identity) });
  const database = testbed.database("payment");
  const mongo = await openMongo({ uri: testbed.mongoUri, database, profile: "local", tracing: noTracing });
  const quote: PaymentWorld["quote"] = async (changes = {}) => {
    const order = { tenant: demo, sourceCurrency: "USD", destinationCurrency: "BRL", paymentMethod: "BANK_ACCOUNT" };
    const { quote: made } = await fx.createQuote({ ...order, ...changes });
    const { mantissa, scale } = made?.rate ?? { mantissa: 0n, scale: 0 };
    return { fxId: made?.quoteId ?? "", conversionRate: Number(mantissa) / 10 ** scale };
  };
  return {
    replicas,
    fx,
    wallet: walletClient,
    async startWallet(more) {
      const another = await startWallet(readWalletConfig({ ...walletEnv, ...more }));
      started.push(another);
      return targetOf(another);
    },
    async startFx(more = {}) {
      const env = { ...settingsOf("fx"), SCHEMA_TARGET: targetOf(schema) };
      const peers = { WALLET_TARGET: targetOf(wallet), PAYMENT_TARGET: targetOf(first) };
      const another = await startFx(readFxConfig({ ...env, ...peers, FX_EXPOSURE_REFRESH_SECONDS: "1", ...more }));
      started.push(another);
      return targetOf(another);
    },
    targets: { identity: targetOf(identity), wallet: targetOf(wallet) },
    identity: identities,
    async useList(...names) {
      const { text, version } = listOf(names);
      file("list", text);
      await until(
        () => screenedBy(identities),
        (used) => used.startsWith(`${version}.`),
      );
    },
    mongo,
    natsUrl: testbed.natsUrl,
    sandbox,
    outside: outsideOf(outside),
    cutOff: (replica, commands = storeCommands) => takeStore(mongo, replica, commands),
    startReplica,
    // A careful client sends the same again while a service is away, as one may be for a moment on a busy machine.
    accept: (replica, body, door = {}) =>
      until(
        () => tell(replica, body, door),
        ({ reason }) => reason !== "UNAVAILABLE",
      ),
    quote,
    async push(changes = {}, quoteId) {
      const made = await quote();
      return pushBody(`order-${randomUUID()}`, { ...made, fxId: quoteId ?? made.fxId }, changes);
    },
    async stop() {
      // Replicas give back to the ledger what they hold, so it goes last.
      await stopAll(started).stop();
      await stopAll([schema, fxService, wallet, identity, fx, identities, walletClient, mongo]).stop();
      await sandbox.stop();
      await testbed.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
