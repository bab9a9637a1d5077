import { randomUUID } from "node:crypto";
import {
  CaseKind,
  CaseState,
  type CommandCaseRequest,
  FactKind,
} from "../../../proto/gen/corridor/payment/v1/case_service";
import { bodyOf } from "../../support/hostile-bodies";
import { type HostileWorld, startHostileWorld } from "../../support/hostile-world";
import { refundOf } from "../../support/payment-commands";
import { sendPayment } from "../../support/payment-door";
import { until } from "../../support/platform-client";

const tenant = "demo";
interface Posted {
  postings?: { account: string; currency: string; minor: bigint }[];
}
/** After so long without an outcome a case is open. */
const silenceSeconds = 3_600;
/** After so long without a settlement a case is open. */
const settlementSeconds = 6 * 86_400;

describe("cases of calls that nobody answers", () => {
  let world: HostileWorld;
  beforeAll(async () => {
    world = await startHostileWorld();
  });
  afterAll(() => world.stop());

  const openCases = async (paymentId: string) =>
    (
      await world.payment.listCases({
        state: CaseState.OPEN,
        kind: CaseKind.UNSPECIFIED,
        tenant: "",
        provider: "",
        paymentId,
        limit: 10,
      })
    ).cases;
  const seen = (externalId: string) =>
    world.mongo.connection
      .collection<{ _id: string; externalId: string; state: string; step?: string; payoutStatus?: string }>("payments")
      .findOne({ tenant, externalId });
  const untilSeen = (externalId: string, isWanted: (found: { state: string; step?: string }) => boolean) =>
    until(
      () => seen(externalId),
      (found) => found !== null && isWanted(found),
    );
  const command = (caseId: string, asked: NonNullable<CommandCaseRequest["command"]>) =>
    world.payment.commandCase({
      caseId,
      commandId: randomUUID(),
      author: "ada",
      approver: "grace",
      note: "the provider's statement says so",
      evidence: "line 7",
      command: asked,
    });
  const refused = (amount?: { amountMinor: bigint; currency: string }) =>
    ({ $case: "settleStep", value: { kind: FactKind.REFUSED, amount, movementId: "", paymentId: "" } }) as const;
  /** What the payment's postings add up to on the scheme's clearing account. */
  const clearingOf = async (paymentId: string): Promise<bigint> => {
    const payments = world.mongo.connection.collection<{ _id: string; events: Posted[] }>("payments");
    const events = (await payments.findOne({ _id: paymentId }, { useBigInt64: true }))?.events ?? [];
    const postings = events.flatMap((event) => event.postings ?? []);
    const own = postings.filter(({ account }) => account === "provider/debits/clearing");
    expect(own).toHaveLength(2);
    return own.reduce((sum, { minor }) => sum + minor, 0n);
  };
  const refund = (externalPaymentId: string, externalRefundId: string) =>
    world.payment.refundPayment(refundOf({ tenant, externalPaymentId }, { externalRefundId }));

  it("end when an operator settles the call as refused, and another refund may follow", async () => {
    const id = "settled-1";
    const target = { type: "PULL", adapter: "acquirer", step: "refund", way: "plain" } as const;
    await world.sandbox.call("POST", "/faults", {
      provider: "acquirer",
      mark: id,
      step: "refund",
      times: 1,
      effect: { currency: "CHF" },
    });
    await sendPayment(world.payment, { tenant }, bodyOf(target, id));
    await untilSeen(id, ({ state, step }) => state === "Completed" && step === undefined);
    await expect(refund(id, "settled-1.a")).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    await world.sandbox.advance(silenceSeconds);
    const paymentId = (await seen(id))?._id ?? "";
    const [found] = await until(
      () => openCases(paymentId),
      (cases) => cases.length > 0,
    );
    const caseId = found?.caseId ?? "";

    await expect(command(caseId, refused({ amountMinor: 1n, currency: "USD" }))).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
      violations: [{ field: "settleStep.amount" }],
    });
    await command(caseId, refused());
    await expect(command(caseId, refused())).rejects.toMatchObject({ reason: "STATE_CONFLICT" });

    expect(found?.kinds).toContain(CaseKind.STEP_UNKNOWN);
    expect(await seen(id)).toMatchObject({ state: "Completed", refunds: [{ status: "DECLINED" }] });
    // What becomes of the next one is the provider's affair: it is taken.
    await refund(id, "settled-1.b").catch(() => undefined);
    expect(await seen(id)).toMatchObject({ refunds: [{ status: "DECLINED" }, { externalId: "settled-1.b" }] });
  });

  it("take money in another currency from an operator as from the provider: it waits in suspense until it is put right", async () => {
    const id = "settled-3";
    const target = { type: "PULL", adapter: "acquirer", step: "refund", way: "plain" } as const;
    const lost = { execute: false, answer: { status: 503, body: {} } };
    await world.sandbox.call("POST", "/faults", { provider: "acquirer", mark: id, step: "refund", times: 50, ...lost });
    await sendPayment(world.payment, { tenant }, bodyOf(target, id));
    await untilSeen(id, ({ state, step }) => state === "Completed" && step === undefined);
    await expect(refund(id, "settled-3.a")).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    await world.sandbox.advance(silenceSeconds);
    const paymentId = (await seen(id))?._id ?? "";
    const [found] = await until(
      () => openCases(paymentId),
      (cases) => cases.length > 0,
    );
    const caseId = found?.caseId ?? "";
    const settle = (amount: { amountMinor: bigint; currency: string }, movementId = "line-7") =>
      command(caseId, {
        $case: "settleStep",
        value: { kind: FactKind.REFUNDED, amount, movementId, paymentId: "" },
      });

    await expect(settle({ amountMinor: 1n, currency: "XQQ" })).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
      violations: [{ field: expect.stringContaining("amount") }],
    });
    await expect(settle({ amountMinor: 0n, currency: "CHF" })).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
    await settle({ amountMinor: 10_000n, currency: "CHF" });

    const [afterwards] = await openCases(paymentId);
    expect(afterwards?.kinds).toEqual([CaseKind.STEP_UNKNOWN, CaseKind.AMOUNT_DIFFERS]);
    expect(await seen(id)).toMatchObject({ step: "refund", refunds: [{ status: "PENDING" }] });
    const eventsOf = async (collection: string, filter: object): Promise<Posted[]> => {
      const events = world.mongo.connection.collection<{ events: Posted[] }>(collection);
      return (await events.findOne(filter))?.events ?? [];
    };
    /** What is posted in francs, for the payment and for its case. */
    const posted = async (): Promise<string[]> => {
      const events = [
        ...(await eventsOf("payments", { tenant, externalId: id })),
        ...(await eventsOf("cases", { _id: caseId })),
      ];
      const postings = events.flatMap((event) => event.postings ?? []);
      return postings.flatMap(({ account, currency, minor }) => (currency === "CHF" ? [`${account} ${minor}`] : []));
    };
    const inSuspense = ["provider/acquirer/clearing 10000", "platform/suspense -10000"];
    expect(await posted()).toEqual(inSuspense);

    await command(caseId, refused());
    await command(caseId, {
      $case: "postCorrection",
      value: {
        postings: [
          { account: "platform/suspense", currency: "CHF", minor: 10_000n },
          { account: "provider/acquirer/clearing", currency: "CHF", minor: -10_000n },
        ],
      },
    });
    await command(caseId, { $case: "close", value: { paymentId: "" } });
    expect(await openCases(paymentId)).toEqual([]);
    expect(await seen(id)).toMatchObject({ state: "Completed", refunds: [{ status: "DECLINED" }] });
    expect(await posted()).toEqual([...inSuspense, "platform/suspense 10000", "provider/acquirer/clearing -10000"]);
  });

  it("are not kept open by a payout that is paid while it is taken back", async () => {
    const id = "settled-2";
    const target = { type: "PUSH", adapter: "pix", step: "cancel", way: "refused by screening" } as const;
    await world.sandbox.call("POST", "/faults", [
      { provider: "pix", mark: id, step: "cancel", times: 1, execute: false, answer: { status: 503, body: {} } },
      { provider: "pix", mark: id, step: "query", times: 1, acts: [{ act: "PAY", isSilent: true }] },
    ]);
    await sendPayment(world.payment, { tenant }, bodyOf(target, id));
    await untilSeen(id, ({ step }) => step === "cancel");
    await world.sandbox.advance(silenceSeconds);
    await untilSeen(id, ({ state, step }) => state === "ReviewRejected" && step === undefined);
    const paymentId = (await seen(id))?._id ?? "";
    const [found] = await openCases(paymentId);

    await command(found?.caseId ?? "", { $case: "close", value: {} });
    await world.sandbox.advance(silenceSeconds);

    expect(found?.kinds).toContain(CaseKind.UNEXPECTED_FACT);
    expect(await openCases(paymentId)).toEqual([]);
    expect((await seen(id))?.step).toBeUndefined();
  });

  it("end a debit that its scheme has claimed and does not have: what was posted comes back, and the payment is over", async () => {
    const id = "settled-claimed";
    const body = {
      reference: "{reference}",
      status: "ACCEPTED",
      amount: "100.00",
      currency: "USD",
      debitId: "none",
      movementId: "none-1",
    };
    await world.sandbox.call("POST", "/faults", {
      provider: "debits",
      mark: id,
      step: "debit",
      times: 1,
      execute: false,
      answer: { status: 201, body },
    });
    const target = { type: "PULL", adapter: "debits", step: "debit", way: "plain" } as const;
    await sendPayment(world.payment, { tenant }, bodyOf(target, id));
    await untilSeen(id, ({ state }) => state === "WaitingSettlement");
    await world.sandbox.advance(settlementSeconds);
    const paymentId = (await seen(id))?._id ?? "";
    const [found] = await until(
      () => openCases(paymentId),
      (cases) => cases.length > 0,
    );
    expect(found?.kinds).toEqual([CaseKind.STEP_UNKNOWN]);
    const caseId = found?.caseId ?? "";
    await expect(command(caseId, refused())).rejects.toMatchObject({ reason: "STATE_CONFLICT" });

    const amount = { amountMinor: 10_000n, currency: "USD" };
    const value = { kind: FactKind.COLLECTION_RETURNED, amount, movementId: "", paymentId: "" };
    await command(caseId, { $case: "settleStep", value });
    await untilSeen(id, ({ state }) => state !== "WaitingSettlement");
    await command(caseId, { $case: "close", value: {} }).catch(() => undefined);

    expect(await openCases(paymentId)).toEqual([]);
    expect((await seen(id))?.state).toBe("Refunded");
    expect(await clearingOf(paymentId)).toBe(0n);
  });
});
