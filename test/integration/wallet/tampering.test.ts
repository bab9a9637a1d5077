import { createHash, randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { WalletStatus } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { eventually } from "../bus/bus-testbed";
import { startWalletWorld, tenant, type WalletWorld } from "./wallet-world";

/** Documents of the ledger as an intruder with write access to the store sees them. */
interface Stored extends Record<string, unknown> {
  _id: string | number;
}

const journal = ["accounts", "entries", "row_marks", "commits", "checkpoints", "hold_expiries"] as const;

describe("a ledger whose store somebody has written to", () => {
  let world: WalletWorld;
  beforeEach(async () => {
    world = await startWalletWorld();
  });
  afterEach(() => world.stop());

  const collection = (name: string) => world.mongo.connection.collection<Stored>(name);
  const verify = async () => {
    const begun = await world.wallet.verifyLedger({ verificationId: undefined });
    let walk = begun;
    await eventually(async () => {
      walk = await world.wallet.verifyLedger({ verificationId: begun.verificationId });
      return walk.finishedAt !== undefined;
    });
    return walk;
  };
  const faults = async (): Promise<string[]> =>
    (await verify()).findings.map(({ fault, record }) => `${fault} ${record}`);
  const anchorFile = (): string => world.environment["WALLET_ANCHOR_FILE"] ?? "";
  const anchored = async (): Promise<number[]> => {
    const text = await readFile(anchorFile(), "utf8").catch(() => "");
    const lines = text.split("\n").filter((line) => line !== "");
    return lines.map((line) => (JSON.parse(line) as { number: number }).number);
  };
  /** Waits until everything is sealed, and the last checkpoint is anchored. */
  const sealed = async (): Promise<number> => {
    let last = 0;
    await eventually(async () => {
      const waiting = await collection("commits").countDocuments({ sealDue: { $exists: true } });
      const [newest] = await collection("checkpoints").find({}).sort({ _id: -1 }).limit(1).toArray();
      last = typeof newest?._id === "number" ? newest._id : 0;
      return waiting === 0 && last > 0 && (await anchored()).at(-1) === last;
    });
    return last;
  };
  const hold = (walletId: string) =>
    world.move({
      walletId,
      externalId: randomUUID(),
      amount: 1,
      paymentType: "DEBIT",
      hold: true,
      expiresAt: "2027-01-01T00:00:00Z",
    });

  it("is sound while nobody has, and is compared with its anchors in the file and on the bus", async () => {
    const walletId = await world.funded("100");
    await hold(walletId);
    await world.wallet.changeWalletStatus({ tenant, walletId, status: WalletStatus.FROZEN });
    await sealed();
    await eventually(async () => (await verify()).anchors >= 2n);

    expect((await verify()).findings).toEqual([]);
  });

  it("is found out when a wallet was moved to another tenant", async () => {
    const walletId = await world.funded("100");
    await sealed();
    const moved = { tenant: "other", path: "tenant/other/wallets" };
    await collection("accounts").updateOne({ _id: walletId }, { $set: moved });

    expect(await faults()).toEqual([`edited account ${walletId}`]);
  });

  it("is found out when a FROZEN wallet was made ACTIVE", async () => {
    const walletId = await world.funded("100");
    await world.wallet.changeWalletStatus({ tenant, walletId, status: WalletStatus.FROZEN });
    await sealed();
    await collection("accounts").updateOne({ _id: walletId }, { $set: { "wallet.status": "ACTIVE" } });

    expect(await faults()).toEqual([`edited account ${walletId}`]);
  });

  it("is found out when all EUR accounts were made KWD", async () => {
    const walletId = await world.funded("100", "EUR");
    await sealed();
    for (const { _id, asset } of await collection("accounts").find({}).toArray()) {
      if (asset === "EUR") await collection("accounts").updateOne({ _id }, { $set: { asset: "KWD" } });
    }

    const found = await faults();
    expect(found).toContain(`edited account ${walletId}`);
    expect(found.filter((one) => one.startsWith(`edited account tenant/${tenant}/external/EUR`))).toHaveLength(1);
  });

  it("is found out when the expiry of a hold was deleted, or put off", async () => {
    const walletId = await world.funded("100");
    const { json } = await hold(walletId);
    await sealed();
    const record = `dropped expiry of ${String(json["transactionId"])}`;
    await collection("hold_expiries").updateMany({}, { $set: { expiresAt: new Date("2037-01-01") } });
    expect(await faults()).toEqual([record]);
    await collection("hold_expiries").deleteMany({});
    expect(await faults()).toEqual([record]);
  });

  it("is found out when all collections were rolled back to the first checkpoint", async () => {
    const walletId = await world.funded("100");
    const first = await sealed();
    const before = new Map<string, Stored[]>();
    for (const name of journal) before.set(name, await collection(name).find({}).toArray());
    await world.move({ walletId, externalId: randomUUID(), amount: 40, paymentType: "DEBIT" });
    const last = await sealed();
    expect(last).toBeGreaterThan(first);
    for (const [name, documents] of before) {
      await collection(name).deleteMany({});
      if (documents.length > 0) await collection(name).insertMany(documents);
    }

    expect(await faults()).toContain(`rolled back checkpoint ${last}`);
    await world.restart();
    expect(await faults()).toContain(`rolled back checkpoint ${last}`);
    // The bus still knows when the file was rolled back as well.
    await writeFile(anchorFile(), "");
    expect(await faults()).toContain(`rolled back checkpoint ${last}`);
  });

  it("is found out when an anchor was written by somebody else", async () => {
    await world.funded("100");
    const last = await sealed();
    const lines = (await readFile(anchorFile(), "utf8")).replaceAll('"number":', '"number":1');
    await writeFile(anchorFile(), lines);

    expect(await faults()).toContain(`unsealed anchor 1${last}`);
  });

  it("is found out when a credit of 1,000,000 was written without the key, and then sealed", async () => {
    const walletId = await world.funded("100");
    await sealed();
    await forgeCredit(walletId);
    await sealed();

    const found = await faults();
    expect(found).toContain("forged entry forged");
    expect(found).toContain(`edited row ${walletId}/settled/2`);
  });

  /** Writes what the ledger would write, with all hashes that need no key. */
  async function forgeCredit(walletId: string): Promise<void> {
    const minor = 100_000_000n;
    const accounts = await collection("accounts").find({}).toArray();
    const entries = await collection("entries").find({}).toArray();
    const model = entries.find((entry) => entry["kind"] === "credit");
    const [moves, places]: [object[], string[]] = [[], []];
    for (const account of accounts) {
      const settled = account["settled"] as { minor: bigint; seq: number; head: string };
      const change = account._id === walletId ? minor : -minor;
      const after = settled.minor + change;
      const seq = settled.seq + 1;
      const facts = [settled.head, account._id, "settled", seq, "forged", change.toString(), after.toString()];
      const hash = createHash("sha256").update(JSON.stringify(facts)).digest("base64url");
      const next = { settled: { minor: after, seq, head: hash } };
      const version = Number(account["version"]) + 1;
      await collection("accounts").updateOne({ _id: account._id }, { $set: { ...next, version } });
      moves.push({ account: account._id, line: "settled", minor: change, seq, after, hash });
      places.push(`${String(account._id)}/s/${String(seq).padStart(12, "0")}`);
    }
    await collection("entries").insertOne({ ...model, _id: "forged", moves, places });
    const commits = world.mongo.connection.collection<{ _id: string }>("commits");
    const [commit] = await commits.find({}).project({ relayDue: 0 }).limit(1).toArray();
    const due = { _id: randomUUID(), accounts: accounts.map(({ _id }) => _id), sealDue: new Date() };
    await commits.insertOne({ ...commit, ...due });
  }
});
