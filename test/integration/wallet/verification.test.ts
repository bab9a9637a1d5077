import { randomUUID } from "node:crypto";
import type { VerifyLedgerResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { eventually } from "../bus/bus-testbed";
import { asAnswer, holdOf, startWalletWorld, tenant, type WalletWorld } from "./wallet-world";

/** Documents of the ledger as an intruder with write access to the store would see them. */
interface Stored extends Record<string, unknown> {
  _id: string | number;
}

/** A move with its row. */
interface Move {
  account: string;
  seq: number;
  minor: bigint;
  after: bigint;
  hash: string;
}

describe("the proof of the ledger", () => {
  let world: WalletWorld;
  beforeEach(async () => {
    world = await startWalletWorld();
  });
  afterEach(() => world.stop());

  const collection = (name: string) => world.mongo.connection.collection<Stored>(name);
  const verify = async (): Promise<VerifyLedgerResponse> => {
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
  const move = (walletId: string, paymentType: string, amount: number, more: object = {}) =>
    world.move({ walletId, externalId: randomUUID(), amount, paymentType, description: "words", ...more });

  /** A wallet with five settled rows, a hold and a confirmed hold, under two checkpoints at least. */
  async function story(): Promise<string> {
    const [walletId, other] = [await world.funded("100"), await world.open()];
    await move(walletId, "DEBIT", 1);
    await sealed();
    await move(walletId, "DEBIT", 2);
    const held = await move(walletId, "DEBIT", 3, { hold: true });
    asAnswer(await world.wallet.confirmTransaction(holdOf(held.json["transactionId"])));
    await move(walletId, "CREDIT", 5, { hold: true });
    await world.transfer({ fromWallet: walletId, toWallet: other, amount: 7, externalId: randomUUID() });
    return walletId;
  }
  const sealed = (): Promise<void> =>
    eventually(async () => (await collection("commits").countDocuments({ sealDue: { $exists: true } })) === 0);
  const rowId = (walletId: string, seq: number, letter = "s"): string =>
    `${walletId}/${letter}/${String(seq).padStart(12, "0")}`;

  /** The entry with a row. */
  const entryOf = async (place: string) => {
    const entry = await collection("entries").findOne({ places: place });
    const moves = (entry?.["moves"] ?? []) as Move[];
    return { id: String(entry?._id), entry, moves, row: moves.find((one) => rowId(one.account, one.seq) === place) };
  };
  /** Writes other facts into a row. */
  const rewrite = async (place: string, facts: Partial<Move>): Promise<void> => {
    const { id, moves, row } = await entryOf(place);
    const changed = moves.map((one) => (one === row ? { ...one, ...facts } : one));
    await collection("entries").updateOne({ _id: id }, { $set: { moves: changed } });
  };

  it("finds nothing in a ledger that nobody touched, and adds up to zero", async () => {
    await story();
    await sealed();
    const walk = await verify();

    expect(walk.findings).toEqual([]);
    expect([walk.accounts, walk.entries]).toEqual([3n, 9n]);
    expect(walk.rows).toBe(15n);
    expect(walk.checkpoints).toBeGreaterThan(1n);
    const { accounts, totals } = await world.wallet.getTrialBalance({});
    expect(totals).toEqual([{ currency: "USD", amountMinor: 0n }]);
    expect(accounts).toEqual([
      { path: `tenant/${tenant}/external`, balance: { currency: "USD", amountMinor: -9400n } },
      { path: `tenant/${tenant}/wallets`, balance: { currency: "USD", amountMinor: 9400n } },
    ]);
  });

  it.each<[string, (walletId: string) => Promise<unknown>, (walletId: string) => string]>([
    ["an amount of a row", (id) => rewrite(rowId(id, 2), { minor: -200n }), (id) => `edited row ${id}/settled/2`],
    [
      "the words of an entry",
      async (id) => {
        await collection("entries").updateOne({ places: rowId(id, 3) }, { $set: { description: "other" } });
      },
      (id) => `edited row ${id}/settled/3`,
    ],
    [
      "a dropped row",
      (id) => collection("entries").deleteOne({ places: rowId(id, 3) }),
      (id) => `dropped row ${id}/settled/3`,
    ],
    [
      "two rows in each other's place",
      async (id) => {
        const [two, three] = [await entryOf(rowId(id, 2)), await entryOf(rowId(id, 3))];
        await rewrite(rowId(id, 2), { ...three.row, seq: 2 });
        await rewrite(rowId(id, 3), { ...two.row, seq: 3 });
      },
      (id) => `edited row ${id}/settled/2`,
    ],
    [
      "a row that is in no place",
      async (id) => {
        const places = rowId(id, 4);
        await collection("entries").updateOne({ places }, { $set: { places: ["elsewhere"] } });
      },
      (id) => `dropped row ${id}/settled/4`,
    ],
    [
      "a row in the place of one that was dropped",
      async (id) => {
        await collection("entries").deleteOne({ places: rowId(id, 3) });
        await rewrite(rowId(id, 4), { seq: 3 });
        await collection("entries").updateOne({ places: rowId(id, 4) }, { $set: { places: [rowId(id, 3)] } });
      },
      (id) => `edited row ${id}/settled/3`,
    ],
    [
      "a stored balance",
      (id) => collection("accounts").updateOne({ _id: id }, { $set: { "settled.minor": 9_400_000n } }),
      (id) => `disagrees account ${id}`,
    ],
    [
      "a hold that was forgotten",
      async (id) => {
        await collection("entries").deleteOne({ places: rowId(id, 1, "c") });
      },
      (id) => `dropped row ${id}/creditHolds/1`,
    ],
  ])("names %s", async (_case, tamper, expected) => {
    const walletId = await story();
    await sealed();
    await tamper(walletId);

    expect(await faults()).toContain(expected(walletId));
  });

  it("names a row that was cut off the end together with everything that knew of it but the checkpoint", async () => {
    const walletId = await story();
    await sealed();
    const { row: before } = await entryOf(rowId(walletId, 4));
    await collection("entries").deleteOne({ places: rowId(walletId, 5) });
    const settled = { minor: before?.after, seq: 4, head: before?.hash };
    await collection("accounts").updateOne({ _id: walletId }, { $set: { settled } });

    expect(await faults()).toContain(`dropped row ${walletId}/settled/5`);
  });

  it("names a checkpoint that was made without the key, and one that is missing", async () => {
    await story();
    await sealed();
    await world.funded("1");
    await sealed();
    const checkpoints = collection("checkpoints");
    await checkpoints.updateOne({ _id: 1 }, { $set: { at: new Date(0) } });
    expect(await faults()).toContain("unsealed checkpoint 1");
    await checkpoints.deleteOne({ _id: 1 });
    expect(await faults()).toContain("dropped checkpoint 1");
  });

  it("walks while writes go on and finds nothing", async () => {
    const walletId = await world.funded("1000");
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await Promise.all(Array.from({ length: 8 }, () => move(walletId, "DEBIT", 0.01)));
    })();
    const walks = [await verify(), await verify(), await verify()];
    isOver = true;
    await writing;

    expect(walks.flatMap(({ findings }) => findings)).toEqual([]);
  });
});
