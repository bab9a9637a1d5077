import { randomUUID } from "node:crypto";
import {
  asAnswer,
  holdOf,
  type Replica,
  startWalletWorld,
  transactionOf,
  transferOf,
  type WalletWorld,
} from "./wallet-world";

describe("many writers at once", () => {
  let world: WalletWorld;
  let replicas: Replica[];
  beforeAll(async () => {
    world = await startWalletWorld();
    replicas = [await world.startReplica(), await world.startReplica()];
  });
  afterAll(() => world.stop());

  const on = (index: number): Replica["wallet"] => replicas[index % replicas.length]?.wallet ?? world.wallet;
  const reasonsOf = (results: PromiseSettledResult<unknown>[]): unknown[] =>
    results.flatMap((result) => (result.status === "rejected" ? [(result.reason as { reason: string }).reason] : []));
  const debit = (walletId: string, amount: number, index: number, externalId: string = randomUUID()) =>
    on(index).createTransaction(transactionOf({ walletId, externalId, amount, paymentType: "DEBIT" }));

  it("never overdraw a wallet over two replicas, and fail for lack of funds alone", async () => {
    const walletId = await world.funded("50");
    const results = await Promise.allSettled(Array.from({ length: 64 }, (_, index) => debit(walletId, 1, index)));

    expect(reasonsOf(results)).toEqual(Array.from({ length: 14 }, () => "INSUFFICIENT_FUNDS"));
    expect(await world.balance(walletId)).toBe("0 + 0 = 0");
  });

  it("get one answer for one request that 64 clients send", async () => {
    const walletId = await world.funded("50");
    const externalId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 64 }, async (_, index) => asAnswer(await debit(walletId, 7, index, externalId))),
    );

    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await world.balance(walletId)).toBe("43 + 0 = 43");
  });

  it("let one of two requests with one id and other content win", async () => {
    const [one, two] = [await world.funded("5"), await world.funded("5")];
    for (let round = 0; round < 10; round += 1) {
      const externalId = randomUUID();
      const results = await Promise.allSettled([debit(one, 0.1, 0, externalId), debit(two, 0.1, 1, externalId)]);
      expect(reasonsOf(results)).toEqual(["IDEMPOTENCY_CONFLICT"]);
    }
  });

  it("end a hold one way, whoever comes first", async () => {
    const walletId = await world.funded("100");
    for (let round = 0; round < 10; round += 1) {
      const body = { walletId, externalId: randomUUID(), amount: 1, paymentType: "DEBIT", hold: true };
      const transactionId = String((await world.move(body)).json["transactionId"]);
      const results = await Promise.allSettled([
        on(0).confirmTransaction(holdOf(transactionId)),
        on(1).voidTransaction(holdOf(transactionId)),
        on(0).voidTransaction(holdOf(transactionId)),
        on(1).confirmTransaction(holdOf(transactionId)),
      ]);
      expect(reasonsOf(results)).toEqual(["TRANSACTION_NOT_HELD", "TRANSACTION_NOT_HELD"]);
    }
  });

  it("move money both ways between two wallets without a conflict that a client sees", async () => {
    const [one, two] = [await world.funded("100"), await world.funded("100")];
    const results = await Promise.allSettled(
      Array.from({ length: 128 }, (_, index) => {
        const [fromWallet, toWallet] = index % 2 === 0 ? [one, two] : [two, one];
        const body = { fromWallet, toWallet, amount: 1, externalId: randomUUID() };
        return on(index >> 1).createTransfer(transferOf(body));
      }),
    );

    expect(reasonsOf(results)).toEqual([]);
    expect([await world.balance(one), await world.balance(two)]).toEqual(["100 + 0 = 100", "100 + 0 = 100"]);
    expect((await world.wallet.verifyLedger({ verificationId: undefined })).findings).toEqual([]);
  });
});
