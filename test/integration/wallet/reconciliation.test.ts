import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { WalletServiceService } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { Running } from "../../../services/shared/lifecycle";
import { makeRpcClient } from "../../../services/shared/rpc-client";
import { noTracing } from "../../../services/shared/tracing";
import { startWallet } from "../../../services/wallet/app";
import { readWalletConfig } from "../../../services/wallet/config";
import { until } from "../../support/platform-client";
import { startWalletWorld, type WalletRpc, type WalletWorld } from "./wallet-world";

/** A provider's book that says what a test wants. */
async function startBook() {
  const book = { instructions: [] as object[], reads: 0, isAway: false, isMendedOnceRead: false };
  const server = createServer((_request, response) => {
    book.reads += 1;
    if (book.isAway) return void response.writeHead(500).end();
    response.end(JSON.stringify({ instructions: book.instructions, authorizations: [], debits: [] }));
    if (book.isMendedOnceRead) book.instructions = [];
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return Object.assign(book, { url: `http://127.0.0.1:${port}`, stop: () => void server.close() });
}

const paid = (reference: string) => ({
  rail: "pix",
  reference,
  currency: "BRL",
  amount: "5.00",
  status: "PAID",
  releases: 1,
});

describe("the comparison of the books that runs by itself", () => {
  let world: WalletWorld;
  let book: Awaited<ReturnType<typeof startBook>>;
  const running: Running[] = [];

  beforeAll(async () => {
    world = await startWalletWorld();
  });
  beforeEach(async () => {
    book = await startBook();
    await world.mongo.connection.collection("reconciliations").deleteMany({});
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((part) => part.stop()));
    book.stop();
  });
  afterAll(() => world.stop());

  const startReplica = async (everySeconds: number): Promise<WalletRpc> => {
    const own = { PROVIDER_BOOK_URL: book.url, WALLET_RECONCILIATION_SECONDS: String(everySeconds) };
    const service = await startWallet(readWalletConfig({ ...world.environment, ...own }));
    const target = `ipv4:127.0.0.1:${service.port}`;
    const options = { target, tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
    const client = makeRpcClient(WalletServiceService, options);
    running.push({ stop: () => client.stop().then(service.stop) });
    return client;
  };
  const list = async (wallet: WalletRpc) => (await wallet.listReconciliations({ limit: 20 })).runs;

  it("keeps what it found, by class, the newest first", async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    book.instructions = [paid(first), { ...paid(second), releases: 2 }];
    const wallet = await startReplica(1);

    const runs = await until(
      () => list(wallet),
      (found) => found.length >= 2,
    );

    const [newest, older] = runs;
    expect(newest?.startedAt?.getTime()).toBeGreaterThan(older?.startedAt?.getTime() ?? 0);
    expect(newest?.compared).toBe(2n);
    expect(newest?.classes).toEqual(
      expect.arrayContaining([
        { class: "MISSING_HERE", count: 1n },
        { class: "DOUBLED", count: 1n },
      ]),
    );
    expect(newest?.breaks).toContainEqual({
      class: "MISSING_HERE",
      provider: "pix",
      reference: first,
      ours: undefined,
      theirs: { asset: "BRL", amount: "5" },
    });
  });

  it("does not keep a break that is gone at the second look", async () => {
    book.instructions = [paid(randomUUID())];
    book.isMendedOnceRead = true;
    const wallet = await startReplica(4);

    const runs = await until(
      () => list(wallet),
      (found) => found.length > 0,
    );

    expect(book.reads).toBeGreaterThanOrEqual(2);
    expect(runs.at(-1)).toMatchObject({ classes: [], breaks: [] });
  });

  it("runs at one of several replicas, once in its time", async () => {
    const [wallet] = await Promise.all([startReplica(3_600), startReplica(3_600), startReplica(3_600)]);
    await until(
      () => list(wallet),
      (found) => found.length === 1,
    );

    await sleep(2_500);

    expect(await list(wallet)).toHaveLength(1);
    expect(book.reads).toBe(1);
  });

  it("keeps nothing of a book that cannot be read, and goes on when it can", async () => {
    book.isAway = true;
    const wallet = await startReplica(1);
    await until(
      async () => book.reads,
      (reads) => reads >= 2,
    );
    expect(await list(wallet)).toEqual([]);

    book.isAway = false;

    await until(
      () => list(wallet),
      (found) => found.length > 0,
    );
  });
});
