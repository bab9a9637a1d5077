import { randomUUID } from "node:crypto";
import { PayoutState, WalletStatus } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { makeWalletPayouts } from "../../../services/payment/adapters/wallet/wallet-payouts";
import type { Payment } from "../../../services/payment/domain/payment";
import type { Outcome } from "../../../services/payment/ports";
import { newPayment } from "../../support/payment-builder";
import { type Replica, startWalletWorld, tenant, type WalletWorld } from "./wallet-world";

describe("a payout into a wallet that is cancelled", () => {
  let world: WalletWorld;
  let other: Replica;
  beforeAll(async () => {
    world = await startWalletWorld();
    other = await world.startReplica();
  });
  afterAll(() => world.stop());

  /** A payment of 543.21 BRL to a wallet of its own. */
  async function toWallet(): Promise<{ walletId: string; payment: Payment }> {
    const walletId = await world.open("BRL");
    const { next } = newPayment("PUSH", { id: randomUUID(), tenant });
    if (next.payout === undefined) throw new Error("the payment pays nothing out");
    const payout = {
      ...next.payout,
      rail: "wallet-ledger",
      method: { kind: "wallet", walletId, walletType: "", walletOperator: "" } as const,
    };
    return { walletId, payment: { ...next, payout } };
  }
  const kindsOf = (outcome: Outcome): string[] =>
    outcome.kind === "facts" ? outcome.facts.map(({ kind }) => kind) : [outcome.kind];

  it("is never credited, also by a credit that was on its way and whatever became of the wallet", async () => {
    const { walletId, payment } = await toWallet();
    const [ours, theirs] = [makeWalletPayouts(world.wallet), makeWalletPayouts(other.wallet)];

    expect(kindsOf(await ours.ask(payment, "release"))).toEqual(["PREPARED"]);
    expect(kindsOf(await ours.perform(payment, "cancel"))).toEqual(["CANCELLED"]);
    expect(kindsOf(await ours.perform(payment, "cancel"))).toEqual(["CANCELLED"]);

    expect(kindsOf(await theirs.perform(payment, "release"))).toEqual(["CANCELLED"]);
    expect(kindsOf(await theirs.ask(payment, "release"))).toEqual(["CANCELLED"]);
    await world.wallet.changeWalletStatus({ tenant, walletId, status: WalletStatus.FROZEN });
    expect(kindsOf(await theirs.perform(payment, "release"))).toEqual(["CANCELLED"]);
    expect(await world.balance(walletId)).toBe("0 + 0 = 0");
  });

  it("stays credited when the credit was first, and says so whoever asks", async () => {
    const { walletId, payment } = await toWallet();
    const [ours, theirs] = [makeWalletPayouts(world.wallet), makeWalletPayouts(other.wallet)];

    expect(kindsOf(await ours.perform(payment, "release"))).toEqual(["PAID"]);
    expect(kindsOf(await theirs.ask(payment, "release"))).toEqual(["PAID"]);
    expect(kindsOf(await theirs.perform(payment, "cancel"))).toEqual(["PAID"]);

    expect(await world.balance(walletId)).toBe("543.21 + 0 = 543.21");
  });

  it("has one end, whichever of a credit and a cancellation that meet at two replicas is first", async () => {
    for (let round = 0; round < 8; round += 1) {
      const { walletId, payment } = await toWallet();
      const key = { tenant, paymentId: payment.id };
      const credit = {
        ...key,
        walletId,
        amount: { amountMinor: 54_321n, currency: "BRL" },
        description: "",
      };
      const [credited, cancelled] = await Promise.allSettled([
        world.wallet.creditPayout(credit),
        other.wallet.cancelPayout(key),
      ]);

      const { state } = await world.wallet.findPayout(key);
      const isCredited = state === PayoutState.CREDITED;
      expect(cancelled).toMatchObject({ status: "fulfilled", value: { state } });
      expect(credited).toMatchObject(
        isCredited ? { status: "fulfilled" } : { status: "rejected", reason: { reason: "STATE_CONFLICT" } },
      );
      expect(await world.balance(walletId)).toBe(isCredited ? "543.21 + 0 = 543.21" : "0 + 0 = 0");
    }
  });

  it("is refused without the id of its payment, and leaves a ledger that verifies", async () => {
    const { payment } = await toWallet();
    await world.wallet.cancelPayout({ tenant, paymentId: payment.id });

    await expect(world.wallet.cancelPayout({ tenant, paymentId: "" })).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
    });
    expect((await world.wallet.verifyLedger({ verificationId: undefined })).findings).toEqual([]);
  });
});
