import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { makePromiseLedger } from "../../../services/payment/adapters/wallet/promise-ledger";
import type { MadePromise } from "../../../services/payment/domain/payment";
import type { Need } from "../../../services/payment/domain/promises";
import { isTooLow, type PromiseBlocks, startPromiseBlocks } from "../../../services/payment/operations/promise-funds";
import { makeRailBalances } from "../../../services/payment/operations/rail-balances";
import type { Reservation } from "../../../services/payment/ports";
import { type LimitStore, makeLimitStore } from "../../../services/payment/store/limit-store";
import type { PaymentStore } from "../../../services/payment/store/payment-store";
import { makePromiseHolderStore } from "../../../services/payment/store/promise-holder-store";
import { type PromiseHolder, startPromiseHolder } from "../../../services/payment/workers/promise-holder";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeLogger } from "../../../services/shared/process/logger";
import type { Mongo } from "../../../services/shared/storage/mongo";
import { newPayment } from "../../support/payment-builder";
import { eventually } from "../bus/bus-testbed";
import { startWalletWorld, type WalletWorld } from "../wallet/wallet-world";
import { openPayments } from "./open-payments";

interface Process {
  blocks: PromiseBlocks;
  holder: PromiseHolder;
}

describe("blocks of promises that processes hold", () => {
  let world: WalletWorld;
  let mongo: Mongo;
  let payments: PaymentStore;
  let limits: LimitStore;
  /** What the rail of a test says. */
  let balance: string | undefined;
  let rail = "";
  const running = new Set<Process>();

  const start = (doubtMs = 200, quietMs?: number): Process => {
    const logger = makeLogger("test", "error");
    const holders = makePromiseHolderStore(mongo.connection);
    const common = { payments, ledger: makePromiseLedger(world.wallet), ids: systemIds, logger };
    const holder = startPromiseHolder({ ...common, process: "test", holders });
    const balances = () =>
      Promise.resolve(balance === undefined ? undefined : [{ currency: "BRL", available: balance }]);
    const figures = makeRailBalances([{ name: rail, balances }]);
    const blocks = startPromiseBlocks({ ...common, holder, figures, pause: (ms) => sleep(ms), doubtMs, quietMs });
    const process = { blocks, holder };
    running.add(process);
    return process;
  };
  const promises = ({ account, currency }: Need) => world.wallet.getPromises({ account, currency });
  const isPromised = (need: Need, minor: bigint) =>
    eventually(async () => (await promises(need)).promisedMinor === minor);
  /** A tenant's account with a credit line. */
  const line = async (minor: bigint): Promise<(part: bigint) => Need> => {
    const account = `tenant/t-${randomUUID().slice(0, 8)}/funding`;
    await world.wallet.setFloor({ account, currency: "USD", floorMinor: -minor });
    return (part) => ({ account, currency: "USD", minor: part });
  };
  const atRail = (minor: bigint): Need => ({ account: `provider/${rail}/clearing`, currency: "BRL", minor });
  const take = async ({ blocks }: Process, need: Need): Promise<Reservation | undefined> => {
    const taken = await blocks.reserve(need);
    return isTooLow(taken) ? undefined : taken;
  };
  const store = async (made: readonly MadePromise[]): Promise<void> => {
    const id = randomUUID();
    const change = newPayment("PUSH", { id, externalId: id, promises: made });
    expect(await payments.insert(change, { hashes: {}, answer: undefined })).toBe("stored");
  };
  /** Reserves and stores, as an acceptance does. */
  const accept = async (process: Process, need: Need): Promise<boolean> => {
    const reservation = await take(process, need);
    if (reservation === undefined) return false;
    await store(reservation.promises);
    reservation.commit();
    return true;
  };

  beforeAll(async () => {
    world = await startWalletWorld();
    ({ mongo, payments } = await openPayments(world.testbed));
    limits = makeLimitStore(mongo.connection, mongo.transact);
    await Promise.all([makePromiseHolderStore(mongo.connection).init(), limits.init()]);
  }, 60_000);
  beforeEach(() => {
    rail = `rail-${randomUUID().slice(0, 8)}`;
    balance = "100";
  });
  afterEach(async () => {
    for (const { blocks } of running) await blocks.stop();
    running.clear();
  });
  afterAll(async () => {
    await mongo.stop();
    await world.stop();
  });

  it("at a rail are promised to ten payments and to no eleventh, however two processes take turns", async () => {
    const [one, two] = [start(), start()];
    const work = async (process: Process): Promise<number> => {
      let kept = 0;
      for (let tries = 0; tries < 4; tries += 1) kept += (await accept(process, atRail(1_000n))) ? 1 : 0;
      return kept;
    };

    const kept = await Promise.all([work(one), work(two), work(one), work(two)]);

    expect(kept.reduce((sum, count) => sum + count, 0)).toBe(10);
    expect(await one.blocks.appraise(atRail(1_000n))).toEqual({ available: 0n, isSilent: false });
    expect((await promises(atRail(0n))).promisedMinor).toBe(10_000n);
  }, 60_000);

  it("at a rail that is silent are promised up to its last word, and what it leaves open is told", async () => {
    const process = start();
    expect(await accept(process, atRail(1_000n))).toBe(true);
    balance = undefined;

    expect(await accept(process, atRail(9_000n))).toBe(true);
    expect(await process.blocks.reserve(atRail(1n))).toEqual({ available: 0n, isSilent: true });
    rail = `rail-${randomUUID().slice(0, 8)}`;
    const { blocks } = start();
    expect(await blocks.reserve(atRail(1n))).toEqual({ available: 0n, isSilent: true });
    expect(await blocks.appraise(atRail(1n))).toEqual({ available: 0n, isSilent: true });
    balance = "0";
    expect(await blocks.reserve(atRail(1n))).toEqual({ available: 0n, isSilent: false });
  }, 60_000);

  it("are given back at the stop of their process, without what was promised out of them", async () => {
    const of = await line(6_400n);
    const process = start();
    expect(await accept(process, of(10n))).toBe(true);
    (await take(process, of(20n)))?.release();
    // A block is more than its first payment needs.
    expect((await promises(of(0n))).promisedMinor).toBe(100n);

    await process.blocks.stop();

    expect(await promises(of(0n))).toMatchObject({ promisedMinor: 10n, availableMinor: 6_390n });
    const holders = mongo.connection.collection("promise_holders");
    expect(await holders.countDocuments({}, { hint: { $natural: 1 } })).toBe(0);
  }, 30_000);

  it("are held under a name that a process gives up when it holds nothing, and never one that is gone", async () => {
    const of = await line(6_400n);
    const process = start(200, 20);
    const holders = mongo.connection.collection<{ _id: string }>("promise_holders");
    expect(await accept(process, of(10n))).toBe(true);
    const name = await process.holder.name();
    expect(await holders.countDocuments({ _id: name })).toBe(1);

    await eventually(async () => (await holders.countDocuments({ _id: name })) === 0);
    expect(await promises(of(0n))).toMatchObject({ promisedMinor: 10n });

    const next = await take(process, of(10n));
    expect(await process.holder.name()).not.toBe(name);
    expect(await holders.countDocuments({ _id: await process.holder.name() })).toBe(1);
    // What is not stored yet is held, however long that takes.
    await sleep(1_500);
    expect(await holders.countDocuments({ _id: await process.holder.name() })).toBe(1);
    next?.release();
  }, 30_000);

  it("of a process that died come back but for what stored payments name", async () => {
    const of = await line(6_400n);
    const dead = start();
    expect(await accept(dead, of(10n))).toBe(true);
    // It dies between a promise and its payment.
    expect(await take(dead, of(30n))).toBeDefined();
    await dead.holder.stop();
    const name = await dead.holder.name();
    expect((await promises(of(0n))).promisedMinor).toBe(100n);

    const holders = mongo.connection.collection<{ _id: string; aliveAt: Date }>("promise_holders");
    await holders.updateOne({ _id: name }, { $set: { aliveAt: new Date(Date.now() - 61_000) } });
    start();

    await isPromised(of(0n), 10n);
    await eventually(async () => (await holders.countDocuments({ _id: name })) === 0);
  }, 30_000);

  it("are waited for when another process has the rest, until that gives it back", async () => {
    const of = await line(1_000n);
    const [one, two] = [start(), start()];
    expect(await accept(one, of(1n))).toBe(true);
    expect((await promises(of(0n))).promisedMinor).toBe(15n);

    expect(await accept(two, of(990n))).toBe(true);
    expect(await accept(two, of(10n))).toBe(false);
  }, 30_000);

  it("keep what nobody knows to be stored, until the store knows", async () => {
    const of = await line(10n);
    const process = start();
    (await take(process, of(6n)))?.doubt();
    const stored = await take(process, of(4n));
    await store(stored?.promises ?? []);
    stored?.doubt();

    await isPromised(of(0n), 4n);
    expect(await accept(process, of(6n))).toBe(true);
    expect(await accept(process, of(1n))).toBe(false);
  }, 30_000);

  it("that were given back are promised to no payment any more, however late it comes and in whatever group", async () => {
    const of = await line(6_400n);
    const late = start();
    const name = await late.holder.name();
    const [first, second, third] = [await take(late, of(10n)), await take(late, of(20n)), await take(late, of(30n))];
    await store(first?.promises ?? []);
    // It sleeps so long that others give it up, and then goes on.
    await late.holder.stop();
    const holders = mongo.connection.collection<{ _id: string; aliveAt: Date }>("promise_holders");
    await holders.updateOne({ _id: name }, { $set: { aliveAt: new Date(Date.now() - 61_000) } });
    start();
    await isPromised(of(0n), 10n);

    const insert = (made: readonly MadePromise[] | undefined) => {
      const id = randomUUID();
      const change = newPayment("PUSH", { id, externalId: id, promises: made ?? [] });
      return payments.insert(change, { hashes: {}, answer: undefined });
    };
    const free = insert([]);
    const results = await Promise.all([insert(second?.promises), free, insert(third?.promises)]);
    const change = newPayment("PUSH", { id: randomUUID(), externalId: randomUUID(), promises: third?.promises ?? [] });
    const inTransaction = await limits.insertWithin([], (tx) =>
      payments.insert(change, { hashes: {}, answer: undefined }, tx),
    );

    expect(results).toEqual(["promise-lost", "stored", "promise-lost"]);
    expect(inTransaction).toBe("promise-lost");
    expect((await promises(of(0n))).promisedMinor).toBe(10n);
    second?.lose();
    third?.lose();
    expect(await accept(start(), of(6_000n))).toBe(true);
  }, 60_000);

  it("of one process that cannot be recovered do not keep those of others", async () => {
    const of = await line(6_400n);
    const [bad, good] = [start(), start()];
    expect(await accept(bad, of(1n))).toBe(true);
    expect(await accept(good, of(1n))).toBe(true);
    const names = [await bad.holder.name(), await good.holder.name()];
    await Promise.all([bad.holder.stop(), good.holder.stop()]);
    const holders = mongo.connection.collection<{ _id: string; aliveAt: Date }>("promise_holders");
    const old = { $set: { aliveAt: new Date(Date.now() - 61_000) } };
    for (const _id of names) await holders.updateOne({ _id }, old);
    // The ledger refuses what is asked for the first.
    const ledger = makePromiseLedger(world.wallet);
    const unreturned = (holder: string) =>
      holder === names[0] ? Promise.reject(new Error("refused")) : ledger.unreturned(holder);
    const logger = makeLogger("test", "error");
    const common = { payments, ledger: { ...ledger, unreturned }, ids: systemIds, logger };
    const looking = startPromiseHolder({
      ...common,
      process: "test",
      holders: makePromiseHolderStore(mongo.connection),
    });

    await eventually(async () => (await holders.countDocuments({ _id: names[1] ?? "" })) === 0);
    await looking.stop();
    expect(await holders.countDocuments({ _id: names[0] ?? "" })).toBe(1);
  }, 30_000);
});
