import { randomUUID } from "node:crypto";
import { WalletStatus } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { openIntentOf } from "../../support/wallet-intents";
import { asAnswer, holdOf, startWalletWorld, tenant, type WalletWorld } from "./wallet-world";

describe("wallet transactions", () => {
  let world: WalletWorld;
  beforeAll(async () => {
    world = await startWalletWorld();
  });
  afterAll(() => world.stop());

  const debit = (walletId: string, amount: number, more: object = {}) => ({
    walletId,
    externalId: randomUUID(),
    amount,
    paymentType: "DEBIT",
    ...more,
  });
  const credit = (walletId: string, amount: number, more: object = {}) => ({
    ...debit(walletId, amount),
    paymentType: "CREDIT",
    ...more,
  });
  const confirm = async (transactionId: unknown) =>
    asAnswer(await world.wallet.confirmTransaction(holdOf(transactionId)));
  const release = async (transactionId: unknown) => asAnswer(await world.wallet.voidTransaction(holdOf(transactionId)));

  it("opens a wallet and shows it", async () => {
    const intent = openIntentOf(
      '{"accountAsset":"USDC","ownerId":"o","beneficiaryId":"b","type":"BUSINESS","additionalInfo":{"a":[1,"x"]}}',
    );
    const { wallet } = await world.wallet.createWallet({ tenant, wallet: intent });

    expect(wallet).toMatchObject({ accountAsset: "USDC", ownerId: "o", beneficiaryId: "b", type: "BUSINESS" });
    expect(wallet).toMatchObject({ status: WalletStatus.ACTIVE, createdAt: world.now });
    expect(await world.wallet.getWallet({ tenant, walletId: wallet?.walletId ?? "" })).toEqual({ wallet });
    expect(await world.balance(wallet?.walletId ?? "")).toBe("0 + 0 = 0");
  });

  it("credits and debits at once", async () => {
    const walletId = await world.open();
    const answer = await world.move(credit(walletId, 100.5, { description: "salary" }));
    await world.move(debit(walletId, 0.25));

    expect(answer).toMatchObject({ replayed: false, json: { walletId, amount: 100.5, status: "COMPLETED" } });
    expect(answer.json).toMatchObject({ paymentType: "CREDIT", description: "salary" });
    expect(answer.json["createdAt"]).toBe("2026-03-01T12:00:00.250Z");
    expect(await world.balance(walletId)).toBe("100.25 + 0 = 100.25");
  });

  it("holds, confirms and releases debits and credits", async () => {
    const walletId = await world.funded("100");
    const out = await world.move(debit(walletId, 30, { hold: true }));
    const incoming = await world.move(credit(walletId, 7, { hold: true }));

    expect([out.json["status"], incoming.json["status"]]).toEqual(["HELD", "HELD"]);
    expect(await world.balance(walletId)).toBe("70 + 37 = 107");
    expect((await confirm(out.json["transactionId"])).json).toEqual({
      transactionId: out.json["transactionId"],
      walletId,
      status: "COMPLETED",
      amount: 30,
      confirmedAt: "2026-03-01T12:00:00.250Z",
    });
    expect(await world.balance(walletId)).toBe("70 + 7 = 77");
    expect((await release(incoming.json["transactionId"])).json).toMatchObject({ status: "VOIDED", amount: 7 });
    expect(await world.balance(walletId)).toBe("70 + 0 = 70");
    const announced = await world.move(credit(walletId, 5, { hold: true }));
    await confirm(announced.json["transactionId"]);
    expect(await world.balance(walletId)).toBe("75 + 0 = 75");
  });

  it("refuses what the wallet cannot cover and changes nothing", async () => {
    const walletId = await world.funded("10");
    await world.move(debit(walletId, 4, { hold: true }));

    await expect(world.move(debit(walletId, 6.01))).rejects.toMatchObject({
      reason: "INSUFFICIENT_FUNDS",
      details: {
        account: "wallet",
        available: { minor: 600n, currency: "USD" },
        required: { minor: 601n, currency: "USD" },
      },
    });
    expect(await world.balance(walletId)).toBe("6 + 4 = 10");
  });

  it("answers a repeat with the first answer, byte for byte, and names what differs", async () => {
    const walletId = await world.open("BTC");
    const body = `{"walletId":"${walletId}","externalId":"one-1","amount":0.10000001,"paymentType":"CREDIT"}`;
    const first = await world.move(body);
    world.now = new Date(world.now.getTime() + 5_000);
    const again = await world.move(
      `{ "paymentType":"CREDIT", "amount":0.100000010, "externalId":"one-1", "walletId":"${walletId}"}`,
    );

    expect(again).toEqual({ ...first, replayed: true });
    await expect(world.move(body.replace("01,", "02,"))).rejects.toMatchObject({
      reason: "IDEMPOTENCY_CONFLICT",
      details: { fields: ["amount"] },
    });
    await expect(world.move(body.replace('"CREDIT"', '"NOTHING"'))).rejects.toMatchObject({
      reason: "IDEMPOTENCY_CONFLICT",
      details: { fields: ["paymentType"] },
    });
    expect(await world.balance(walletId)).toBe("0.10000001 + 0 = 0.10000001");
    await world.restart();
    expect((await world.move(body)).text).toBe(first.text);
  });

  it("pays 64 debits that arrive at once as far as the money goes, and fails the others for that reason alone", async () => {
    const walletId = await world.funded("40");
    const results = await Promise.allSettled(Array.from({ length: 64 }, () => world.move(debit(walletId, 1))));

    const reasons = results.flatMap((result) => (result.status === "rejected" ? [result.reason.reason] : []));
    expect(reasons).toEqual(Array.from({ length: 24 }, () => "INSUFFICIENT_FUNDS"));
    expect(await world.balance(walletId)).toBe("0 + 0 = 0");
  });

  it("credits a payout once and refuses another one under the same payment", async () => {
    const walletId = await world.open("BRL");
    const payout = {
      tenant,
      walletId,
      paymentId: randomUUID(),
      amount: { amountMinor: 50_000n, currency: "BRL" },
      description: "payout",
    };
    const [one, two] = [await world.wallet.creditPayout(payout), await world.wallet.creditPayout(payout)];

    expect([one.replayed, two]).toEqual([false, { ...one, replayed: true }]);
    expect(await world.balance(walletId)).toBe("500 + 0 = 500");
    await expect(
      world.wallet.creditPayout({ ...payout, amount: { amountMinor: 1n, currency: "BRL" } }),
    ).rejects.toMatchObject({ reason: "IDEMPOTENCY_CONFLICT" });
    await expect(
      world.wallet.creditPayout({ ...payout, paymentId: "p", amount: { amountMinor: 1n, currency: "USD" } }),
    ).rejects.toMatchObject({ reason: "CURRENCY_MISMATCH" });
    await expect(world.wallet.findPayoutWallet({ tenant, walletId, currency: "USD" })).rejects.toMatchObject({
      reason: "CURRENCY_MISMATCH",
    });
    await expect(world.wallet.findPayoutWallet({ tenant: "other", walletId, currency: "BRL" })).rejects.toMatchObject({
      reason: "WALLET_NOT_FOUND",
    });
    await world.wallet.changeWalletStatus({ tenant, walletId, status: WalletStatus.FROZEN });
    await expect(world.wallet.findPayoutWallet({ tenant, walletId, currency: "BRL" })).rejects.toMatchObject({
      reason: "WALLET_INACTIVE",
    });
  });
});
