import { randomUUID } from "node:crypto";
import { credentials, makeClientConstructor } from "@grpc/grpc-js";
import { service as healthService } from "grpc-health-check";
import { WalletServiceService } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { type Clock, systemClock } from "../../../services/shared/kernel/clock";
import type { Running } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { makeClockGuard } from "../../../services/shared/storage/clock-guard";
import { startWallet } from "../../../services/wallet/app";
import { readWalletConfig } from "../../../services/wallet/config";
import { openIntentOf } from "../../support/wallet-intents";
import { eventually } from "../bus/bus-testbed";
import { plain, startWalletWorld, tenant, transactionOf, type WalletRpc, type WalletWorld } from "./wallet-world";

const dayMs = 86_400_000;

describe("a replica whose clock is not the store's", () => {
  let world: WalletWorld;
  const running: Running[] = [];
  beforeAll(async () => {
    world = await startWalletWorld();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((part) => part.stop()));
  });
  afterAll(() => world.stop());

  /** A replica on a machine whose clock is ahead by so much as `lead` says. */
  async function startReplica(lead: { ms: number }) {
    const machineClock: Clock = { now: () => new Date(systemClock.now().getTime() + lead.ms) };
    const service = await startWallet(readWalletConfig(world.environment), { machineClock });
    const target = `127.0.0.1:${service.port}`;
    const options = { target: `ipv4:${target}`, tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
    const wallet = makeRpcClient(WalletServiceService, options);
    running.push({ stop: () => wallet.stop().then(service.stop) });
    return { wallet, isServing: () => isServing(target) };
  }

  function isServing(target: string): Promise<boolean> {
    const Health = makeClientConstructor(healthService, "Health");
    const client = new Health(target, credentials.createInsecure());
    return new Promise((resolve, reject) => {
      client["check"]?.({ service: "" }, (error: Error | null, answer: { status: string }) => {
        client.close();
        if (error === null) resolve(answer.status === "SERVING");
        else reject(error);
      });
    });
  }

  const credit = (wallet: WalletRpc, walletId: string) =>
    wallet.createTransaction(transactionOf({ walletId, externalId: randomUUID(), amount: 1, paymentType: "CREDIT" }));
  const lastTime = async (): Promise<number> => {
    const accounts = await world.mongo.connection.collection("accounts").find({}).toArray();
    return Math.max(...accounts.map(({ lastAt }) => (lastAt instanceof Date ? lastAt.getTime() : 0)));
  };

  it("writes nothing with a clock three days fast, so that nobody's entries get its time", async () => {
    const [mine, others] = [await world.funded("10"), await world.funded("10")];
    const before = await lastTime();
    const fast = await startReplica({ ms: 3 * dayMs });

    await expect(credit(fast.wallet, mine)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    await expect(fast.wallet.createWallet({ tenant, wallet: openIntentOf(wallet) })).rejects.toMatchObject({
      reason: "UNAVAILABLE",
    });
    const take = { blockId: randomUUID(), holder: "h", account: "tenant/demo/funding", currency: "USD" };
    await expect(
      fast.wallet.takePromiseBlock({ ...take, wantedMinor: 1n, leastMinor: 1n, figure: undefined }),
    ).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    await eventually(async () => !(await fast.isServing()));
    await credit(world.wallet, others);
    expect(await lastTime()).toBe(before);
    const { balance } = await fast.wallet.getBalance({ tenant, walletId: mine, asOf: undefined });
    expect(plain(balance?.total)).toBe("10");
  });

  const wallet = { accountAsset: "USD", ownerId: "o", beneficiaryId: "b", type: "PERSONAL" };

  it("stops at the write after its clock jumped, and goes on when the clock is right again", async () => {
    const lead = { ms: 0 };
    const replica = await startReplica(lead);
    const { wallet: opened } = await replica.wallet.createWallet({ tenant, wallet: openIntentOf(wallet) });
    const walletId = opened?.walletId ?? "";
    await credit(replica.wallet, walletId);
    lead.ms = -3 * dayMs;
    await expect(credit(replica.wallet, walletId)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    await eventually(async () => !(await replica.isServing()));
    lead.ms = 0;
    await credit(replica.wallet, walletId);
    await eventually(replica.isServing);
  });

  it("is asked for the store's time again before it is refused: a machine that slept has a clock that is right", async () => {
    let nowMs = 1_000_000;
    let reads = 0;
    const guard = makeClockGuard({
      clock: { now: () => new Date(nowMs) },
      boundMs: 5_000,
      async readStoreTime() {
        reads += 1;
        return new Date(nowMs);
      },
    });
    await guard.require();
    await guard.require();
    expect(reads).toBe(1);
    nowMs += 3_600_000;
    await guard.require();
    expect(reads).toBe(2);
  });
});
