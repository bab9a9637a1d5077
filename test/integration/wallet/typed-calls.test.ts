import { randomUUID } from "node:crypto";
import type { TransferIntent, WalletTransactionIntent } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { Direction, WalletStatus } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { asAnswer, startWalletWorld, tenant, type WalletWorld } from "./wallet-world";

/** Calls with messages alone, as a service in Go or Java makes them. */
describe("a typed call of the wallet service", () => {
  let world: WalletWorld;
  beforeAll(async () => {
    world = await startWalletWorld();
  });
  afterAll(() => world.stop());

  const credit = (walletId: string, changes: Partial<WalletTransactionIntent> = {}): WalletTransactionIntent => ({
    externalId: randomUUID(),
    walletId,
    amount: { unscaled: 105n, scale: 1 },
    direction: Direction.CREDIT,
    description: "",
    hold: undefined,
    ...changes,
  });
  const create = (transaction: WalletTransactionIntent | undefined, answerForm = 0) =>
    world.wallet.createTransaction({ tenant, transaction, answerForm });
  const fieldsOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => "done",
      (error: { violations: { field: string }[] }) => error.violations.map(({ field }) => field),
    );

  it("gets a receipt, and the same receipt again however the amount is written", async () => {
    const walletId = await world.open();
    const intent = credit(walletId, { description: "Zoe\u0308" });
    const first = await create(intent);
    const again = await create({ ...intent, amount: { unscaled: 10_500n, scale: 3 }, description: "Zo\u00eb" }, 1);

    expect(first).toMatchObject({
      replayed: false,
      answerForm: 0,
      transaction: {
        walletId,
        externalId: intent.externalId,
        amount: { amountMinor: 1_050n, currency: "USD" },
        direction: Direction.CREDIT,
        description: "Zo\u00eb",
        expiresAt: undefined,
      },
    });
    expect(again).toEqual({ ...first, replayed: true });
    expect(asAnswer(again).text).toBe(asAnswer(first).text);
  });

  it("is refused by the rules of the REST API, in its words, all at once", async () => {
    const walletId = await world.open();
    const before = await world.balance(walletId);
    const everything = ["walletId", "externalId", "amount", "paymentType"];

    expect(await fieldsOf(create(undefined))).toEqual(everything);
    expect(
      await fieldsOf(create(credit("", { externalId: "..", amount: undefined, direction: Direction.UNSPECIFIED }))),
    ).toEqual(everything);
    const wrong: [string, Partial<WalletTransactionIntent>][] = [
      ["amount", { amount: { unscaled: 0n, scale: 0 } }],
      ["amount", { amount: { unscaled: -1n, scale: 0 } }],
      ["amount", { amount: { unscaled: 1n, scale: -1 } }],
      ["amount", { amount: { unscaled: 1n, scale: 19 } }],
      ["amount", { amount: { unscaled: 1_000_000_000_000n, scale: 0 } }],
      ["amount", { amount: { unscaled: 1n, scale: 3 } }],
      ["paymentType", { direction: Direction.UNRECOGNIZED }],
      ["description", { description: "x".repeat(1_025) }],
      ["description", { description: "turned \u202e round" }],
      ["description", { description: "card 4111 1111 1111 1111" }],
      ["expiresAt", { hold: { expiresAt: new Date(world.now.getTime() - 1) } }],
    ];
    for (const [field, changes] of wrong) expect(await fieldsOf(create(credit(walletId, changes)))).toEqual([field]);
    expect(await fieldsOf(create(credit(walletId), 2))).toEqual(["answerForm"]);
    expect(await fieldsOf(create(credit(walletId), -1))).toEqual(["answerForm"]);
    expect(await world.balance(walletId)).toBe(before);
  });

  it("opens no wallet of an unknown asset, without an owner, or with what is no object", async () => {
    const facts = { accountAsset: "USD", ownerId: "o", beneficiaryId: "b", type: "PERSONAL" };
    const open = (changes: object, info = "") =>
      world.wallet.createWallet({
        tenant,
        wallet: { ...facts, ...changes, additionalInfoJson: Buffer.from(info) },
      });

    expect(await fieldsOf(world.wallet.createWallet({ tenant, wallet: undefined }))).toEqual([
      "accountAsset",
      "ownerId",
      "beneficiaryId",
      "type",
    ]);
    expect(await fieldsOf(open({ accountAsset: "XXQ", ownerId: "\u0007" }))).toEqual(["ownerId", "accountAsset"]);
    for (const info of ["[]", "7", "null", "{", '{"a":1},"b":{}', '{"a":1}}', '"x"']) {
      expect([info, await fieldsOf(open({}, info))]).toEqual([info, [expect.stringMatching(/^(additionalInfo|body)/)]]);
    }
    expect(await fieldsOf(open({}, '{"amount":0.12345678901234567}'))).toEqual(["additionalInfo.amount"]);
    const { wallet } = await open({}, ' { "a" : [ 1 ] } ');
    expect([wallet?.status, String(wallet?.additionalInfoJson)]).toEqual([WalletStatus.ACTIVE, '{"a":[1]}']);
  });

  it("is told of a draft what would be refused, and whether its id was used, and changes nothing", async () => {
    const walletId = await world.open();
    const intent = credit(walletId, { hold: { expiresAt: undefined } });
    const check = (transaction: WalletTransactionIntent) => world.wallet.checkTransaction({ tenant, transaction });

    expect(await check(intent)).toEqual({ isKnown: false, differentFields: [], violations: [] });
    expect(await world.balance(walletId)).toBe("0 + 0 = 0");
    await create(intent);
    expect(await check(intent)).toEqual({ isKnown: true, differentFields: [], violations: [] });
    const other = { ...intent, hold: undefined, walletId: "", amount: undefined };
    const found = await check(other);
    expect([found.isKnown, found.differentFields]).toEqual([true, ["amount", "hold", "walletId"]]);
    expect(found.violations.map(({ field }) => field)).toEqual(["walletId", "amount"]);
    const elsewhere = await world.wallet.checkTransaction({ tenant: "other", transaction: intent });
    expect(elsewhere.isKnown).toBe(false);
  });

  it("moves money between wallets by the same rules", async () => {
    const [fromWallet, toWallet] = [await world.funded("10"), await world.open()];
    const amount = { unscaled: 25n, scale: 1 };
    const intent: TransferIntent = { externalId: randomUUID(), fromWallet, toWallet, amount, description: "" };
    const send = (changes: Partial<TransferIntent> = {}) =>
      world.wallet.createTransfer({ tenant, transfer: { ...intent, ...changes }, answerForm: 1 });
    const first = await send();

    expect(first.transfer).toMatchObject({ fromWallet, toWallet, amount: { amountMinor: 250n, currency: "USD" } });
    expect(await send({ amount: { unscaled: 250n, scale: 2 } })).toEqual({ ...first, replayed: true });
    await expect(send({ toWallet: fromWallet })).rejects.toMatchObject({
      reason: "IDEMPOTENCY_CONFLICT",
      details: { fields: ["toWallet"] },
    });
    expect(await fieldsOf(send({ externalId: "", toWallet: fromWallet }))).toEqual(["toWallet", "externalId"]);
    const checked = await world.wallet.checkTransfer({ tenant, transfer: { ...intent, description: "other" } });
    expect(checked).toEqual({ isKnown: true, differentFields: ["description"], violations: [] });
    const ended = await world.wallet.voidTransfer({ tenant, externalId: intent.externalId, answerForm: 1 });
    expect(ended).toMatchObject({ replayed: false, answerForm: 1, transferVoid: { externalId: intent.externalId } });
  });
});
