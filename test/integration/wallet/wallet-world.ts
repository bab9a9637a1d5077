import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KeyServiceService } from "../../../proto/gen/corridor/common/v1/key_service";
import type { Money } from "../../../proto/gen/corridor/common/v1/money";
import { MovementServiceService } from "../../../proto/gen/corridor/wallet/v1/movement_service";
import { WalletServiceService } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { formatMinor } from "../../../services/shared/kernel/assets";
import { parseJsonObject } from "../../../services/shared/kernel/json";
import type { Running } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startWallet } from "../../../services/wallet/app";
import { readWalletConfig } from "../../../services/wallet/config";
import { startTestTestbed, type TestTestbed } from "../../support/testbed";
import { openIntentOf, textOf, transactionIntentOf, transferIntentOf } from "../../support/wallet-intents";

const served = { ...WalletServiceService, ...MovementServiceService, ...KeyServiceService };
export type WalletRpc = Rpc<typeof WalletServiceService>;
type MovementRpc = Rpc<typeof MovementServiceService>;

/** One running replica of the wallet service, and its client. */
export interface Replica extends Running {
  wallet: WalletRpc;
  movements: MovementRpc;
  keys: Rpc<typeof KeyServiceService>;
}

export interface Answer {
  /** The body as text. */
  text: string;
  json: Record<string, unknown>;
  replayed: boolean;
}

export interface WalletWorld {
  testbed: TestTestbed;
  mongo: Mongo;
  /** The settings of the service, as it would find them. */
  environment: Record<string, string>;
  /** The time that the service sees. */
  now: Date;
  /** Stops the replica that was started first; the next one is the world's from then on. */
  stopFirst(): Promise<void>;
  /** Starts one more replica on the same store, with other sealing keys if some are given, the newest first. */
  startReplica(...sealingKeys: readonly string[]): Promise<Replica>;
  /** Starts one more replica with these keys of marks and seals, the newest first. */
  startMarking(...keys: readonly string[]): Promise<Replica>;
  /** The first replica. */
  wallet: WalletRpc;
  movements: MovementRpc;
  open(asset?: string, tenant?: string): Promise<string>;
  /** Opens a wallet with an amount in it. */
  funded(amount: string, asset?: string): Promise<string>;
  move(body: object | string, tenant?: string): Promise<Answer>;
  transfer(body: object | string, tenant?: string): Promise<Answer>;
  balance(walletId: string): Promise<string>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** An amount as a plain decimal. */
export const plain = (amount: Money | undefined): string =>
  amount === undefined ? "nothing" : formatMinor(amount.amountMinor, amount.currency);

export const tenant = "demo";
/** The key that seals what callers write. */
export const sealingKey = "6b".repeat(32);

/** A receipt as the caller of the REST API reads it. */
export function asAnswer(receipt: Parameters<typeof textOf>[0]): Answer {
  const text = textOf(receipt);
  return { text, json: parseJsonObject(text).value, replayed: receipt.replayed };
}

/** A request whose receipt is rendered in form 1. */
export const transactionOf = (body: object | string, owner = tenant) => ({
  tenant: owner,
  transaction: transactionIntentOf(body),
  answerForm: 1,
});
export const transferOf = (body: object | string, owner = tenant) => ({
  tenant: owner,
  transfer: transferIntentOf(body),
  answerForm: 1,
});
export const holdOf = (transactionId: unknown, owner = tenant) => ({
  tenant: owner,
  transactionId: String(transactionId),
  answerForm: 1,
});
export const voidOf = (externalId: string, owner = tenant) => ({ tenant: owner, externalId, answerForm: 1 });

export async function startWalletWorld(): Promise<WalletWorld> {
  const testbed = await startTestTestbed();
  const dir = await mkdtemp(join(tmpdir(), "corridor-wallet-"));
  const file = async (name: string, ...lines: readonly string[]): Promise<string> => {
    await writeFile(join(dir, name), lines.join("\n"));
    return join(dir, name);
  };
  const database = testbed.database("wallet");
  const mongo = await openMongo({ uri: testbed.mongoUri, database, profile: "local", tracing: noTracing });
  const environment = {
    PROFILE: "local",
    LOG_LEVEL: "error",
    GRPC_PORT: "0",
    MONGODB_URI: testbed.mongoUri,
    MONGODB_DATABASE: database,
    ...testbed.busOf("wallet"),
    WALLET_SEAL_KEY_FILE: await file("seal-key", "5a".repeat(32)),
    WALLET_SEALING_KEY_FILE: await file("sealing-key", sealingKey),
    WALLET_CHECKPOINT_SECONDS: "1",
    WALLET_ANCHOR_FILE: join(dir, "anchors"),
  };
  const replicas: Replica[] = [];
  const stopReplicas = async (): Promise<void> => {
    await Promise.all(replicas.splice(0).map((replica) => replica.stop()));
  };
  const firstReplica = (): Replica => {
    const [first] = replicas;
    if (first === undefined) throw new Error("the service is stopped");
    return first;
  };
  const start = async (changes: Readonly<Record<string, string>>): Promise<Replica> => {
    const config = readWalletConfig({ ...environment, ...changes });
    const service = await startWallet(config, { clock: { now: () => world.now } });
    const target = `ipv4:127.0.0.1:${service.port}`;
    const options = { target, tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
    const client = makeRpcClient(served, options);
    const replica = {
      wallet: client,
      movements: client,
      keys: client,
      async stop() {
        await client.stop();
        await service.stop();
      },
    };
    replicas.push(replica);
    return replica;
  };
  const world: WalletWorld = {
    testbed,
    mongo,
    environment,
    now: new Date("2026-03-01T12:00:00.250Z"),
    async startReplica(...sealingKeys) {
      const keys = sealingKeys.length === 0 ? [sealingKey] : sealingKeys;
      return start({ WALLET_SEALING_KEY_FILE: await file(`sealing-key-${randomUUID()}`, ...keys) });
    },
    startMarking: async (...keys) => start({ WALLET_SEAL_KEY_FILE: await file(`seal-key-${randomUUID()}`, ...keys) }),
    async stopFirst() {
      await replicas.shift()?.stop();
    },
    get wallet() {
      return firstReplica().wallet;
    },
    get movements() {
      return firstReplica().movements;
    },
    async open(accountAsset = "USD", owner = tenant) {
      const body = { accountAsset, ownerId: "owner-1", beneficiaryId: "beneficiary-1", type: "PERSONAL" };
      const { wallet } = await world.wallet.createWallet({ tenant: owner, wallet: openIntentOf(body) });
      return wallet?.walletId ?? "";
    },
    async funded(amount, asset) {
      const walletId = await world.open(asset);
      await world.move(
        `{"walletId":"${walletId}","externalId":"${randomUUID()}","amount":${amount},"paymentType":"CREDIT"}`,
      );
      return walletId;
    },
    async move(body, owner = tenant) {
      return asAnswer(await world.wallet.createTransaction(transactionOf(body, owner)));
    },
    async transfer(body, owner = tenant) {
      return asAnswer(await world.wallet.createTransfer(transferOf(body, owner)));
    },
    async balance(walletId) {
      const { balance } = await world.wallet.getBalance({ tenant, walletId, asOf: undefined });
      return `${plain(balance?.available)} + ${plain(balance?.held)} = ${plain(balance?.total)}`;
    },
    async restart() {
      await stopReplicas();
      await world.startReplica();
    },
    async stop() {
      await stopReplicas();
      await mongo.stop();
      await testbed.stop();
      await rm(dir, { recursive: true });
    },
  };
  await world.startReplica();
  return world;
}
