import { randomUUID } from "node:crypto";
import { Book, initModels, mongoTransaction } from "medici";
import mongoose from "mongoose";
import { Direction, WalletServiceService } from "../../proto/gen/corridor/wallet/v1/wallet_service";
import type { Running } from "../../services/shared/process/lifecycle";
import { noTracing } from "../../services/shared/process/tracing";
import type { Rpc } from "../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../services/shared/rpc/rpc-client";
import { format, type Goal } from "./goal";
import { makeMongooseLedger } from "./mongoose-ledger";
import { interleave, median, pairRatio, quantile } from "./statistics";
import type { Subject } from "./subject";

const rounds = 5;
const roundMs = 1_500;
const inFlight = 64;
const wallets = 1_000;
const tenant = "bench";

type WalletClient = Rpc<typeof WalletServiceService> & Running;

/** What one round of transfers came to. */
interface Sample {
  perSecond: number;
  p99Ms: number;
}

export function connectWallet(port: string | number): WalletClient {
  const options = { tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
  return makeRpcClient(WalletServiceService, { target: `ipv4:127.0.0.1:${port}`, ...options });
}

/** Opens wallets and puts the same amount into each. */
async function openWallets(client: WalletClient, count: number): Promise<string[]> {
  const facts = { accountAsset: "USD", ownerId: "o", beneficiaryId: "b", type: "PERSONAL" };
  const intent = { ...facts, additionalInfoJson: Buffer.alloc(0) };
  const open = async (): Promise<string> => {
    const { wallet } = await client.createWallet({ tenant, wallet: intent });
    const walletId = wallet?.walletId ?? "";
    const amount = { unscaled: 10_000n, scale: 0 };
    const credit = { walletId, externalId: randomUUID(), amount, direction: Direction.CREDIT, description: "" };
    await client.createTransaction({ tenant, transaction: { ...credit, hold: undefined }, answerForm: 1 });
    return walletId;
  };
  const ids: string[] = [];
  while (ids.length < count) {
    ids.push(...(await Promise.all(Array.from({ length: Math.min(inFlight, count - ids.length) }, open))));
  }
  return ids;
}

/** Transfers one minor unit between two of the wallets, and checks that the answer says so. */
export async function transferOnce(client: WalletClient, ids: readonly string[]): Promise<void> {
  const [fromWallet, toWallet] = pick(ids);
  const externalId = randomUUID();
  const transfer = { externalId, fromWallet, toWallet, amount: { unscaled: 1n, scale: 2 }, description: "" };
  const { transfer: made, replayed } = await client.createTransfer({ tenant, transfer, answerForm: 1 });
  if (replayed || made?.externalId !== externalId) throw new Error("a transfer was not completed");
}

function pick<T>(all: readonly T[]): [T, T] {
  const first = Math.floor(Math.random() * all.length);
  const second = (first + 1 + Math.floor(Math.random() * (all.length - 1))) % all.length;
  const [a, b] = [all[first], all[second]];
  if (a === undefined || b === undefined) throw new Error("too few accounts");
  return [a, b];
}

/** Runs one thing again and again, 64 at a time. An attempt that fails fails the bench. */
async function saturate(once: () => Promise<void>): Promise<Sample> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + roundMs;
  const work = async (): Promise<void> => {
    while (performance.now() < endAt) {
      const begunAt = performance.now();
      await once();
      latencies.push(performance.now() - begunAt);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: latencies.length / seconds, p99Ms: quantile(latencies, 0.99) };
}

/** The peer: medici's own entries, without and with what keeps an account from going below zero. */
async function openMedici(): Promise<{ bare(): Promise<void>; checked(): Promise<void> }> {
  await initModels();
  const book = new Book("bench", { maxAccountPath: 3 });
  const accounts = Array.from({ length: wallets }, (_, index) => `W:${index}`);
  const funded = accounts.slice(0, 200);
  for (const account of funded) await book.entry("seed").debit("Bank", 1e6).credit(account, 1e6).commit();
  return {
    async bare() {
      const [from, to] = pick(accounts);
      await book.entry("transfer").debit(from, 1).credit(to, 1).commit();
    },
    async checked() {
      const [from, to] = pick(funded);
      await mongoTransaction(async (session) => {
        const { balance } = await book.balance({ account: from }, { session });
        if (balance < 1) throw new Error("no funds");
        const writelockAccounts = [from, to];
        await book.entry("transfer").debit(from, 1).credit(to, 1).commit({ session, writelockAccounts });
      });
    },
  };
}

/** Transfers a second over gRPC, many wallets and two, beside medici and a ledger of mongoose documents on the same store. */
export async function measureLedger({ env }: Subject): Promise<Goal[]> {
  const { GRPC_PORT: port = "", MONGODB_URI: uri = "" } = env("wallet");
  const client = connectWallet(port);
  const ids = await openWallets(client, wallets);
  const hot = ids.slice(0, 2);
  await mongoose.connect(uri, { dbName: "bench_ledger", maxPoolSize: inFlight });
  const medici = await openMedici();
  const documents = await makeMongooseLedger(wallets);
  const samples = await interleave(
    {
      ours: () => saturate(() => transferOnce(client, ids)),
      hot: () => saturate(() => transferOnce(client, hot)),
      bare: () => saturate(medici.bare),
      checked: () => saturate(medici.checked),
      documents: () => saturate(() => documents.transfer(...pick(documents.ids))),
    },
    rounds,
  );
  const { totals } = await client.getTrialBalance({});
  if (totals.some(({ amountMinor }) => amountMinor !== 0n)) throw new Error("money was made or lost");
  await client.stop();
  await mongoose.connection.dropDatabase();
  await mongoose.disconnect();

  const rate = (list: readonly Sample[]): string => format(median(list.map(({ perSecond }) => perSecond)));
  const versus = (what: string, peer: readonly Sample[], atLeast: number, isDue = true): Goal => ({
    id: "P5",
    what: `wallet transfers over gRPC / ${what}`,
    value: pairRatio(samples.ours, peer, ({ perSecond }) => perSecond),
    unit: "x",
    bar: { atLeast },
    isDue,
    seen: `${rate(samples.ours)} against ${rate(peer)} a second`,
  });
  const hotP99 = median(samples.hot.map(({ p99Ms }) => p99Ms));
  return [
    versus("medici's bare commit", samples.bare, 1.5, false),
    versus("medici with balance check in a transaction", samples.checked, 8),
    versus("mongoose documents in a transaction", samples.documents, 3),
    {
      id: "P6",
      what: "transfers between 2 wallets / between 1,000",
      value: pairRatio(samples.hot, samples.ours, ({ perSecond }) => perSecond),
      unit: "x",
      bar: { atLeast: 1 },
      isDue: true,
      seen: `${rate(samples.hot)} against ${rate(samples.ours)} a second`,
    },
    {
      id: "P6",
      what: "transfers between 2 wallets: p99",
      value: hotP99,
      unit: "ms",
      bar: { atMost: 50 },
      isDue: false,
      seen: `${format(median(samples.ours.map(({ p99Ms }) => p99Ms)))} ms between 1,000`,
    },
  ];
}
