import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AccountCheck } from "../../../proto/gen/corridor/payment/v1/check_service";
import { type Sandbox, startSandbox } from "../../../sandbox/app";
import { makePlaidLinker } from "../../../services/payment/adapters/plaid/account-linking";
import type { Linker, LinkOutcome } from "../../../services/payment/domain/check-ports";
import { checkAccountHandler } from "../../../services/payment/handlers/check-account";
import { validateAccountCheckHandler } from "../../../services/payment/handlers/validate-account-check";
import { type CheckAccountDeps, makeCheckAccount } from "../../../services/payment/operations/check-account";
import { makeValidateAccountCheck } from "../../../services/payment/operations/validate-account-check";
import { makeAccountTokenStore } from "../../../services/payment/store/account-token-store";
import { systemClock } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeLogger } from "../../../services/shared/process/logger";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeDataKeys } from "../../../services/shared/storage/data-keys";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { accountCheckOf, textOfAccountCheck } from "../../support/check-intents";
import { startTestStore, type TestStore } from "../../support/testbed";
import { refusalOf } from "./looks";
import { nonsense, outsideOf } from "./outside";

const key = Buffer.alloc(32, 7);
const secret = "key-of-a-test";
const logger = makeLogger("test", "error");
const tenant = "demo";

const accountBody = (externalPaymentId: string, accountId = "acc-checking") =>
  accountCheckOf(externalPaymentId, { accountId });

describe("the check of a bank account", () => {
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
  const outside = () => outsideOf(world.url);
  type Asked = (owner: string, check: AccountCheck) => Promise<{ answer: string; replayed: boolean }>;
  const asking =
    (deps: CheckAccountDeps): Asked =>
    async (owner, check) => {
      const handle = checkAccountHandler(makeCheckAccount(deps));
      const { receipt, replayed } = await handle({ tenant: owner, check, answerForm: 1 });
      return { answer: textOfAccountCheck(receipt), replayed };
    };
  const checkAccount = (linker: Linker): Asked =>
    asking({ accounts: accountsOf(), linker, clock: systemClock, pause: (ms) => sleep(ms) });
  const validate = (check: AccountCheck) =>
    validateAccountCheckHandler(makeValidateAccountCheck({ accounts: accountsOf() }))({ tenant, check });
  const kept = (externalId: string) => accountsOf().findAnswer({ tenant, externalId });
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
  afterEach(() => outside().clearFaults());
  afterAll(async () => {
    await world.stop();
    await mongo.stop();
    await store.stop();
  });

  it("opens an account once, at two replicas that are asked at once", async () => {
    let calls = 0;
    const counting = linkerThat(() => {
      calls += 1;
      return plaid().openAccount("public-sandbox-ok", "acc-checking");
    });

    const replies = await Promise.all([1, 2, 3, 4].map(() => checkAccount(counting)(tenant, accountBody("both"))));

    expect(calls).toBe(1);
    expect(new Set(replies.map(({ answer }) => answer)).size).toBe(1);
    expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it("a token opens its account for its tenant alone, as often as it is asked, until it is revoked", async () => {
    const { answer } = await checkAccount(plaid())(tenant, accountBody("reused"));
    const { accountTokenId, accessToken } = JSON.parse(answer);
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

    expect(await kept("silent")).toBeUndefined();
    expect(JSON.parse((await checkAccount(plaid())(tenant, accountBody("silent"))).answer)).toMatchObject({
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
    expect(JSON.parse(answer)).toMatchObject({ paymentId: dead.paymentId, status: "VERIFIED" });
    expect(await accounts.finish(dead, { form: 1, checkedAt: systemClock.now(), account: undefined }, undefined)).toBe(
      false,
    );
    await accounts.giveUp(dead);
    expect((await kept("died"))?.facts?.account).toMatchObject({ accessToken: JSON.parse(answer).accessToken });
  });

  it("a request that still runs is not waited for without end, and other content is refused at once", async () => {
    const accounts = accountsOf();
    const body = accountBody("running");
    await accounts.claim({ tenant, externalId: "running", hashes: { other: "x" } });

    await expect(checkAccount(plaid())(tenant, body)).rejects.toMatchObject({ reason: "IDEMPOTENCY_CONFLICT" });

    let paused = 0;
    const hasty = asking({
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

  it.each<[string, Partial<AccountCheck>, string[]]>([
    ["without an id", { externalPaymentId: "" }, ["externalPaymentId"]],
    ["with an id that is none", { externalPaymentId: "a/b" }, ["externalPaymentId"]],
    ["in a country by three letters", { countryCode: "USA" }, ["sender.paymentMethod.countryCode"]],
    ["in no country", { countryCode: "XX" }, ["sender.paymentMethod.countryCode"]],
    ["without the account", { accountId: "" }, ["sender.paymentMethod.accountCheckId"]],
    ["with hidden text", { accountId: "acc\u202echecking" }, ["sender.paymentMethod.accountCheckId"]],
    ["with a card number", { publicToken: "4111 1111 1111 1111" }, ["sender.paymentMethod.accountCheckToken"]],
    [
      "with everything wrong",
      { externalPaymentId: "", countryCode: "", publicToken: " ", accountId: "x".repeat(256) },
      [
        "externalPaymentId",
        "sender.paymentMethod.countryCode",
        "sender.paymentMethod.accountCheckToken",
        "sender.paymentMethod.accountCheckId",
      ],
    ],
  ])("is refused %s, nothing is claimed, and its validation says the same", async (_name, changes, fields) => {
    const id = systemIds.uuid();
    const check = accountCheckOf(id, changes);

    const refused = await refusalOf(checkAccount(plaid())(tenant, check));
    const { isKnown, differentFields, violations } = await validate(check);

    expect(refused).toMatchObject({ reason: "INVALID_ARGUMENT", fields });
    expect({ isKnown, differentFields }).toEqual({ isKnown: false, differentFields: [] });
    expect(violations.map(({ field }) => field)).toEqual(fields);
    expect(await kept(id)).toBeUndefined();
  });

  it("answers the same request with the same bytes for ever, and other content with IDM_002", async () => {
    const first = await checkAccount(plaid())(tenant, accountBody("twice"));
    await outside().fault({ provider: "linker", step: "exchange", execute: false });

    const again = await checkAccount(plaid())(tenant, accountBody("twice"));
    const other = await refusalOf(checkAccount(plaid())(tenant, accountBody("twice", "acc-savings")));
    const foreign = await refusalOf(checkAccount(plaid())("other", accountBody("twice")));

    expect(again).toEqual({ answer: first.answer, replayed: true });
    expect(other).toMatchObject({ reason: "IDEMPOTENCY_CONFLICT", details: { fields: ["sender"] } });
    // Another tenant's id is its own, so that the linker is asked.
    expect(foreign).toMatchObject({ reason: "UNAVAILABLE" });
  });

  it.each<[string, Partial<AccountCheck>]>([
    ["an unknown account", { accountId: "acc-nobody" }],
    ["a token of nobody", { publicToken: "public-sandbox-nobody" }],
  ])("keeps the linker's refusal of %s as its answer", async (_name, changes) => {
    const body = accountCheckOf(systemIds.uuid(), changes);

    const first = await checkAccount(plaid())(tenant, body);
    const again = await checkAccount(plaid())(tenant, body);

    expect(JSON.parse(first.answer)).toMatchObject({ status: "DECLINED", approved: false });
    expect(again).toEqual({ answer: first.answer, replayed: true });
  });

  const lies: readonly (readonly [string, object])[] = [
    ...nonsense,
    ["429", { answer: { status: 429, body: { error_code: "RATE_LIMIT_EXCEEDED" } } }],
    ["401", { answer: { status: 401, body: { error_code: "INVALID_API_KEYS" } } }],
    ["a 404 of somebody else", { answer: { status: 404, body: "no such route" } }],
    ["503", { execute: false }],
  ];
  it.each(lies.flatMap(([name, fault]) => [[name, "exchange", fault] as const, [name, "accounts", fault] as const]))(
    "says UNAVAILABLE when the linker answers %s to %s, keeps no answer, and is done by the same request",
    async (_name, step, fault) => {
      const id = systemIds.uuid();
      await outside().fault({ provider: "linker", step, times: 1, ...fault });

      const refused = await refusalOf(checkAccount(plaid())(tenant, accountBody(id)));
      const left = await kept(id);
      const next = await checkAccount(plaid())(tenant, accountBody(id));

      expect(refused).toMatchObject({ reason: "UNAVAILABLE" });
      expect(left).toBeUndefined();
      expect(JSON.parse(next.answer)).toMatchObject({ status: "VERIFIED" });
    },
  );

  it.each<[string, object]>([
    ["another account", { accounts: [{ account_id: "acc-other", name: "A" }] }],
    ["numbers of another account", { numbers: { ach: [{ account_id: "acc-other", account: "1", routing: "2" }] } }],
    ["an account without numbers", { numbers: { ach: [] } }],
  ])("verifies nothing when the linker shows %s", async (_name, changes) => {
    const accounts = [{ account_id: "acc-checking", name: "Checking" }];
    const numbers = { ach: [{ account_id: "acc-checking", account: "1", routing: "2" }] };
    const body = { accounts, numbers, ...changes };
    await outside().fault({ provider: "linker", step: "accounts", times: 1, answer: { body } });

    const { answer } = await checkAccount(plaid())(tenant, accountBody(systemIds.uuid()));

    expect(JSON.parse(answer)).toMatchObject({ status: "DECLINED", approved: false });
    expect(JSON.parse(answer)).not.toHaveProperty("accountTokenId");
  });
});
