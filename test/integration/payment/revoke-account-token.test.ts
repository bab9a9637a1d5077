import { randomUUID } from "node:crypto";
import { accountCheckOf, textOfAccountCheck } from "../../support/check-intents";
import { freshId } from "../../support/platform-client";
import { insistent, reaches, refusalOf } from "./looks";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

describe("the token of a checked account", () => {
  let world: PaymentWorld;
  const check = async (tenant = demo): Promise<string> => {
    const asked = { tenant, check: accountCheckOf(freshId()), answerForm: 1 };
    const { receipt } = await insistent(() => world.replicas[0].checkAccount(asked));
    return (JSON.parse(textOfAccountCheck(receipt)) as { accountTokenId: string }).accountTokenId;
  };
  const revoke = (accountTokenId: string, replica: 0 | 1 = 0, tenant = demo) =>
    world.replicas[replica].revokeAccountToken({ tenant, accountTokenId });
  const pull = (accountTokenId: string, externalPaymentId = freshId()) => ({
    externalPaymentId,
    ipAddress: "203.0.113.7",
    paymentType: "PULL",
    capture: true,
    amount: { total: 25, currency: "USD" },
    sender: { firstName: "Ada", lastName: "Lovelace", paymentMethod: { type: "BANK_DEPOSIT", accountTokenId } },
  });
  /** Collects 25 USD from the account. */
  const collect = async (accountTokenId: string, replica: 0 | 1 = 0): Promise<{ id: string; reference: string }> => {
    const externalPaymentId = freshId();
    const body = pull(accountTokenId, externalPaymentId);
    const { text } = await world.accept(world.replicas[replica], body);
    return { id: externalPaymentId, reference: (JSON.parse(text ?? "{}") as { paymentId: string }).paymentId };
  };
  const isCollected = async ({ id }: { id: string }): Promise<string | undefined> =>
    reaches(world, id, "Completed", "PaymentDeclined", "WaitingSettlement");
  const debit = (reference: string) => world.outside.book("debits", reference);

  beforeAll(async () => {
    world = await startPaymentWorld();
  }, 120_000);
  afterAll(() => world.stop());

  it("collects until it is revoked, and then never again, at no replica", async () => {
    const token = await check();
    const before = await collect(token);
    await isCollected(before);

    await revoke(token);
    const after = [await collect(token), await collect(token, 1)];

    expect(await debit(before.reference)).toBeDefined();
    for (const one of after) {
      expect(await isCollected(one)).toBe("PaymentDeclined");
      expect(await debit(one.reference)).toBeUndefined();
    }
  });

  it("is refused on its own field where nobody has it, or another tenant, and the payment's id stays free", async () => {
    const externalPaymentId = freshId();
    for (const token of [randomUUID(), await check("other")]) {
      const refused = await world.accept(world.replicas[1], pull(token, externalPaymentId));

      expect(refused).toMatchObject({
        reason: "INVALID_ARGUMENT",
        fields: ["sender.paymentMethod.accountTokenId"],
        message: expect.stringContaining("must be a known account token"),
      });
    }

    const accepted = await world.accept(world.replicas[0], pull(await check(), externalPaymentId));
    expect(accepted.reason).toBeUndefined();
  });

  it("is revoked by copies at once, and again", async () => {
    const token = await check();

    await Promise.all(([0, 1, 0, 1] as const).map((replica) => insistent(() => revoke(token, replica))));
    await revoke(token, 1);

    expect(await isCollected(await collect(token))).toBe("PaymentDeclined");
  });

  it("is PAY_404 when it is nobody's or another tenant's, and goes on being one", async () => {
    const token = await check();
    const calls = [randomUUID(), "", token.toUpperCase()].map((id) => () => revoke(id));
    calls.push(() => revoke(token, 0, "other"));

    for (const call of calls) expect(await refusalOf(call())).toMatchObject({ reason: "PAYMENT_NOT_FOUND" });
    expect(await isCollected(await collect(token))).not.toBe("PaymentDeclined");
  });

  it("goes on being one when its check was refused: there is none to revoke", async () => {
    const id = freshId();
    const check = accountCheckOf(id, { publicToken: "public-sandbox-nobody" });
    await insistent(() => world.replicas[0].checkAccount({ tenant: demo, check, answerForm: 1 }));
    const checks = world.mongo.connection.collection<{ tenant: string; externalId: string; accountTokenId: string }>(
      "account_checks",
    );
    const kept = await checks.findOne({ tenant: demo, externalId: id });

    expect(await refusalOf(revoke(kept?.accountTokenId ?? ""))).toMatchObject({ reason: "PAYMENT_NOT_FOUND" });
  });

  it("stays what it is while the store is away, and is revoked by the same call", async () => {
    const token = await check();
    const restore = await world.cutOff(0);
    const refused = await refusalOf(revoke(token));
    await restore();
    const still = await collect(token, 1);
    const early = await isCollected(still);

    await insistent(() => revoke(token));

    expect(refused).toMatchObject({ reason: "UNAVAILABLE" });
    expect(early).not.toBe("PaymentDeclined");
    expect(await isCollected(await collect(token))).toBe("PaymentDeclined");
  });
});
