import { createSecretKey, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { keyIdOf } from "../../../services/shared/crypto/sealing";
import { entrySeed, markOf } from "../../../services/wallet/domain/entry";
import { makeEntryStore } from "../../../services/wallet/store/entry-store";
import { eventually } from "../bus/bus-testbed";
import { type Replica, startWalletWorld, tenant, transactionOf, type WalletWorld } from "./wallet-world";

const [older, newer] = ["5a".repeat(32), "7b".repeat(32)];
const idOf = (key: string): string => keyIdOf(Buffer.from(key, "hex"));

interface Stored extends Record<string, unknown> {
  _id: string | number;
  mark?: string;
}

describe("the key that marks and seals the ledger, while it is replaced", () => {
  let world: WalletWorld;
  let walletId: string;
  beforeEach(async () => {
    world = await startWalletWorld();
    walletId = await world.funded("1000.00");
    for (let turn = 0; turn < 150; turn += 1) await world.move(debit());
  });
  afterEach(() => world.stop());

  const debit = () => ({ walletId, externalId: randomUUID(), amount: 0.01, paymentType: "DEBIT" });
  const collection = (name: string) => world.mongo.connection.collection<Stored>(name);
  const verify = async ({ wallet }: Pick<Replica, "wallet">) => {
    const begun = await wallet.verifyLedger({ verificationId: undefined });
    let walk = begun;
    await eventually(async () => {
      walk = await wallet.verifyLedger({ verificationId: begun.verificationId });
      return walk.finishedAt !== undefined;
    });
    return walk;
  };
  const faults = async (replica: Pick<Replica, "wallet">): Promise<string[]> =>
    (await verify(replica)).findings.map(({ fault, record }) => `${fault} ${record}`);
  const anchored = async (): Promise<{ number: number; signature: string }[]> => {
    const text = await readFile(world.environment["WALLET_ANCHOR_FILE"] ?? "", "utf8").catch(() => "");
    const lines = text.split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as { number: number; signature: string });
  };
  const isUnderNewer = async ({ keys }: Replica): Promise<boolean> => {
    const { renewal } = await keys.getKeyRings({});
    const ring = renewal?.rings.find(({ name }) => name === "WALLET_SEAL_KEY_FILE");
    return renewal?.doneAt !== undefined && ring?.keyIds[0] === idOf(newer);
  };
  /** Everything is under the newer key, and the older one is gone. */
  const replaced = async (): Promise<Replica> => {
    await world.stopFirst();
    const both = await world.startMarking(newer, older);
    await eventually(() => isUnderNewer(both));
    await world.stopFirst();
    return world.startMarking(newer);
  };

  it("marks all entries and covers all checkpoints anew while two replicas write, and then proves them alone", async () => {
    // All know the newer key before one writes with it.
    const behind = await world.startMarking(older, newer);
    await world.stopFirst();
    const ahead = await world.startMarking(newer, older);
    const write = (replica: Replica) => replica.wallet.createTransaction(transactionOf(debit()));
    await Promise.all(Array.from({ length: 40 }, (_none, turn) => write(turn % 2 === 0 ? ahead : behind)));
    expect(await faults(ahead)).toEqual([]);
    expect(await faults(behind)).toEqual([]);
    // Nothing is put under it while a replica goes on under the older one.
    expect(await collection("entries").countDocuments({ mark: /^c1/ }, { hint: "_id_" })).toBe(0);
    await world.stopFirst();

    let isDone = false;
    const load = (async () => {
      while (!isDone) await write(ahead);
    })();
    // It is stopped in the middle, and another one goes on.
    await eventually(async () => (await collection("entries").countDocuments({ mark: /^c1/ }, { hint: "_id_" })) > 0);
    isDone = true;
    await load;
    const next = await world.startMarking(newer, older);
    await world.stopFirst();
    await eventually(() => isUnderNewer(next));
    const { renewal } = await next.keys.getKeyRings({});
    const use = { ring: "WALLET_SEAL_KEY_FILE", left: 0n, unopened: 0n };
    expect(renewal?.uses).toContainEqual(expect.objectContaining({ ...use, collection: "entries" }));
    expect(renewal?.uses).toContainEqual(expect.objectContaining({ ...use, collection: "checkpoints" }));
    expect(renewal?.uses.find((one) => one.collection === "entries")?.renewed).toBeGreaterThan(150n);

    await world.stopFirst();
    const last = await world.startMarking(newer);
    await last.wallet.createTransaction(transactionOf(debit()));
    await eventually(async () => (await collection("commits").countDocuments({ sealDue: { $exists: true } })) === 0);
    const [newest] = await collection("checkpoints").find({}).sort({ _id: -1 }).limit(1).toArray();
    await eventually(async () => (await anchored()).at(-1)?.number === newest?._id);
    const walk = await verify(last);
    expect(walk.findings).toEqual([]);
    expect(walk.entries).toBeGreaterThan(190n);
    expect(walk.checkpoints).toBeGreaterThan(1n);
    expect(walk.anchors).toBeGreaterThan(0n);
  });

  it("has no power any more once it is gone: what it marks is forged, and no change of what it wrote goes unseen", async () => {
    const last = await replaced();
    expect(await faults(last)).toEqual([]);
    const entries = makeEntryStore(world.mongo.connection);
    const [victim] = await collection("entries").find({ kind: "debit" }, { hint: "_id_" }).limit(1).toArray();
    const id = String(victim?._id);
    const entry = await entries.find(id);
    if (entry === undefined) throw new Error("no entry");
    const thief = createSecretKey(Buffer.from(older, "hex"));

    await collection("entries").updateOne({ _id: id }, { $set: { mark: markOf(entrySeed(thief, entry)) } });
    expect(await faults(last)).toEqual(expect.arrayContaining([`forged entry ${id}`]));
    await collection("entries").updateOne({ _id: id }, { $set: { mark: victim?.mark ?? "", paymentId: "another" } });
    expect(await faults(last)).toEqual(expect.arrayContaining([`forged entry ${id}`]));
    await collection("entries").updateOne(
      { _id: id },
      { $set: { mark: victim?.mark ?? "" }, $unset: { paymentId: "" } },
    );
    expect(await faults(last)).toEqual([]);
    // The mark of another entry does not fit either.
    const [other] = await collection("entries").find({ kind: "debit" }, { hint: "_id_" }).skip(1).limit(1).toArray();
    await collection("entries").updateOne({ _id: id }, { $set: { mark: other?.mark ?? "" } });
    expect(await faults(last)).toEqual(expect.arrayContaining([`forged entry ${id}`]));
    await collection("entries").updateOne({ _id: id }, { $set: { mark: victim?.mark ?? "" } });

    await collection("checkpoints").updateOne({ _id: 1 }, { $set: { cover: "made up" } });
    expect(await faults(last)).toEqual(["unsealed checkpoint 1"]);
  });

  it("renews nothing that it has not made: a forged entry keeps its mark and is named", async () => {
    const [victim] = await collection("entries").find({ kind: "debit" }, { hint: "_id_" }).limit(1).toArray();
    await collection("entries").updateOne({ _id: victim?._id ?? "" }, { $set: { tenant: `${tenant}-other` } });
    await world.stopFirst();
    const both = await world.startMarking(newer, older);
    await eventually(() => isUnderNewer(both));
    const { renewal } = await both.keys.getKeyRings({});
    const use = renewal?.uses.find((one) => one.collection === "entries");
    expect(use).toMatchObject({ unopened: 1n, names: [victim?._id] });
    expect((await collection("entries").findOne({ _id: victim?._id ?? "" }))?.mark).toBe(victim?.mark);
    expect(await faults(both)).toEqual(expect.arrayContaining([`forged entry ${String(victim?._id)}`]));
  });
});
