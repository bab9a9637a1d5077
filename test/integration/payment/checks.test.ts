import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Sandbox, startSandbox } from "../../../sandbox/app";
import { makeCardVerifier } from "../../../services/payment/adapters/acquirer/card-verifier";
import { makePlaidLinker } from "../../../services/payment/adapters/plaid/account-linking";
import type { Linker, LinkOutcome } from "../../../services/payment/check-ports";
import { makeCheckAccount } from "../../../services/payment/operations/check-account";
import { makeCheckCard } from "../../../services/payment/operations/check-card";
import { makeAccountTokenStore } from "../../../services/payment/store/account-token-store";
import { makeCardVerdictStore } from "../../../services/payment/store/card-verdict-store";
import { systemClock } from "../../../services/shared/clock";
import { makeDataKeys } from "../../../services/shared/data-keys";
import { systemIds } from "../../../services/shared/ids";
import { parseJsonObject } from "../../../services/shared/json";
import { makeLogger } from "../../../services/shared/logger";
import { makeMetrics } from "../../../services/shared/metrics";
import { type Mongo, openMongo } from "../../../services/shared/mongo";
import { makeProviderCall } from "../../../services/shared/provider-call";
import { noTracing } from "../../../services/shared/tracing";
import { startTestStore, type TestStore } from "../../support/ground";

const key = Buffer.alloc(32, 7);
const secret = "key-of-a-test";
const logger = makeLogger("test", "error");
const tenant = "demo";

const accountBody = (externalPaymentId: string, accountCheckId = "acc-checking") => {
  const method = { type: "BANK_DEPOSIT", countryCode: "US", accountCheckToken: "public-sandbox-ok", accountCheckId };
  return parseJsonObject(JSON.stringify({ externalPaymentId, sender: { paymentMethod: method } }));
};

const cardBody = (lastName: string) => ({
  externalPaymentId: "card-1",
  ipAddress: "203.0.113.7",
  sender: {
    firstName: "Ada",
    lastName,
    email: "ada.secret@example.com",
    address: { countryCode: "GBR", stateCode: "LND", city: "London", line1: "Secret Lane 5", zipCode: "N1" },
    paymentMethod: { type: "CARD", cardTokenId: ["1", "1", "4", "8", "1"].map(group).join("-") },
  },
});
const group = (first: string, index: number): string => {
  const length = [8, 4, 4, 4, 12][index] ?? 0;
  return `${first}${"1".repeat(length - 1)}`;
};

describe("checks beside a real store and the outside world", () => {
  let store: TestStore;
  let mongo: Mongo;
  let world: Sandbox;
  const keysOf = () => makeDataKeys({ connection: mongo.connection, sealingKeys: [key], ids: systemIds });
  const accountsOf = () => makeAccountTokenStore(mongo.connection, { keys: keysOf(), ids: systemIds });
  const plaid = (): Linker =>
    makePlaidLinker({
      baseUrl: `${world.url}/plaid`,
      clientId: "corridor",
      secret,
      timeoutMs: 20_000,
      uuid: systemIds.uuid,
      logger,
      tracing: noTracing,
    });
  const checkAccount = (linker: Linker) =>
    makeCheckAccount({ accounts: accountsOf(), linker, clock: systemClock, pause: (ms) => sleep(ms) });
  const linkerThat = (openAccount: () => Promise<LinkOutcome>): Linker => ({ ...plaid(), openAccount });

  beforeAll(async () => {
    store = await startTestStore();
    mongo = await openMongo({
      uri: store.mongoUri,
      database: store.database("checks"),
      profile: "local",
      tracing: noTracing,
    });
    world = await startSandbox(
      {
        host: "127.0.0.1",
        port: 0,
        tls: undefined,
        dataDir: mkdtempSync(join(tmpdir(), "corridor-checks-")),
        railKey: secret,
        callbackUrl: "http://127.0.0.1:9/nobody",
        callbackSecret: "unused",
        settleAfterMs: 20,
        finalityWindowMs: 2_000,
      },
      logger,
    );
    await accountsOf().init();
  });
  afterAll(async () => {
    await world.stop();
    await mongo.stop();
    await store.stop();
  });

  it("an account is opened once by two replicas that are asked at once", async () => {
    let calls = 0;
    const counting = linkerThat(() => {
      calls += 1;
      return plaid().openAccount("public-sandbox-ok", "acc-checking");
    });

    const replies = await Promise.all([1, 2, 3, 4].map(() => checkAccount(counting)(tenant, accountBody("both"))));

    expect(calls).toBe(1);
    expect(new Set(replies.map(({ answer }) => answer.toString())).size).toBe(1);
    expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it("a token opens its account for its tenant alone, as often as it is asked, until it is revoked", async () => {
    const { answer } = await checkAccount(plaid())(tenant, accountBody("reused"));
    const { accountTokenId, accessToken } = JSON.parse(answer.toString());
    const accounts = accountsOf();

    const opened = { accessToken, accountId: "acc-checking" };
    expect(await accounts.open(tenant, accountTokenId)).toEqual(opened);
    expect(await accounts.open(tenant, accountTokenId)).toEqual(opened);
    expect(await accounts.open("other", accountTokenId)).toBeUndefined();
    expect(await accounts.revoke("other", accountTokenId)).toBe(false);
    expect(await accounts.revoke(tenant, accountTokenId)).toBe(true);
    expect(await accounts.open(tenant, accountTokenId)).toBeUndefined();
    expect(await accounts.revoke(tenant, accountTokenId)).toBe(true);
  });

  it("an unknown outcome leaves nothing, and the same request goes on", async () => {
    const silent = linkerThat(() => Promise.resolve({ kind: "unknown" }));

    await expect(checkAccount(silent)(tenant, accountBody("silent"))).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    await expect(
      checkAccount(linkerThat(() => Promise.reject(new Error("bug"))))(tenant, accountBody("silent")),
    ).rejects.toMatchObject({
      reason: "UNAVAILABLE",
    });

    expect(await accountsOf().findAnswer(tenant, "silent")).toBeUndefined();
    expect(JSON.parse((await checkAccount(plaid())(tenant, accountBody("silent"))).answer.toString())).toMatchObject({
      status: "VERIFIED",
    });
  });

  it("a check whose process died is taken up again once its claim is over, and the dead one cannot finish it", async () => {
    const accounts = accountsOf();
    const { hashes } = { hashes: { dead: "x" } };
    const dead = await accounts.claim({ tenant, externalId: "died", hashes });
    if (dead === undefined) throw new Error("the check was not free");
    const checks = mongo.connection.collection<{ _id: string }>("account_checks");
    const past = new Date(systemClock.now().getTime() - 1_000);
    expect(await accounts.claim({ tenant, externalId: "died", hashes })).toBeUndefined();
    await checks.updateOne({ _id: dead.paymentId }, { $set: { claimedUntil: past } });

    const { answer, replayed } = await checkAccount(plaid())(tenant, accountBody("died"));

    expect(replayed).toBe(false);
    expect(JSON.parse(answer.toString())).toMatchObject({ paymentId: dead.paymentId, status: "VERIFIED" });
    expect(await accounts.finish(dead, Buffer.from("late"), undefined)).toBe(false);
    await accounts.giveUp(dead);
    expect((await accounts.findAnswer(tenant, "died"))?.answer).toEqual(answer);
  });

  it("a request that still runs is not waited for without end, and other content is refused at once", async () => {
    const accounts = accountsOf();
    const body = accountBody("running");
    await accounts.claim({ tenant, externalId: "running", hashes: { other: "x" } });

    await expect(checkAccount(plaid())(tenant, body)).rejects.toMatchObject({ reason: "IDEMPOTENCY_CONFLICT" });

    let paused = 0;
    const hasty = makeCheckAccount({
      accounts: { ...accounts, claim: () => Promise.resolve(undefined), findAnswer: () => Promise.resolve(undefined) },
      linker: plaid(),
      clock: systemClock,
      pause: (ms) => {
        paused += ms;
        return Promise.resolve();
      },
    });
    await expect(hasty(tenant, body)).rejects.toMatchObject({ reason: "REQUEST_RUNNING" });
    expect(paused).toBe(5_000);
  });

  it("one verdict is kept of checks at once, and neither names nor addresses are stored in clear", async () => {
    const verdicts = makeCardVerdictStore(mongo.connection, keysOf());
    await verdicts.init();
    const call = makeProviderCall({
      name: "acquirer",
      baseUrl: world.url,
      apiKey: secret,
      timeoutMs: 20_000,
      logger,
      tracing: noTracing,
      metrics: makeMetrics("test"),
    });
    const checkCard = makeCheckCard({
      countCheck: () => Promise.resolve(),
      verdicts,
      verifier: makeCardVerifier(call),
      clock: systemClock,
      uuid: systemIds.uuid,
    });

    const answers = await Promise.all([1, 2, 3, 4].map(() => checkCard(tenant, cardBody("Confidential"))));
    const foreign = await checkCard("other", cardBody("Confidential"));

    expect(new Set(answers).size).toBe(1);
    expect(JSON.parse(foreign)).toMatchObject({ verificationResults: { avs: "APPROVED" } });
    const stored = JSON.stringify(
      await Promise.all(
        ["card_verdicts", "account_checks"].map((name) => mongo.connection.collection(name).find().toArray()),
      ),
    );
    expect(stored).not.toMatch(/Confidential|ada\.secret|Secret Lane|access-sandbox|1111222233330000/);
    expect(await mongo.connection.collection("card_verdicts").countDocuments()).toBe(2);
  });
});
