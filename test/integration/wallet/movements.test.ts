import {
  type ListMovementsRequest,
  type Movement,
  MovementKind,
  MovementStatus,
} from "../../../proto/gen/corridor/wallet/v1/movement_service";
import { holdOf, plain, startWalletWorld, voidOf, type WalletWorld } from "./wallet-world";

const tenant = "demo";
const made = new Date("2026-03-01T12:00:00.250Z");
const later = new Date("2026-03-01T13:00:00.000Z");

describe("movements of wallets", () => {
  let world: WalletWorld;
  let wallets: [string, string];
  let foreign: string;
  /** Ids of what was made, in its order. */
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    world = await startWalletWorld();
    wallets = [await world.open(), await world.open()];
    const [walletId, other] = wallets;
    const move = async (externalId: string, body: object): Promise<void> => {
      const { json } = await world.move({ walletId, externalId, amount: 10, paymentType: "CREDIT", ...body });
      ids[externalId] = String(json["transactionId"]);
    };
    await move("salary", { description: "March", amount: 100.5 });
    await move("rent", { paymentType: "DEBIT", amount: 5.05 });
    const transfer = { fromWallet: walletId, toWallet: other, amount: 2.5 };
    ids["gift"] = String((await world.transfer({ ...transfer, externalId: "gift" })).json["transferId"]);
    ids["oops"] = String((await world.transfer({ ...transfer, externalId: "oops" })).json["transferId"]);
    for (const name of ["held", "kept", "freed"]) await move(name, { hold: true, paymentType: "DEBIT" });
    await move("late", { hold: true, expiresAt: "2026-03-01T12:30:00Z" });
    await world.wallet.creditPayout({
      tenant,
      walletId: other,
      paymentId: "payment-1",
      amount: { amountMinor: 700n, currency: "USD" },
      description: "",
    });
    foreign = await world.open("USD", "foreign");
    await world.move({ walletId: foreign, externalId: "salary", amount: 1, paymentType: "CREDIT" }, "foreign");
    world.now = later;
    await world.wallet.confirmTransaction(holdOf(ids["kept"]));
    await world.wallet.voidTransaction(holdOf(ids["freed"]));
    await world.wallet.voidTransfer(voidOf("oops"));
    await waitUntilExpired();
  });
  afterAll(() => world.stop());

  const waitUntilExpired = async (): Promise<void> => {
    const { movement } = await world.movements.getTransaction({ tenant, id: "late" });
    if (movement?.status !== MovementStatus.EXPIRED) await waitUntilExpired();
  };
  const page = (changes: Partial<ListMovementsRequest> = {}) =>
    world.movements.listMovements({
      tenant,
      kind: MovementKind.UNSPECIFIED,
      walletId: undefined,
      from: undefined,
      until: undefined,
      after: undefined,
      limit: 200,
      ...changes,
    });
  const walk = async (changes: Partial<ListMovementsRequest>, after?: string): Promise<Movement[]> => {
    const { movements, next } = await page({ ...changes, after });
    return next === undefined ? movements : [...movements, ...(await walk(changes, next))];
  };
  const namesOf = (movements: readonly Movement[]) => movements.map(({ externalId }) => externalId).toSorted();
  const all = ["freed", "gift", "held", "kept", "late", "oops", "payment-1", "rent", "salary"];

  it.each([
    ["salary", MovementKind.CREDIT, MovementStatus.COMPLETED, "100.5", made, undefined],
    ["rent", MovementKind.DEBIT, MovementStatus.COMPLETED, "5.05", made, undefined],
    ["held", MovementKind.DEBIT, MovementStatus.HELD, "10", made, undefined],
    ["kept", MovementKind.DEBIT, MovementStatus.COMPLETED, "10", made, later],
    ["freed", MovementKind.DEBIT, MovementStatus.VOIDED, "10", made, later],
    ["late", MovementKind.CREDIT, MovementStatus.EXPIRED, "10", made, later],
  ])(
    "shows how the transaction %s stands, by our id and the caller's",
    async (id, kind, status, amount, at, endedAt) => {
      const { movement } = await world.movements.getTransaction({ tenant, id });
      const isDebit = kind === MovementKind.DEBIT;

      expect(movement).toMatchObject({
        movementId: ids[id],
        externalId: id,
        kind,
        status,
        fromWallet: isDebit ? wallets[0] : undefined,
        toWallet: isDebit ? undefined : wallets[0],
        description: id === "salary" ? "March" : undefined,
        createdAt: at,
        endedAt,
      });
      expect(plain(movement?.amount)).toBe(amount);
      expect(await world.movements.getTransaction({ tenant, id: ids[id] ?? "" })).toEqual({ movement });
    },
  );

  it("shows a payout into a wallet by its payment", async () => {
    expect(await world.movements.getTransaction({ tenant, id: "payment-1" })).toMatchObject({
      movement: { kind: MovementKind.PAYOUT, toWallet: wallets[1], fromWallet: undefined, externalId: "payment-1" },
    });
  });

  it.each([
    ["gift", MovementStatus.COMPLETED, undefined],
    ["oops", MovementStatus.VOIDED, later],
  ])("shows how the transfer %s stands", async (id, status, endedAt) => {
    const { movement } = await world.movements.getTransfer({ tenant, id });

    expect(movement).toMatchObject({ kind: MovementKind.TRANSFER, status, endedAt, movementId: ids[id] });
    expect([movement?.fromWallet, movement?.toWallet]).toEqual(wallets);
    expect(await world.movements.getTransfer({ tenant, id: ids[id] ?? "" })).toEqual({ movement });
  });

  it("shows nobody what is another tenant's, another kind's or unknown", async () => {
    const refused = { reason: "WALLET_NOT_FOUND" };
    const { movements } = world;

    await expect(movements.getTransaction({ tenant: "foreign", id: ids["salary"] ?? "" })).rejects.toMatchObject(
      refused,
    );
    await expect(movements.getTransaction({ tenant: "foreign", id: "rent" })).rejects.toMatchObject(refused);
    await expect(movements.getTransfer({ tenant: "foreign", id: ids["gift"] ?? "" })).rejects.toMatchObject(refused);
    await expect(movements.getTransaction({ tenant, id: ids["gift"] ?? "" })).rejects.toMatchObject(refused);
    await expect(movements.getTransaction({ tenant, id: `${ids["kept"]}/end` })).rejects.toMatchObject(refused);
    await expect(movements.getTransfer({ tenant, id: "salary" })).rejects.toMatchObject(refused);
    await expect(movements.getTransaction({ tenant, id: "" })).rejects.toMatchObject(refused);
    const { movement } = await movements.getTransaction({ tenant: "foreign", id: "salary" });
    expect([movement?.toWallet, plain(movement?.amount)]).toEqual([foreign, "1"]);
  });

  it.each([
    [{}, all],
    [{ kind: MovementKind.TRANSFER }, ["gift", "oops"]],
    [{ kind: MovementKind.PAYOUT }, ["payment-1"]],
    [{ until: made }, []],
    [{ from: made, until: later }, all],
    [{ from: later }, []],
  ])("lists each once, page by page: %j", async (filter: Partial<ListMovementsRequest>, expected) => {
    for (const limit of [1, 4, 200]) expect(namesOf(await walk({ ...filter, limit }))).toEqual(expected);
  });

  it("lists those of a wallet, also as the other side of a transfer", async () => {
    expect(namesOf(await walk({ walletId: wallets[1], limit: 2 }))).toEqual(["gift", "oops", "payment-1"]);
    expect(await walk({ walletId: foreign })).toEqual([]);
  });

  it("goes on by a cursor of the same list alone", async () => {
    const { next } = await page({ limit: 1 });
    const refused = { reason: "INVALID_ARGUMENT", violations: [{ field: "after" }] };

    await expect(page({ after: next, tenant: "foreign" })).rejects.toMatchObject(refused);
    await expect(page({ after: next, kind: MovementKind.DEBIT })).rejects.toMatchObject(refused);
  });

  it("says of each listed movement what it says of it alone", async () => {
    for (const movement of (await page()).movements) {
      const named = { tenant, id: movement.movementId };
      const isTransfer = movement.kind === MovementKind.TRANSFER;
      const alone = isTransfer ? await world.movements.getTransfer(named) : await world.movements.getTransaction(named);
      expect(alone).toEqual({ movement });
    }
  });
});
