import { mongo } from "mongoose";
import type { Platform } from "../../local/platform";
import { WalletServiceService } from "../../proto/gen/corridor/wallet/v1/wallet_service";
import type { Running } from "../../services/shared/process/lifecycle";
import { noTracing } from "../../services/shared/process/tracing";
import type { Rpc } from "../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../services/shared/rpc/rpc-client";
import { environmentOf } from "../bench/process-figures";
import { connectClient, freshId, insist, type PlatformClient, pushBody, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

interface Part {
  account: string;
  currency: string;
  minor: bigint;
}
interface Stored {
  externalId: string;
  status: string;
  promises?: Part[];
  events: { releases?: Part[] }[];
}

const funding = { account: "tenant/demo/funding", currency: "USD" };
const clearing = { account: "provider/pix/clearing", currency: "BRL" };
/** A process that was killed is given up after a minute of silence. */
const patienceMs = 120_000;
const burst = 24;

describe("a payment process that is killed while it holds blocks of promises", () => {
  let platform: Platform;
  let client: PlatformClient;
  let store: mongo.MongoClient;
  let ledger: Rpc<typeof WalletServiceService> & Running;
  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    store = await mongo.MongoClient.connect(platform.mongoUri, { useBigInt64: true });
    const { GRPC_PORT: port } = environmentOf(platform.process("wallet").pid() ?? 0);
    const options = { tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
    ledger = makeRpcClient(WalletServiceService, { target: `ipv4:127.0.0.1:${port}`, ...options });
  });
  afterAll(async () => {
    await ledger.stop();
    await store.close();
    await client.close();
    await platform.stop();
  });

  const database = () => store.db(platform.database("payment"));
  const stored = (): Promise<Stored[]> => {
    const all = { tenant: "demo", externalId: { $gt: "" } };
    return database().collection<Stored>("payments").find(all).sort({ externalId: 1 }).toArray();
  };
  /** What payments were promised of an account, and what of it has not ended. */
  const needsOf = (payments: readonly Stored[], { account, currency }: Omit<Part, "minor">) => {
    const sum = (parts: readonly Part[]): bigint =>
      parts
        .filter((part) => part.account === account && part.currency === currency)
        .reduce((total, { minor }) => total + minor, 0n);
    const promised = sum(payments.flatMap(({ promises = [] }) => promises));
    const released = sum(payments.flatMap(({ events }) => events.flatMap(({ releases = [] }) => releases)));
    return { open: promised - released, released };
  };
  const holders = async (): Promise<string[]> => {
    const found = await database()
      .collection<{ _id: string }>("promise_holders")
      .find({ _id: { $gt: "" } })
      .toArray();
    return found.map(({ _id }) => _id);
  };
  /** Stops the process, and lets it go on unless it was promised more than it had given to payments. */
  const stopsWithMoreInHand = async (): Promise<boolean> => {
    const pid = platform.process("payment").pid() ?? 0;
    process.kill(pid, "SIGSTOP");
    const { promisedMinor } = await ledger.getPromises(funding);
    const isSo = promisedMinor > needsOf(await stored(), funding).open;
    if (!isSo) process.kill(pid, "SIGCONT");
    return isSo;
  };

  it("leaves what payments need promised, and nothing else: nothing is lost or doubled", async () => {
    // A credit line, so that blocks are parts of something that ends; some wait for a reviewer and keep their promise.
    await ledger.setFloor({ ...funding, floorMinor: -1_000_000n });
    const quote = await client.quote();
    const named = { firstName: "Aleksandr", lastName: "Vymyshlenny" };
    const listed = { ...Object(pushBody("", quote)["recipient"]), ...named };
    const bodies = await Promise.all(
      Array.from({ length: burst }, async (_, index) => {
        const changes = index % 6 === 0 ? { recipient: listed } : {};
        return pushBody(freshId(), await client.quote(), changes);
      }),
    );
    const before = (await stored()).length;
    const sending = bodies.map((body) => insist(() => client.pay(JSON.stringify(body)), patienceMs));
    await until(stored, (payments) => payments.length > before);
    const [dead = ""] = await until(holders, (names) => names.length > 0);

    // What it has in hand lasts a second at most, so it is looked at while the process is stopped.
    expect(await until(stopsWithMoreInHand, (isSo) => isSo)).toBe(true);
    await platform.process("payment").end("SIGKILL");
    const held = await ledger.listPromiseBlocks({ holder: dead });
    expect(held.blocks.some(({ returnedMinor }) => returnedMinor === undefined)).toBe(true);
    await platform.process("payment").start();
    const answers = await Promise.all(sending);

    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    await until(holders, (names) => !names.includes(dead), patienceMs);
    for (const account of [funding, clearing]) {
      const settled = await until(
        async () => {
          const payments = await stored();
          return { needs: needsOf(payments, account), ledger: await ledger.getPromises(account) };
        },
        ({ needs, ledger: { promisedMinor, releasedMinor } }) =>
          promisedMinor === needs.open && releasedMinor === needs.released,
        patienceMs,
      );
      expect(settled.ledger).toMatchObject({
        promisedMinor: settled.needs.open,
        releasedMinor: settled.needs.released,
      });
      expect(settled.needs.open).toBeGreaterThan(0n);
    }
    const own = (await stored()).filter(({ externalId }) =>
      bodies.some((body) => body["externalPaymentId"] === externalId),
    );
    expect(own).toHaveLength(burst);
    const paid = await until(
      async () => (await stored()).filter(({ status }) => status === "CAPTURED").length,
      (count) => count >= burst - burst / 6,
    );
    const book = (await client.book()).filter(({ status }) => status === "PAID");
    expect([book.length, book.every(({ releases }) => releases === 1)]).toEqual([paid, true]);
    const { settledMinor, availableMinor } = await ledger.getPromises(funding);
    expect(settledMinor).toBe(-10_000n * BigInt(paid));
    expect(availableMinor).toBe(1_000_000n + settledMinor - needsOf(await stored(), funding).open);
  }, 300_000);
});
