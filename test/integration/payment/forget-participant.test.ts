import { decodeErasure } from "../../../services/payment/consumers/erasures";
import type { PayoutAccount } from "../../../services/payment/domain/payout-account";
import { makeForgetParticipant } from "../../../services/payment/operations/forget-participant";
import { type AccountTokenStore, makeAccountTokenStore } from "../../../services/payment/store/account-token-store";
import { makeParticipantKeys } from "../../../services/payment/store/participant-keys";
import { makePayoutAccountStore, type PayoutAccountStore } from "../../../services/payment/store/payout-account-store";
import { makeSealer } from "../../../services/shared/crypto/sealing";
import { systemClock } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeLogger } from "../../../services/shared/process/logger";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeDataKeys } from "../../../services/shared/storage/data-keys";
import { renewBatch } from "../../../services/shared/storage/key-use";
import { driverDb, type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { partyOf } from "../../support/payment-builder";
import { startTestStore, type TestStore } from "../../support/testbed";

const tenant = "demo";
const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const gone = { reason: "PARTICIPANT_NOT_FOUND" };

/** The answer to a check that was verified. */
const facts = { form: 1, checkedAt: new Date("2026-01-02T03:04:05Z"), account: undefined };

const destinationOf = (firstName: string): PayoutAccount["details"] => ({
  purpose: "RECIPIENT",
  recipient: partyOf(firstName, ""),
  countryCode: "BRA",
  method: { kind: "pix", key: "key-9999", keyType: "EVP" },
  additionalData: undefined,
});

describe("what payment keeps of a participant", () => {
  let store: TestStore;
  let mongo: Mongo;
  let accounts: PayoutAccountStore;
  let checks: AccountTokenStore;
  beforeAll(async () => {
    store = await startTestStore();
    mongo = await openMongo({
      uri: store.mongoUri,
      database: store.database("payment"),
      profile: "local",
      tracing: noTracing,
    });
    const { connection } = mongo;
    const keys = makeDataKeys({ connection, sealingKeys: [older], ids: systemIds });
    const participantKeys = makeParticipantKeys({ connection, sealingKeys: [older], ids: systemIds });
    accounts = makePayoutAccountStore({ ...mongo, keys: participantKeys, tenantKeys: keys, ids: systemIds });
    checks = makeAccountTokenStore(connection, { keys, ids: systemIds });
    await Promise.all([keys.init(), participantKeys.init(), accounts.init(), checks.init()]);
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  const forget = (participantId: string): Promise<void> =>
    makeForgetParticipant({ ...mongo, accounts, checks, clock: systemClock })({ tenant, participantId });
  const accountOf = (participantId: string, facts: Partial<PayoutAccount> = {}): PayoutAccount => ({
    id: systemIds.uuid(),
    tenant,
    agentId: "agent",
    participantId,
    purpose: "RECIPIENT",
    type: "PIX",
    countryCode: "BRA",
    masked: "****9999",
    accountTokenId: undefined,
    details: destinationOf("Zephyrine"),
    createdAt: systemClock.now(),
    ...facts,
  });
  const listed = async (participantId: string): Promise<number> =>
    (await accounts.list({ tenant, agentId: "agent", participantId, purpose: "RECIPIENT" })).length;
  const records = (name: string) => mongo.connection.collection<Record<string, unknown> & { _id: string }>(name);
  const keyOf = async (participantId: string): Promise<unknown> =>
    (await records("participant_keys").findOne({ _id: `${tenant}/${participantId}` }))?.["key"];
  /** A verified check and the token that it left. */
  const verify = async (externalId: string): Promise<string> => {
    const claim = await checks.claim({ tenant, externalId, hashes: { sender: "hash" } });
    if (claim === undefined) throw new Error("the check is taken");
    await checks.finish(claim, facts, { accessToken: "access-1", accountId: "acc-1" });
    return claim.accountTokenId;
  };
  const source = (participantId: string, accountTokenId: string): PayoutAccount =>
    accountOf(participantId, {
      purpose: "FUNDING",
      accountTokenId,
      details: { purpose: "FUNDING", source: { kind: "account", token: accountTokenId } },
    });

  it("is removed with its key when the participant is erased, and nothing of anybody else", async () => {
    const [person, other] = [systemIds.uuid(), systemIds.uuid()];
    await accounts.add(accountOf(person));
    await accounts.add(accountOf(person, { agentId: "another" }));
    await accounts.add(accountOf(other));
    expect(await keyOf(person)).toEqual(expect.any(String));

    await forget(person);
    await forget(person);

    expect(await listed(person)).toBe(0);
    expect(await records("payout_accounts").countDocuments({ tenant, participantId: person })).toBe(0);
    expect(await keyOf(person)).toBeNull();
    expect(await listed(other)).toBe(1);
    expect(await keyOf(other)).toEqual(expect.any(String));
  });

  it("is sealed with a key of the participant's own, which is replaced with the sealing key and stays destroyed", async () => {
    const [person, erased] = [systemIds.uuid(), systemIds.uuid()];
    const account = accountOf(person);
    await accounts.add(account);
    await accounts.add(accountOf(erased));
    await forget(erased);
    const next = makeParticipantKeys({ ...mongo, sealingKeys: [newer, older], ids: systemIds });

    await renewBatch(driverDb(mongo.connection), next.renewal("R"), undefined, makeLogger("test", "error"));

    const keyPlace = `${tenant}|participant_keys|${tenant}/${person}|key`;
    const key = makeSealer(newer, systemIds).open(String(await keyOf(person)), keyPlace);
    const kept = await records("payout_accounts").findOne({ _id: account.id });
    const place = `${tenant}|payout_accounts|${account.id}|details`;
    const opened = makeSealer(key, systemIds).open(String(kept?.["sealed"]), place).toString();
    expect(JSON.parse(opened)).toEqual(account.details);
    expect(await keyOf(erased)).toBeNull();
  });

  it("can no longer be added once the news has come, also when the news came first or at the same time", async () => {
    const early = systemIds.uuid();
    await forget(early);
    await expect(accounts.add(accountOf(early))).rejects.toMatchObject(gone);

    for (let turn = 0; turn < 20; turn += 1) {
      const person = systemIds.uuid();
      const adding = [1, 2, 3].map(() => accounts.add(accountOf(person)));
      const [, ...added] = await Promise.allSettled([forget(person), ...adding]);
      const refused = added.filter(({ status }) => status === "rejected");
      for (const one of refused) expect(one).toMatchObject({ reason: gone });
      expect(await keyOf(person)).toBeNull();
      expect(await listed(person)).toBe(0);
    }
  });

  it("is told once: the second of two who are told at the same time finds nothing to do, or is told again", async () => {
    const person = systemIds.uuid();
    await accounts.add(accountOf(person));

    await Promise.allSettled([forget(person), forget(person)]);
    await forget(person);

    expect(await listed(person)).toBe(0);
    expect(await keyOf(person)).toBeNull();
  });

  it("takes along what a check of its bank account left, unless somebody else keeps that account too", async () => {
    const [person, partner] = [systemIds.uuid(), systemIds.uuid()];
    const [own, shared] = [await verify("own"), await verify("shared")];
    await accounts.add(source(person, own));
    await accounts.add(source(person, shared));
    await accounts.add(source(partner, shared));

    await forget(person);

    expect(await checks.open(tenant, own)).toBeUndefined();
    expect(await checks.open(tenant, shared)).toEqual({ accessToken: "access-1", accountId: "acc-1" });
    await expect(checks.findAnswer({ tenant, externalId: "own" })).rejects.toMatchObject({
      reason: "PAYMENT_NOT_FOUND",
    });
    expect((await checks.findAnswer({ tenant, externalId: "shared" }))?.facts).toEqual(facts);
    const left = await records("account_checks").findOne({ tenant, externalId: "own" });
    expect(Object.keys(left ?? {}).toSorted()).toEqual([
      "_id",
      "accountTokenId",
      "contentVersion",
      "externalId",
      "forgottenAt",
      "hashes",
      "isVerified",
      "tenant",
    ]);
    expect(left?.["hashes"]).toEqual([]);

    await forget(partner);
    expect(await checks.open(tenant, shared)).toBeUndefined();
  });

  it("stays whole when the process ends in the middle: the news comes again", async () => {
    const person = systemIds.uuid();
    const token = await verify("middle");
    await accounts.add(source(person, token));
    const broken = { forget: () => Promise.reject(new Error("the process ends")) };
    const ending = makeForgetParticipant({ ...mongo, accounts, checks: broken, clock: systemClock });

    await expect(ending({ tenant, participantId: person })).rejects.toThrow("the process ends");
    expect(await records("payout_accounts").countDocuments({ participantId: person }, { hint: "_id_" })).toBe(1);
    expect(await keyOf(person)).toEqual(expect.any(String));

    await forget(person);
    expect(await checks.open(tenant, token)).toBeUndefined();
    expect(await keyOf(person)).toBeNull();
  });

  it("is not asked for by a message that names nobody", () => {
    expect(() => decodeErasure(new Uint8Array())).toThrow("names no participant");
  });
});
