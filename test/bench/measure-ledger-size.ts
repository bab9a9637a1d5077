import { randomUUID } from "node:crypto";
import type { StatementEntry } from "../../proto/gen/corridor/wallet/v1/wallet_service";
import { derivedUuid } from "../../services/shared/kernel/ids";
import { startWallet } from "../../services/wallet/app";
import type { WalletConfig } from "../../services/wallet/config";
import { emptyAccount, walletsPath } from "../../services/wallet/domain/account";
import { makeBook } from "../../services/wallet/domain/book";
import type { Command } from "../../services/wallet/domain/command";
import { decide } from "../../services/wallet/domain/decide";
import { openLedger } from "../support/wallet-stores";
import { format, type Goal } from "./goal";
import { connectWallet, transferOnce } from "./measure-ledger";
import { interleave, median, pairRatio } from "./statistics";
import type { Subject } from "./subject";

const tenant = "bench";
const small: Size = { wallets: 100, entries: 1_000 };
interface Size {
  wallets: number;
  entries: number;
}

/** A million entries take minutes to write, so the whole bench does with a tenth of them. */
const sizes = { tenth: { wallets: 10_000, entries: 100_000 }, whole: { wallets: 100_000, entries: 1_000_000 } };
const rounds = 5;
const callsARound = 150;
const batch = 1_000;
/** Every so many transfers the first wallet pays, so that its own history is long too. */
const firstPaysEvery = 10;

/** Median latency of one call each, milliseconds. */
type Latencies = Record<"balance" | "first" | "middle" | "last" | "range" | "transfer", number>;

/** Latency of each call on a long ledger against one of 1,000 entries, one call at a time. */
export async function measureLedgerSize({ env, platform }: Subject, isWhole: boolean): Promise<Goal[]> {
  const big = isWhole ? sizes.whole : sizes.tenth;
  const { MONGODB_URI: uri = "" } = env("wallet");
  const nats = platform.natsUrl;
  const names = { small: "bench_ledger_small", big: "bench_ledger_big" };
  const ids = { small: await fill(uri, names.small, small), big: await fill(uri, names.big, big) };
  const services = {
    small: await startWallet(configOf(uri, nats, names.small)),
    big: await startWallet(configOf(uri, nats, names.big)),
  };
  const clients = { small: connectWallet(services.small.port), big: connectWallet(services.big.port) };
  const samples = await interleave(
    {
      small: () => callAll(clients.small, ids.small),
      big: () => callAll(clients.big, ids.big),
    },
    rounds,
  );
  for (const part of [clients.small, clients.big, services.small, services.big]) await part.stop();
  const measures: (keyof Latencies)[] = ["balance", "first", "middle", "last", "range", "transfer"];
  return measures.map((name) => ({
    id: "P7",
    what: `${nameOf[name]}: ${big.entries} entries / ${small.entries}`,
    value: pairRatio(samples.big, samples.small, (sample) => sample[name]),
    unit: "x",
    bar: { atMost: 1.25 },
    isDue: true,
    seen: `${format(median(samples.big.map((s) => s[name])))} against ${format(median(samples.small.map((s) => s[name])))} ms`,
  }));
}

const nameOf: Record<keyof Latencies, string> = {
  balance: "balance",
  first: "first page of a statement",
  middle: "middle page",
  last: "last page",
  range: "page between two times",
  transfer: "transfer",
};

const configOf = (uri: string, nats: string, database: string): WalletConfig => ({
  PROFILE: "local",
  LOG_LEVEL: "error",
  LISTEN_HOST: "127.0.0.1",
  METRICS_PORT: 0,
  CLOCK_URL: undefined,
  STORE_DISKS_ENCRYPTED: undefined,
  OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: undefined,
  OTEL_TRACES_SAMPLER_ARG: 0,
  RPC_TLS_CA_FILE: undefined,
  RPC_TLS_CERT_FILE: undefined,
  RPC_TLS_KEY_FILE: undefined,
  GRPC_PORT: 0,
  MONGODB_URI: uri,
  MONGODB_DATABASE: database,
  NATS_URL: nats,
  NATS_PASSWORD_FILE: undefined,
  NATS_CA_FILE: undefined,
  NATS_STREAM_REPLICAS: 1,
  WALLET_SEAL_KEY_FILE: [Buffer.alloc(32, 7)],
  WALLET_SEALING_KEY_FILE: [Buffer.alloc(32, 8)],
  WALLET_CHECKPOINT_SECONDS: 3_600,
  WALLET_VERIFICATION_SECONDS: 604_800,
  WALLET_ACCOUNT_SHARDS: 16,
  WALLET_ANCHOR_FILE: undefined,
  WALLET_CLOCK_SKEW_SECONDS: 5,
  WALLET_STATEMENTS: undefined,
  WALLET_STATEMENT_TOKENS_FILE: undefined,
  WALLET_STATEMENT_SECONDS: 3_600,
  WALLET_STATEMENT_GRACE_SECONDS: 3_600,
  PAYMENT_TARGET: undefined,
  WALLET_UNSET_FLOOR: undefined,
});

/** Writes a whole past through the ledger's own rules, thousands of transfers a transaction. Returns the wallets. */
async function fill(uri: string, database: string, { wallets, entries }: Size): Promise<string[]> {
  const startMs = Date.parse("2026-01-01T00:00:00Z");
  const {
    accounts,
    entries: journal,
    rows,
    mongo,
    key,
  } = await openLedger(uri, database, { now: () => new Date(startMs) });
  const ids = Array.from({ length: wallets }, () => randomUUID());
  const facts = { status: "ACTIVE", createdAt: new Date(startMs), details: "" } as const;
  const open = ids.map((id) => emptyAccount({ id, tenant, path: walletsPath(tenant), asset: "USD", wallet: facts }));
  const opened = open.map((account) => ({
    ...account,
    lines: { ...account.lines, settled: { minor: 10n ** 12n, seq: 0, head: "" } },
  }));
  const present = new Map(opened.map((account) => [account.id, account]));
  const isStored = new Set<string>();
  for (let done = 0; done < entries; done += batch) {
    const commands = Array.from({ length: Math.min(batch, entries - done) }, (_, index) => transfer(ids, done + index));
    const touched = new Set(
      commands.flatMap((command) => (command.kind === "transfer" ? [command.from, command.to] : [])),
    );
    const loaded = [...touched].flatMap((id) => present.get(id) ?? []);
    const book = makeBook({ accounts: loaded, entries: [], now: new Date(startMs + done * 100), shard: 0, key });
    for (const command of commands) decide(command, book);
    const changes = book.changes();
    await mongo.transact(async (tx) => {
      const saved = changes.accounts.map((one) => (isStored.has(one.account.id) ? one : { ...one, before: undefined }));
      await accounts.save(tx, saved);
      await journal.add(tx, changes.entries, changes.rows);
      await rows.mark(tx, changes.rows);
    });
    for (const { account } of changes.accounts) {
      isStored.add(account.id);
      present.set(account.id, account);
    }
  }
  await mongo.stop();
  return ids.filter((id) => isStored.has(id));
}

function transfer(ids: readonly string[], number: number): Command {
  const fromFirst = number % firstPaysEvery === 0;
  const from = fromFirst ? 0 : 1 + (number % (ids.length - 1));
  const to = 1 + ((number * 7 + 1) % (ids.length - 1));
  const target = to === from ? 1 + (to % (ids.length - 1)) : to;
  const id = `seed-${number}`;
  const wallets = { from: ids[from] ?? "", to: ids[target] ?? "" };
  const facts = { externalId: id, amount: { digits: 1n, scale: 2 }, description: undefined, hashes: {}, answerForm: 1 };
  return { kind: "transfer", id: derivedUuid("wallet-transfer", tenant, id), tenant, ...wallets, ...facts };
}

async function callAll(client: ReturnType<typeof connectWallet>, ids: readonly string[]): Promise<Latencies> {
  const [walletId = ""] = ids;
  const size = 20;
  const page = async (number: number, from?: Date, until?: Date): Promise<StatementEntry[]> => {
    const query = { tenant, walletId, from, until, page: number, size, newestFirst: false };
    const { entries } = await client.getStatement(query);
    if (entries.length === 0) throw new Error("a page is empty");
    return entries;
  };
  const first = { tenant, walletId, from: undefined, until: undefined, page: 0, size, newestFirst: false };
  const { totalEntries } = await client.getStatement(first);
  const pages = Math.floor((Number(totalEntries) - 1) / size);
  const middle = Math.floor(pages / 2);
  const [begin] = await page(middle);
  const [end] = await page(Math.min(pages, middle + 2));
  return {
    balance: await medianMs(() => client.getBalance({ tenant, walletId, asOf: undefined })),
    first: await medianMs(() => page(0)),
    middle: await medianMs(() => page(middle)),
    last: await medianMs(() => page(pages - 1)),
    range: await medianMs(() => page(0, begin?.createdAt, new Date((end?.createdAt?.getTime() ?? 0) + 1))),
    transfer: await medianMs(() => transferOnce(client, ids)),
  };
}

async function medianMs(call: () => Promise<unknown>): Promise<number> {
  const latencies: number[] = [];
  for (let count = 0; count < callsARound; count += 1) {
    const begunAt = performance.now();
    await call();
    latencies.push(performance.now() - begunAt);
  }
  return median(latencies);
}
