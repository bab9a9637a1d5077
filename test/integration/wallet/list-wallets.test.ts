import {
  type ListWalletsRequest,
  type Wallet,
  WalletStatus,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { type Replica, startWalletWorld, type WalletWorld } from "./wallet-world";

const tenant = "lists";

describe("lists of wallets", () => {
  let world: WalletWorld;
  let other: Replica;
  const opened: { id: string; asset: string; status: WalletStatus }[] = [];
  beforeAll(async () => {
    world = await startWalletWorld();
    other = await world.startReplica();
    for (let at = 0; at < 12; at += 1) {
      const asset = at % 3 === 0 ? "USDC" : "USD";
      const id = await world.open(asset, tenant);
      const status = at % 4 === 0 ? WalletStatus.FROZEN : WalletStatus.ACTIVE;
      if (at % 4 === 0) await world.wallet.changeWalletStatus({ tenant, walletId: id, status: WalletStatus.FROZEN });
      opened.push({ id, asset, status });
    }
    await world.open("USD", "foreign");
  });
  afterAll(() => world.stop());

  const page = (changes: Partial<ListWalletsRequest> = {}, wallet = world.wallet) =>
    wallet.listWallets({
      tenant,
      accountAsset: undefined,
      status: WalletStatus.UNSPECIFIED,
      after: undefined,
      limit: 5,
      ...changes,
    });
  const walk = async (changes: Partial<ListWalletsRequest> = {}, between = async (): Promise<unknown> => undefined) => {
    const shown: Wallet[] = [];
    for (let after: string | undefined, number = 0; ; number += 1) {
      const answer = await page({ ...changes, after }, number % 2 === 0 ? world.wallet : other.wallet);
      shown.push(...answer.wallets);
      if (answer.next === undefined) return shown;
      after = answer.next;
      await between();
    }
  };
  const idsOf = (wallets: readonly Wallet[]): string[] => wallets.map(({ walletId }) => walletId);

  it.each([
    [{}],
    [{ accountAsset: "USDC" }],
    [{ status: WalletStatus.FROZEN }],
    [{ accountAsset: "USD", status: WalletStatus.ACTIVE }],
    [{ status: WalletStatus.CLOSED }],
  ])("show what a look at each wallet would: %j", async (filter: Partial<ListWalletsRequest>) => {
    const expected = opened.filter(
      ({ asset, status }) => (filter.accountAsset ?? asset) === asset && (filter.status ?? status) === status,
    );

    for (const limit of [1, 5, 200]) {
      const shown = await walk({ ...filter, limit });
      expect(idsOf(shown).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
      const times = shown.map(({ createdAt }) => createdAt?.getTime() ?? 0);
      expect(times).toEqual(times.toSorted((one, another) => another - one));
    }
  });

  it("neither skip nor repeat while wallets are opened", async () => {
    let left = 5;
    const shown = idsOf(
      await walk({ limit: 2 }, async () => {
        left -= 1;
        if (left >= 0) await world.open("USD", tenant);
      }),
    );

    expect(new Set(shown).size).toBe(shown.length);
    expect(opened.filter(({ id }) => !shown.includes(id))).toEqual([]);
  });

  it("go on by a cursor of the same list alone", async () => {
    const { next } = await page({ limit: 1 });
    const refused = { reason: "INVALID_ARGUMENT", violations: [{ field: "after" }] };

    await expect(page({ after: next, tenant: "foreign" })).rejects.toMatchObject(refused);
    await expect(page({ after: next, accountAsset: "USD" })).rejects.toMatchObject(refused);
    await expect(page({ after: "x" })).rejects.toMatchObject(refused);
    expect((await page({ tenant: "foreign" })).wallets).toHaveLength(1);
    expect((await page({ tenant: "nobody" })).wallets).toEqual([]);
  });
});
