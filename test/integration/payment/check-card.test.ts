import type { CheckCardResponse } from "../../../proto/gen/corridor/payment/v1/check_service";
import type { Sandbox } from "../../../sandbox/app";
import { makeCardVerifier } from "../../../services/payment/adapters/acquirer/card-verifier";
import { checkCardHandler } from "../../../services/payment/handlers/check-card";
import { type CheckCard, makeCheckCard } from "../../../services/payment/operations/check-card";
import { makeCardCheckLimit } from "../../../services/payment/operations/limit-card-checks";
import { makeCardVerdictStore } from "../../../services/payment/store/card-verdict-store";
import { makeProviderCall } from "../../../services/shared/http/provider-call";
import { systemClock } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeLogger } from "../../../services/shared/process/logger";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeDataKeys } from "../../../services/shared/storage/data-keys";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { makeTokenBuckets } from "../../../services/shared/storage/token-buckets";
import { cardCheckOf, textOfCardCheck } from "../../support/check-intents";
import { startTestStore, type TestStore } from "../../support/testbed";
import { call, cardToken, eventually, railKey, startWorld } from "../sandbox/outside-world";
import { refusalOf } from "./looks";
import { nonsense, type Outside, outsideOf } from "./outside";

const tenant = "demo";

type Json = Record<string, unknown>;
const bodyOf = (
  lastName: string,
  changes: { digit?: string; top?: object; sender?: object; address?: object } = {},
) => ({
  externalPaymentId: "card-1",
  ipAddress: "203.0.113.7",
  sender: {
    firstName: "Ada",
    lastName,
    email: "ada.secret@example.com",
    address: {
      countryCode: "GBR",
      stateCode: "LND",
      city: "London",
      line1: "Secret Lane 5",
      zipCode: "N1",
      ...changes.address,
    },
    paymentMethod: { type: "CARD", cardTokenId: cardToken(changes.digit ?? "1") },
    ...changes.sender,
  },
  ...changes.top,
});

describe("the check of a card", () => {
  let store: TestStore;
  let world: Sandbox;
  let outside: Outside;
  /** Two processes on one store. */
  let mongos: Mongo[];
  let checks: CheckCard[];
  let hasty: CheckCard;
  const composed = async (mongo: Mongo, factor: number): Promise<CheckCard> => {
    const keys = makeDataKeys({ connection: mongo.connection, sealingKeys: [Buffer.alloc(32, 7)], ids: systemIds });
    const verdicts = makeCardVerdictStore(mongo.connection, keys);
    const buckets = makeTokenBuckets(mongo.connection, systemClock);
    await Promise.all([keys.init(), verdicts.init(), buckets.init()]);
    const verify = makeProviderCall({
      name: "acquirer",
      baseUrl: world.url,
      apiKey: railKey,
      timeoutMs: 5_000,
      logger: makeLogger("test", "error"),
      tracing: noTracing,
      metrics: makeMetrics("test"),
    });
    const countCheck = makeCardCheckLimit(buckets, factor);
    const verifier = makeCardVerifier(verify);
    return makeCheckCard({ verdicts, verifier, countCheck, clock: systemClock, uuid: systemIds.uuid });
  };
  const check = async (body: object, owner = tenant, process = 0): Promise<Json> =>
    answered(await checkThrough(checks[process] ?? hasty, body, owner));
  const checkThrough = (through: CheckCard, body: object, owner = tenant) =>
    checkCardHandler(through)({ tenant: owner, ...cardCheckOf(body) });
  const answered = (response: CheckCardResponse): Json => JSON.parse(textOfCardCheck(response)) as Json;
  const lie = (fault: object) => outside.fault({ provider: "acquirer", step: "verify", times: 1, ...fault });
  /** How often an issuer was asked. */
  const asked = async (): Promise<number> =>
    ((await call("GET", `${world.url}/book`)).body["verifications"] as object[]).length;
  const kept = () => mongos[0]?.connection.collection("card_verdicts").countDocuments({}, { hint: "_id_" });

  beforeAll(async () => {
    store = await startTestStore();
    world = await startWorld();
    outside = outsideOf(world.url);
    const database = store.database("checks");
    const open = () => openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
    mongos = [await open(), await open()];
    checks = [];
    for (const mongo of mongos) checks.push(await composed(mongo, 1_000));
    for (const mongo of mongos.slice(0, 1)) hasty = await composed(mongo, 1);
  });
  afterEach(() => outside.clearFaults());
  afterAll(async () => {
    await world.stop();
    for (const mongo of mongos) await mongo.stop();
    await store.stop();
  });

  it.each<[string, object, string[]]>([
    ["no id", { top: { externalPaymentId: undefined } }, ["externalPaymentId"]],
    ["an address of nobody", { top: { ipAddress: "fe80::1%eth0" } }, ["ipAddress"]],
    ["a country by two letters", { address: { countryCode: "GB" } }, ["sender.address.countryCode"]],
    ["no place", { address: { city: "", line1: " " } }, ["sender.address.city", "sender.address.line1"]],
    [
      "a number in place of the token",
      { sender: { paymentMethod: { type: "CARD", cardTokenId: "4111111111111111" } } },
      ["sender.paymentMethod.cardTokenId"],
    ],
  ])("is refused with %s, and the issuer is not asked", async (_name, changes, fields) => {
    await outside.fault({ provider: "acquirer", step: "verify", execute: false });

    const refused = await refusalOf(check(bodyOf("Refused", changes)));

    expect(refused).toMatchObject({ reason: "INVALID_ARGUMENT", fields });
    expect(refused?.message).not.toContain("4111");
  });

  it("is refused for a token of nobody, each time", async () => {
    const body = bodyOf("Nobody", { sender: { paymentMethod: { type: "CARD", cardTokenId: systemIds.uuid() } } });
    for (const process of [0, 1]) {
      expect(await refusalOf(check(body, tenant, process))).toMatchObject({
        reason: "INVALID_ARGUMENT",
        fields: ["sender.paymentMethod.cardTokenId"],
      });
    }
  });

  it("has one verdict for ever of checks at once in two processes, and asks the issuer of each tenant apart", async () => {
    const answers = await Promise.all([0, 1, 0, 1].map((process) => check(bodyOf("Confidential"), tenant, process)));
    await outside.fault({ provider: "acquirer", step: "verify", execute: false });
    const later = await check(
      bodyOf("Confidential", { top: { externalPaymentId: "card-2", ipAddress: "203.0.113.8" } }),
    );
    const foreign = await refusalOf(check(bodyOf("Confidential"), "other"));

    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(later).toEqual(answers[0]);
    expect(foreign).toMatchObject({ reason: "UNAVAILABLE" });
  });

  it("keeps neither names nor addresses nor the card in clear", async () => {
    await check(bodyOf("Confidential"));

    const stored = await mongos[0]?.connection.collection("card_verdicts").find({}, { hint: "_id_" }).toArray();

    expect(stored?.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored)).not.toMatch(/Confidential|ada\.secret|Secret Lane|1111-4111/);
  });

  it("keeps that a card was declined, and not that its holder was challenged", async () => {
    const declined = await check(bodyOf("Declined", { digit: "3" }));
    const challenged = await check(bodyOf("Challenged", { digit: "4" }));
    await outside.fault({ provider: "acquirer", step: "verify", execute: false });

    expect(declined).toMatchObject({ status: "DECLINED", approved: false, amount: 0 });
    expect(await check(bodyOf("Declined", { digit: "3" }))).toEqual(declined);
    expect(challenged["redirectAcsUrl"]).toMatch(/^http/);
    expect(await refusalOf(check(bodyOf("Challenged", { digit: "4" })))).toMatchObject({ reason: "UNAVAILABLE" });
  });

  it.each<[string, object]>([
    ...nonsense,
    ["about another check", { answer: { kind: "other-reference" } }],
    ["a lost connection, once it has executed", { answer: { kind: "lost" } }],
    ["401", { answer: { status: 401, body: { error: "unauthorized" } } }],
    ["409", { answer: { status: 409, body: { error: "reference_conflict" } } }],
    ["an unlisted 422", { answer: { status: 422, body: { error: "processing_error" } } }],
    ["429", { answer: { status: 429, body: { error: "slow_down" } } }],
    ["503", { execute: false }],
  ])("says UNAVAILABLE when the issuer answers %s, keeps nothing, and asks again", async (name, fault) => {
    const before = await kept();
    await lie(fault);

    const refused = await refusalOf(check(bodyOf(`Lied to by ${name}`.slice(0, 30))));

    expect(refused).toMatchObject({ reason: "UNAVAILABLE" });
    expect(await kept()).toBe(before);
    expect(await check(bodyOf(`Lied to by ${name}`.slice(0, 30)))).toMatchObject({
      verificationResults: { avs: "APPROVED" },
    });
  });

  it("asks about one card five times an hour at most, and what is kept does not count", async () => {
    const ask = (lastName: string) => checkThrough(hasty, bodyOf(lastName, { digit: "2" }));
    await ask("First");
    for (let repeat = 0; repeat < 10; repeat += 1) await ask("First");

    const others = await Promise.all(["a", "b", "c", "d", "e", "f"].map((name) => refusalOf(ask(name))));

    const refused = others.filter((one) => one !== undefined);
    expect(refused).toHaveLength(2);
    for (const one of refused) expect(one).toMatchObject({ reason: "RATE_LIMITED", details: { limitPerHour: 5 } });
    expect(answered(await ask("First"))).toHaveProperty("verificationResults");
  });

  it("gives the verdict that is kept when another process was first while the issuer was asked", async () => {
    const before = await asked();
    await lie({ delayMs: 2_000 });
    const slow = check(bodyOf("Overtaken"));
    // The issuer has decided, and answers two seconds later.
    await eventually(async () => (await asked()) > before);

    const fast = await check(bodyOf("Overtaken"), tenant, 1);

    expect(await slow).toEqual(fast);
  });
});
