import { randomUUID } from "node:crypto";
import { type Wallet, WalletStatus } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeDataKeys } from "../../../services/shared/storage/data-keys";
import { openIntentOf } from "../../support/wallet-intents";
import { eventually } from "../bus/bus-testbed";
import {
  asAnswer,
  holdOf,
  type Replica,
  sealingKey,
  startWalletWorld,
  tenant,
  transactionOf,
  voidOf,
  type WalletWorld,
} from "./wallet-world";

const words = {
  ownerId: "canary-owner",
  beneficiaryId: "canary-beneficiary",
  type: "canary-type",
  additionalInfo: { note: "canary-note", amount: 1.5 },
};
const nextKey = "7c".repeat(32);

/** A document of the ledger, as who reads the store sees it. */
interface Stored extends Record<string, unknown> {
  _id: string;
}

describe("what callers write about wallets", () => {
  let world: WalletWorld;
  beforeEach(async () => {
    world = await startWalletWorld();
  });
  afterEach(() => world.stop());

  const collection = (name: string) => world.mongo.connection.collection<Stored>(name);
  const open = async ({ wallet: client }: Pick<Replica, "wallet"> = world, owner = tenant): Promise<Wallet> => {
    const { wallet } = await client.createWallet({
      tenant: owner,
      wallet: openIntentOf({ accountAsset: "USD", ...words }),
    });
    if (wallet === undefined) throw new Error("no wallet");
    return wallet;
  };
  const read = async (walletId: string, { wallet: client }: Pick<Replica, "wallet"> = world, owner = tenant) =>
    (await client.getWallet({ tenant: owner, walletId })).wallet;
  const descriptionsOf = async (walletId: string, { wallet: client }: Pick<Replica, "wallet"> = world) => {
    const page = { tenant, walletId, from: undefined, until: undefined, page: 0, size: 50, newestFirst: false };
    return (await client.getStatement(page)).entries.map(({ description }) => description);
  };
  const credit = (walletId: string, description: string, more: object = {}) => ({
    walletId,
    externalId: randomUUID(),
    amount: 5,
    paymentType: "CREDIT",
    description,
    ...more,
  });
  const findings = async () => {
    const begun = await world.wallet.verifyLedger({ verificationId: undefined });
    let walk = begun;
    await eventually(async () => {
      walk = await world.wallet.verifyLedger({ verificationId: begun.verificationId });
      return walk.finishedAt !== undefined;
    });
    return walk.findings;
  };
  /** Everything that the service has stored, as text. */
  const storeText = async (): Promise<string> => {
    const collections = (await world.mongo.connection.listCollections()).filter(
      ({ name }) => !name.startsWith("system."),
    );
    const all = await Promise.all(collections.map(({ name }) => collection(name).find({}).toArray()));
    const texts = all
      .flat()
      .flatMap((document) => [
        JSON.stringify(document, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
        ...Object.values(document).map((value) => Buffer.from(Object(value)["buffer"] ?? "").toString("latin1")),
      ]);
    return texts.join("\n");
  };

  it("are read back as they were written, in every answer, and stand nowhere in the store", async () => {
    const { walletId } = await open();
    const other = await world.open();
    const request = credit(walletId, 'canary-credit "quoted" $& \\ \u{1f600}');
    const first = await world.move(request);
    const held = await world.move(credit(walletId, "canary-hold", { hold: true }));
    await world.wallet.confirmTransaction(holdOf(held.json["transactionId"]));
    const sent = {
      fromWallet: walletId,
      toWallet: other,
      amount: 1,
      externalId: "t-1",
      description: "canary-transfer",
    };
    await world.transfer(sent);
    await world.wallet.voidTransfer(voidOf("t-1"));
    const amount = { amountMinor: 100n, currency: "USD" };
    await world.wallet.creditPayout({ tenant, walletId, paymentId: "p-1", amount, description: "canary-payout" });

    const { additionalInfoJson, ...facts } = (await read(walletId)) ?? { additionalInfoJson: Buffer.alloc(0) };
    expect(facts).toMatchObject({ ownerId: words.ownerId, beneficiaryId: words.beneficiaryId, type: words.type });
    expect(Buffer.from(additionalInfoJson).toString()).toBe(JSON.stringify(words.additionalInfo));
    expect(first.json["description"]).toBe(request.description);
    expect((await world.move(request)).text).toBe(first.text);
    const changed = await world.wallet.changeWalletStatus({ tenant, walletId, status: WalletStatus.FROZEN });
    expect(changed.wallet).toMatchObject({ ownerId: words.ownerId, status: WalletStatus.FROZEN });
    expect(await descriptionsOf(walletId)).toEqual([
      request.description,
      "canary-hold",
      "canary-transfer",
      "canary-transfer",
      "canary-payout",
    ]);
    const stored = await storeText();
    expect(stored).toContain(walletId);
    expect(stored).not.toContain("canary");
    expect(await findings()).toEqual([]);
  });

  it("tell a repeat from another request, and leave nothing in the store from which they could be guessed", async () => {
    const walletId = await world.open();
    const request = credit(walletId, "short");
    await world.move(request);
    const twin = credit(walletId, "short");
    await world.move(twin);

    await expect(world.move({ ...request, description: "other" })).rejects.toMatchObject({
      reason: "IDEMPOTENCY_CONFLICT",
      details: { fields: ["description"] },
    });
    await expect(world.move({ ...request, description: 7, amount: -1 })).rejects.toMatchObject({
      reason: "IDEMPOTENCY_CONFLICT",
      details: { fields: ["amount", "description"] },
    });
    expect((await world.move(request)).replayed).toBe(true);
    const entries = await collection("entries")
      .find({ description: { $ne: null } }, { hint: "_id_" })
      .toArray();
    const hashes = entries.flatMap((entry) => entry["hashes"] as [string, string][]);
    const ofWords = hashes.filter(([field]) => field === "description").map(([, hash]) => hash);
    expect(ofWords).toHaveLength(2);
    expect(new Set(ofWords).size).toBe(2);
  });

  it("open under no other sealing key, and for no other wallet, entry or tenant", async () => {
    const { walletId } = await open();
    await world.move(credit(walletId, "one"));
    await world.move(credit(walletId, "two"));
    const { connection } = world.mongo;
    const stranger = makeDataKeys({ connection, sealingKeys: [Buffer.from(nextKey, "hex")], ids: systemIds });
    await expect(stranger.of(tenant)).rejects.toThrow("another key");

    const second = await open();
    const accounts = collection("accounts");
    const [one, two] = [await accounts.findOne({ _id: walletId }), await accounts.findOne({ _id: second.walletId })];
    const detailsOf = (account: Stored | null) => (account?.["wallet"] as { details: string } | undefined)?.details;
    await accounts.updateOne({ _id: walletId }, { $set: { "wallet.details": detailsOf(two) } });
    await expect(read(walletId)).rejects.toMatchObject({ reason: "INTERNAL" });
    await accounts.updateOne({ _id: walletId }, { $set: { "wallet.details": detailsOf(one), tenant: "other" } });
    await expect(read(walletId, world, "other")).rejects.toMatchObject({ reason: "INTERNAL" });
    await accounts.updateOne({ _id: walletId }, { $set: { tenant } });
    expect(await read(walletId)).toMatchObject({ ownerId: words.ownerId });

    const entries = collection("entries");
    const [first, last] = await entries.find({ kind: "credit" }, { hint: "_id_" }).toArray();
    await entries.updateOne({ _id: first?._id ?? "" }, { $set: { description: last?.["description"] } });
    await expect(descriptionsOf(walletId)).rejects.toMatchObject({ reason: "INTERNAL" });
    expect((await findings()).map(({ fault }) => fault)).toContain("edited");
  });

  it("have one key per tenant, also when two replicas make it at the same time", async () => {
    const second = await world.startReplica();
    const owners = Array.from({ length: 20 }, (_none, index) => `tenant-${index}`);
    const opened = await Promise.all(
      owners.flatMap((owner) => [world, second].map(async (one) => ({ owner, ...(await open(one, owner)) }))),
    );

    expect(await collection("data_keys").countDocuments({}, { hint: "_id_" })).toBe(owners.length);
    const third = await world.startReplica();
    for (const { owner, walletId } of opened) {
      for (const replica of [world, second, third]) {
        expect(await read(walletId, replica, owner)).toMatchObject({ ownerId: words.ownerId });
      }
    }
  });

  it("outlive their sealing key: it is replaced under load without one failure, and the ledger stays proven", async () => {
    const { walletId } = await open();
    const request = credit(walletId, "before");
    const before = await world.move(request);
    const failures: unknown[] = [];
    const ended = new Set<string>();
    let turns = 0;
    const load = async (name: string, { wallet }: Pick<Replica, "wallet">): Promise<void> => {
      const replica = { wallet };
      while (!ended.has(name)) {
        turns += 1;
        const request = transactionOf(credit(walletId, `turn ${turns}`));
        await replica.wallet.createTransaction(request).catch((error: unknown) => failures.push(error));
        await read(walletId, replica).catch((error: unknown) => failures.push(error));
      }
    };
    const sealedBy = async (): Promise<string | undefined> =>
      String((await collection("data_keys").findOne({ _id: tenant }))?.["key"]).split(".")[1];
    const firstKey = await sealedBy();
    const first = load("first", world);
    // Every replica opens what both keys have sealed before one seals with the next.
    const both = await world.startReplica(sealingKey, nextKey);
    ended.add("first");
    await first;
    await world.stopFirst();
    const running = [load("both", both)];
    const second = await world.startReplica(nextKey, sealingKey);
    const after = load("second", second);
    const seen = turns;
    await eventually(() => turns > seen + 20);
    expect(await sealedBy()).toBe(firstKey);
    ended.add("both");
    await Promise.all(running);
    await world.stopFirst();
    await eventually(async () => (await sealedBy()) !== firstKey);
    const secondKey = await sealedBy();
    const then = turns;
    await eventually(() => turns > then + 20);
    ended.add("second");
    await after;

    expect(failures).toEqual([]);
    const last = await world.startReplica(nextKey);
    expect(await sealedBy()).toBe(secondKey);
    expect(await read(walletId, last)).toMatchObject({ ownerId: words.ownerId });
    expect((await descriptionsOf(walletId, last))[0]).toBe("before");
    const again = asAnswer(await last.wallet.createTransaction(transactionOf(request)));
    expect([again.replayed, again.text]).toEqual([true, before.text]);
    expect(await findings()).toEqual([]);
  });

  it("are gone with their tenant's key, and the ledger stays proven and goes on", async () => {
    const { walletId } = await open();
    await world.move(credit(walletId, "gone"));
    await collection("data_keys").deleteOne({ _id: tenant });
    await world.restart();

    await expect(read(walletId)).rejects.toMatchObject({ reason: "INTERNAL" });
    await expect(descriptionsOf(walletId)).rejects.toMatchObject({ reason: "INTERNAL" });
    await world.move(credit(walletId, "new"));
    expect(await world.balance(walletId)).toBe("10 + 0 = 10");
    expect(await findings()).toEqual([]);
    expect((await world.wallet.getTrialBalance({})).totals).toEqual([{ currency: "USD", amountMinor: 0n }]);
  });
});
