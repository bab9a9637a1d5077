import { randomUUID } from "node:crypto";
import { Direction, type StatementEntry, WalletStatus } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { eventually } from "../bus/bus-testbed";
import { asAnswer, holdOf, plain, startWalletWorld, tenant, type WalletWorld } from "./wallet-world";

describe("statements, and what time does to a wallet", () => {
  let world: WalletWorld;
  beforeAll(async () => {
    world = await startWalletWorld();
  });
  afterAll(() => world.stop());

  const move = (walletId: string, paymentType: string, amount: number, more: object = {}) =>
    world.move({ walletId, externalId: randomUUID(), amount, paymentType, ...more });
  const page = (walletId: string, number: number, size: number, from?: Date, until?: Date, newestFirst = false) =>
    world.wallet.getStatement({ tenant, walletId, page: number, size, from, until, newestFirst });
  const amounts = (entries: StatementEntry[]): string[] => entries.map(({ amount }) => plain(amount));

  it("pages settled entries, oldest first, each with the balance after it", async () => {
    const walletId = await world.open();
    for (let amount = 1; amount <= 7; amount += 1) await move(walletId, "CREDIT", amount);
    await move(walletId, "CREDIT", 99, { hold: true });
    const pages = await Promise.all([0, 1, 2, 3].map((number) => page(walletId, number, 3)));

    expect(pages.map(({ entries }) => amounts(entries))).toEqual([["1", "2", "3"], ["4", "5", "6"], ["7"], []]);
    expect(pages.map(({ totalEntries }) => totalEntries)).toEqual([7n, 7n, 7n, 7n]);
    expect(pages[1]?.entries.map(({ balanceAfter }) => plain(balanceAfter))).toEqual(["10", "15", "21"]);
    await expect(page(walletId, 0, 201)).rejects.toMatchObject({ violations: [{ field: "size" }] });
  });

  it("pages the newest first just so, from the last entry before `until` on", async () => {
    const walletId = await world.open();
    const start = world.now.getTime();
    for (let amount = 1; amount <= 7; amount += 1) {
      world.now = new Date(start + amount * 1_000);
      await move(walletId, "CREDIT", amount);
    }
    const backwards = async (from?: Date, until?: Date) => {
      const pages = await Promise.all([0, 1, 2, 3].map((number) => page(walletId, number, 3, from, until, true)));
      expect(new Set(pages.map(({ totalEntries }) => totalEntries)).size).toBe(1);
      return pages.map(({ entries }) => amounts(entries));
    };
    const at = (seconds: number): Date => new Date(start + seconds * 1_000);

    expect(await backwards()).toEqual([["7", "6", "5"], ["4", "3", "2"], ["1"], []]);
    expect(await backwards(at(3), at(7))).toEqual([["6", "5", "4"], ["3"], [], []]);
    expect(await backwards(at(5), at(5))).toEqual([[], [], [], []]);
    const [newest] = (await page(walletId, 0, 1, undefined, undefined, true)).entries;
    expect(plain(newest?.balanceAfter)).toBe("28");
  });

  it("takes `from` inclusive and `until` exclusive", async () => {
    const walletId = await world.open();
    const start = world.now.getTime();
    const at = (seconds: number): Date => new Date(start + seconds * 1_000);
    for (let second = 0; second < 5; second += 1) {
      world.now = at(second);
      await move(walletId, "CREDIT", second + 1);
      await move(walletId, "DEBIT", 0.5);
    }
    const range = async (from?: Date, until?: Date) => {
      const { entries, totalEntries } = await page(walletId, 0, 20, from, until);
      return [Number(totalEntries), ...amounts(entries.filter(({ direction }) => direction === Direction.CREDIT))];
    };

    expect(await range(at(1), at(3))).toEqual([4, "2", "3"]);
    expect(await range(at(4))).toEqual([2, "5"]);
    expect(await range(undefined, at(1))).toEqual([2, "1"]);
    expect(await range(at(9))).toEqual([0]);
    expect(await range(at(3), at(1))).toEqual([0]);
    const [entry] = (await page(walletId, 1, 2, at(1), at(3))).entries;
    expect([plain(entry?.amount), plain(entry?.balanceAfter)]).toEqual(["3", "5"]);
  });

  it("finds any instant of a long history", async () => {
    const walletId = await world.funded("1");
    const start = world.now.getTime();
    const at = (seconds: number): Date => new Date(start + seconds * 1_000);
    for (let second = 1; second <= 70; second += 1) {
      world.now = at(second);
      await Promise.all([move(walletId, "CREDIT", 1), move(walletId, "CREDIT", 1)]);
    }

    for (const second of [1, 2, 31, 32, 33, 63, 64, 65, 70, 71]) {
      const { totalEntries } = await page(walletId, 0, 1, undefined, at(second));
      expect([second, totalEntries]).toEqual([second, BigInt(second * 2 - 1)]);
      const { balance } = await world.wallet.getBalance({ tenant, walletId, asOf: at(second - 1) });
      expect(plain(balance?.total)).toBe(String(second * 2 - 1));
    }
  });

  it("tells the balance as of a past instant, holds included", async () => {
    const walletId = await world.open();
    const start = world.now.getTime();
    const at = (seconds: number): Date => new Date(start + seconds * 1_000);
    const asOf = async (instant: Date) => {
      const { balance } = await world.wallet.getBalance({ tenant, walletId, asOf: instant });
      return { available: plain(balance?.available), held: plain(balance?.held), total: plain(balance?.total) };
    };
    await move(walletId, "CREDIT", 10);
    world.now = at(10);
    const held = await move(walletId, "DEBIT", 4, { hold: true });
    world.now = at(20);
    await world.wallet.confirmTransaction(holdOf(held.json["transactionId"]));

    expect(await asOf(at(-1))).toEqual({ available: "0", held: "0", total: "0" });
    expect(await asOf(at(0))).toEqual({ available: "10", held: "0", total: "10" });
    expect(await asOf(at(15))).toEqual({ available: "6", held: "4", total: "10" });
    expect(await asOf(at(20))).toEqual({ available: "6", held: "0", total: "6" });
  });

  it("tells the trial balance as of a past instant, zero in each asset whatever moved since", async () => {
    const [one, other] = [await world.open("XRP"), await world.open("XRP")];
    const start = world.now.getTime();
    const at = (seconds: number): Date => new Date(start + seconds * 1_000);
    const asOf = async (instant: Date | undefined) => {
      const { accounts, totals } = await world.wallet.getTrialBalance({ asOf: instant });
      const mine = accounts
        .filter(({ balance }) => balance?.currency === "XRP")
        .map(({ path, balance }) => `${path} ${plain(balance)}`);
      return { mine, totals: totals.filter(({ amountMinor }) => amountMinor !== 0n) };
    };
    const expected = (amount: string) => ({
      mine: [`tenant/${tenant}/external ${amount === "0" ? "0" : `-${amount}`}`, `tenant/${tenant}/wallets ${amount}`],
      totals: [],
    });
    world.now = at(10);
    await move(one, "CREDIT", 10);
    world.now = at(20);
    await world.transfer({ fromWallet: one, toWallet: other, amount: 4, externalId: randomUUID() });
    await move(other, "CREDIT", 5);
    world.now = at(30);
    await move(one, "DEBIT", 1);

    expect(await asOf(at(9))).toEqual(expected("0"));
    expect(await asOf(at(10))).toEqual(expected("10"));
    expect(await asOf(at(29))).toEqual(expected("15"));
    expect(await asOf(at(30))).toEqual(expected("14"));
    expect(await asOf(undefined)).toEqual(expected("14"));
  });

  it("joins pages without gap or repeat while writes go on", async () => {
    const walletId = await world.funded("1000");
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await Promise.all(Array.from({ length: 4 }, () => move(walletId, "DEBIT", 0.01)));
    })();
    const seen: StatementEntry[] = [];
    for (let number = 0; number < 12; number += 1) {
      await eventually(async () => (await page(walletId, number, 5)).entries.length === 5);
      seen.push(...(await page(walletId, number, 5)).entries);
    }
    isOver = true;
    await writing;

    expect(new Set(seen.map(({ transactionId }) => transactionId)).size).toBe(60);
    const balances = seen.map(({ balanceAfter }) => Number(balanceAfter?.amountMinor));
    expect(balances).toEqual(Array.from({ length: 60 }, (_, index) => 100_000 - index));
  });

  it("lets a hold expire by itself, once, and refuses to confirm it afterwards", async () => {
    const walletId = await world.funded("10");
    const expiresAt = new Date(world.now.getTime() + 60_000).toISOString();
    const held = await move(walletId, "DEBIT", 4, { hold: true, expiresAt });
    const transactionId = String(held.json["transactionId"]);
    expect(held.json["expiresAt"]).toBe(expiresAt);
    expect(await world.balance(walletId)).toBe("6 + 4 = 10");

    world.now = new Date(world.now.getTime() + 60_000);
    await expect(world.wallet.confirmTransaction(holdOf(transactionId))).rejects.toMatchObject({
      reason: "TRANSACTION_NOT_HELD",
      details: { status: "EXPIRED" },
    });
    await eventually(async () => (await world.balance(walletId)) === "10 + 0 = 10");
    await expect(world.wallet.voidTransaction(holdOf(transactionId))).rejects.toMatchObject({
      details: { status: "EXPIRED" },
    });
    expect(await world.mongo.connection.collection("hold_expiries").countDocuments()).toBe(0);
    const late = { hold: true, expiresAt: world.now.toISOString() };
    await expect(move(walletId, "DEBIT", 1, late)).rejects.toMatchObject({ violations: [{ field: "expiresAt" }] });
  });

  it("keeps a frozen wallet still but for the release of its holds, and closes only an empty one", async () => {
    const walletId = await world.funded("10");
    const other = await world.open();
    const hold = await move(walletId, "DEBIT", 4, { hold: true });
    const transactionId = String(hold.json["transactionId"]);
    const status = (wanted: WalletStatus) => world.wallet.changeWalletStatus({ tenant, walletId, status: wanted });
    await status(WalletStatus.FROZEN);

    const inactive = expect.objectContaining({ reason: "WALLET_INACTIVE" });
    await expect(move(walletId, "CREDIT", 1)).rejects.toEqual(inactive);
    await expect(move(walletId, "DEBIT", 1)).rejects.toEqual(inactive);
    const transfer = { fromWallet: other, toWallet: walletId, amount: 1, externalId: randomUUID() };
    await expect(world.transfer(transfer)).rejects.toEqual(inactive);
    await expect(world.wallet.confirmTransaction(holdOf(transactionId))).rejects.toEqual(inactive);
    expect(asAnswer(await world.wallet.voidTransaction(holdOf(transactionId))).json["status"]).toBe("VOIDED");
    await expect(status(WalletStatus.CLOSED)).rejects.toMatchObject({ reason: "WALLET_NOT_EMPTY" });
    await status(WalletStatus.ACTIVE);
    await move(walletId, "DEBIT", 10);
    expect((await status(WalletStatus.CLOSED)).wallet?.status).toBe(WalletStatus.CLOSED);
    await expect(status(WalletStatus.ACTIVE)).rejects.toEqual(inactive);
  });
});
