import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startWallet } from "../../../services/wallet/app";
import { readWalletConfig } from "../../../services/wallet/config";
import { makeVerificationStore, type Verification } from "../../../services/wallet/store/verification-store";
import { nextWalk } from "../../../services/wallet/workers/verify-ledger";
import { until } from "../../support/platform-client";
import { startWalletWorld, type WalletWorld } from "./wallet-world";

const now = new Date();
const minutesAgo = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);
const walk = (startedAt: Date, finishedAt: Date | undefined): Verification => ({
  id: "w",
  startedAt,
  finishedAt,
  accounts: 0,
  entries: 0,
  rows: 0,
  checkpoints: 0,
  anchors: 0,
  findings: [],
});

describe("walks over the ledger that begin by themselves", () => {
  let world: WalletWorld;
  let mongo: Mongo;
  let database: string;
  let count = 0;
  const running: Running[] = [];

  beforeAll(async () => {
    world = await startWalletWorld();
  });
  beforeEach(async () => {
    count += 1;
    database = world.testbed.database(`proving-${count}`);
    mongo = await openMongo({ uri: world.testbed.mongoUri, database, profile: "local", tracing: noTracing });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((part) => part.stop()));
    await mongo.stop();
  });
  afterAll(() => world.stop());

  const walks = () => makeVerificationStore(mongo.connection).latest(20);
  const startReplica = async (everySeconds: number): Promise<void> => {
    const own = { MONGODB_DATABASE: database, WALLET_VERIFICATION_SECONDS: String(everySeconds) };
    running.push(await startWallet(readWalletConfig({ ...world.environment, ...own })));
  };

  it("begin at one of several replicas, once in their time, and are kept with what they found", async () => {
    await Promise.all([startReplica(3_600), startReplica(3_600), startReplica(3_600)]);
    await until(walks, (found) => found.some(({ finishedAt }) => finishedAt !== undefined));

    // Each replica has asked a second time by then.
    await sleep(6_000);

    expect(await walks()).toMatchObject([{ finishedAt: expect.any(Date), findings: [] }]);
  });

  it("begin again when their time has come", async () => {
    await startReplica(1);

    const found = await until(walks, (all) => all.length >= 3);

    expect(found.length).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ["none has begun", [], true],
    ["the last one ended within the day", [walk(minutesAgo(1_000), minutesAgo(990))], false],
    ["the last one ended before that", [walk(minutesAgo(1_500), minutesAgo(1_490))], true],
    ["one is running", [walk(minutesAgo(30), undefined)], false],
    ["one began long ago and never ended", [walk(minutesAgo(90), undefined)], true],
    ["one was lost, and one ended", [walk(minutesAgo(90), undefined), walk(minutesAgo(100), minutesAgo(95))], false],
  ])("are due or not when %s", (_case, known, expected) => {
    expect(nextWalk(known, 86_400_000) <= now).toBe(expected);
  });
});
