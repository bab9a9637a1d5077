import { randomUUID } from "node:crypto";
import { asAnswer, holdOf, startWalletWorld, transactionOf, voidOf, type WalletWorld } from "./wallet-world";

/** What went wrong in other ledgers, in production or in their trackers, and must not here. */
describe("recorded failures of other ledgers", () => {
  let world: WalletWorld;
  beforeAll(async () => {
    world = await startWalletWorld();
  });
  afterAll(() => world.stop());

  const hold = async (walletId: string, amount: number): Promise<string> => {
    const body = { walletId, externalId: randomUUID(), amount, paymentType: "DEBIT", hold: true };
    return String((await world.move(body)).json["transactionId"]);
  };

  it("a hold was not counted in the funds check: what is held cannot be spent again", async () => {
    const [walletId, other] = [await world.funded("10"), await world.open()];
    await hold(walletId, 8);

    await expect(hold(walletId, 3)).rejects.toMatchObject({ reason: "INSUFFICIENT_FUNDS" });
    const debit = { walletId, externalId: randomUUID(), amount: 3, paymentType: "DEBIT" };
    await expect(world.move(debit)).rejects.toMatchObject({ reason: "INSUFFICIENT_FUNDS" });
    const transfer = { fromWallet: walletId, toWallet: other, amount: 3, externalId: randomUUID() };
    await expect(world.transfer(transfer)).rejects.toMatchObject({ reason: "INSUFFICIENT_FUNDS" });
    expect(await world.balance(walletId)).toBe("2 + 8 = 10");
  });

  it("a rejected hold was applied later: one that was refused can never be confirmed", async () => {
    const walletId = await world.funded("10");
    const externalId = randomUUID();
    const body = { walletId, externalId, amount: 11, paymentType: "DEBIT", hold: true };
    await expect(world.move(body)).rejects.toMatchObject({ reason: "INSUFFICIENT_FUNDS" });
    await world.restart();

    expect(await world.mongo.connection.collection("entries").countDocuments({ externalId }, { hint: "_id_" })).toBe(0);
    expect(await world.balance(walletId)).toBe("10 + 0 = 10");
    // The refusal stored nothing, so the id is free.
    expect((await world.move({ ...body, amount: 10 })).replayed).toBe(false);
  });

  it("a second refund was refused and moved money all the same: a void that is refused moves nothing", async () => {
    const [one, two] = [await world.funded("10"), await world.open()];
    const externalTransferId = randomUUID();
    await world.transfer({ fromWallet: one, toWallet: two, amount: 10, externalId: externalTransferId });
    await hold(two, 1);

    await expect(world.wallet.voidTransfer(voidOf(externalTransferId))).rejects.toMatchObject({
      reason: "TRANSFER_IRREVERSIBLE",
      details: { available: { minor: 900n, currency: "USD" }, required: { minor: 1_000n, currency: "USD" } },
    });
    expect([await world.balance(one), await world.balance(two)]).toEqual(["0 + 0 = 0", "9 + 1 = 10"]);
  });

  it("a refund was not idempotent: 16 voids of one transfer at once give it back once, with one answer", async () => {
    const [one, two] = [await world.funded("10"), await world.funded("100")];
    const externalTransferId = randomUUID();
    await world.transfer({ fromWallet: one, toWallet: two, amount: 10, externalId: externalTransferId });
    const answers = await Promise.all(
      Array.from({ length: 16 }, async () => asAnswer(await world.wallet.voidTransfer(voidOf(externalTransferId)))),
    );

    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect([await world.balance(one), await world.balance(two)]).toEqual(["10 + 0 = 10", "100 + 0 = 100"]);
  });

  it("a bulk commit found nothing: of holds confirmed together each is found, and each is settled once", async () => {
    const walletId = await world.funded("64");
    const ids = await Promise.all(Array.from({ length: 64 }, () => hold(walletId, 1)));
    const confirmed = await Promise.all(
      ids.flatMap((transactionId) => [
        world.wallet.confirmTransaction(holdOf(transactionId)),
        world.wallet.confirmTransaction(holdOf(transactionId)),
      ]),
    );

    expect(confirmed.filter(({ replayed }) => !replayed)).toHaveLength(64);
    expect(await world.balance(walletId)).toBe("0 + 0 = 0");
  });

  it("one bad command in a bulk failed the others: each is decided for itself", async () => {
    const walletId = await world.funded("10");
    const body = (amount: number) => ({ walletId, externalId: randomUUID(), amount, paymentType: "DEBIT" });
    const results = await Promise.allSettled(
      [1, 99, 0.001, 2].map((amount) => world.wallet.createTransaction(transactionOf(body(amount)))),
    );

    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(await world.balance(walletId)).toBe("7 + 0 = 7");
  });
});
