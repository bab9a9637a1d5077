import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { BegunStep, CaseKind, CaseState } from "../../../proto/gen/corridor/payment/v1/case_service";
import { refundIdOf } from "../../../services/payment/domain/legs";
import { cardPullBody } from "../../support/payment-bodies";
import { refundOf, textOfAction } from "../../support/payment-commands";
import { until } from "../../support/platform-client";
import { railKey } from "../sandbox/outside-world";
import { postedOf } from "./looks";
import { demo, type PaymentRpc, type PaymentWorld, startPaymentWorld } from "./payment-world";

interface Refusal {
  reason: string;
  details: Readonly<Record<string, unknown>>;
}

describe("refunds of a payment", () => {
  let world: PaymentWorld;
  let one: PaymentRpc;
  let two: PaymentRpc;
  beforeAll(async () => {
    world = await startPaymentWorld();
    [one, two] = world.replicas;
  }, 120_000);
  afterAll(() => world.stop());

  const pay = async (): Promise<string> => {
    const body = cardPullBody("1");
    const answer = await world.accept(one, body);
    expect(JSON.parse(answer.text ?? "{}")).toMatchObject({ status: "CAPTURED" });
    return String(body["externalPaymentId"]);
  };
  const refund = async (replica: PaymentRpc, externalPaymentId: string, body: object): Promise<string> => {
    return textOfAction(await replica.refundPayment(refundOf({ tenant: demo, externalPaymentId }, body)));
  };
  /** A refusal; a service that is away for a moment is asked again. */
  const refusal = (replica: PaymentRpc, id: string, body: object): Promise<Refusal> =>
    until(
      () =>
        refund(replica, id, body).then(
          () => ({ reason: "none", details: {} }),
          ({ reason, details }: Refusal) => ({ reason, details }),
        ),
      ({ reason }) => reason !== "UNAVAILABLE",
    );
  const executed = async (externalId: string): Promise<{ reference: string; amount: string }[]> => {
    const record = await world.mongo.connection.collection("payments").findOne({ tenant: demo, externalId });
    const response = await fetch(`${world.sandbox.url}/acquirer/authorizations/${String(record?._id)}`, {
      headers: { authorization: `Bearer ${railKey}` },
    });
    return ((await response.json()) as { refunds: { reference: string; amount: string }[] }).refunds;
  };

  /** The payment as it is after so many more refunds like its first: each would take a second on a busy machine. */
  const repeatRefund = async (
    externalId: string,
    times: number,
    { nextId = randomUUID, minor = 50n }: { nextId?: () => string | undefined; minor?: bigint } = {},
  ): Promise<void> => {
    const payments = world.mongo.connection.collection<{ refunds: object[] }>("payments");
    const found = await payments.findOne({ tenant: demo, externalId });
    const [first] = found?.refunds ?? [];
    const copies = Array.from({ length: times }, () => ({ ...first, id: randomUUID(), externalId: nextId() }));
    const update = { $push: { refunds: { $each: copies } }, $inc: { "pull.refundedMinor": minor * BigInt(times) } };
    await payments.updateOne({ tenant: demo, externalId }, update);
  };

  /** A case about a payment, and the command on it that gives half a unit back. */
  const caseOf = async (externalId: string) => {
    const record = await world.mongo.connection.collection("payments").findOne({ tenant: demo, externalId });
    const about = { tenant: demo, provider: "acquirer", paymentIds: [String(record?._id)], amounts: [] };
    const what = { kind: CaseKind.RECONCILIATION_BREAK, text: "the statement has less", evidence: "", reference: "" };
    const { caseId } = await one.openCase({ key: `case-of-${externalId}`, ...about, ...what });
    const begin = (replica: PaymentRpc) =>
      replica.commandCase({
        caseId,
        commandId: randomUUID(),
        author: "ada",
        approver: "",
        note: "give half a unit back",
        evidence: "",
        command: {
          $case: "beginStep",
          value: { step: BegunStep.REFUND, amount: { amountMinor: 50n, currency: "USD" }, paymentId: "" },
        },
      });
    return { caseId, begin };
  };

  it("are a hundred at most: one more is refused with the limit, at both replicas, and nothing of it is sent", async () => {
    const id = await pay();
    const last = { externalRefundId: `${id}-100`, amount: 0.5 };
    await refund(two, id, { externalRefundId: `${id}-1`, amount: 0.5 });
    await repeatRefund(id, 98);
    const answer = await refund(one, id, last);

    for (const replica of [one, two]) {
      const refused = await refusal(replica, id, { externalRefundId: `${id}-more`, amount: 0.5 });
      expect(refused).toMatchObject({ reason: "STATE_CONFLICT", details: { mostRefunds: 100 } });
    }
    expect(await executed(id)).toHaveLength(2);
    // The hundredth is still answered as it was.
    expect(await refund(two, id, last)).toBe(answer);
  }, 180_000);

  it("of operators are not bound by those of the caller, and are a hundred themselves, at both replicas", async () => {
    const id = await pay();
    await refund(one, id, { externalRefundId: `${id}-1`, amount: 0.5 });
    await repeatRefund(id, 99);
    const { caseId, begin } = await caseOf(id);
    expect(await refusal(two, id, { externalRefundId: `${id}-more`, amount: 0.5 })).toMatchObject({
      reason: "STATE_CONFLICT",
      details: { mostRefunds: 100 },
    });

    await begin(one);
    await until(
      () => world.mongo.connection.collection("payments").findOne({ tenant: demo, externalId: id }),
      (record) => record?.["step"] === undefined,
    );
    expect(await executed(id)).toHaveLength(2);
    await repeatRefund(id, 99, { nextId: () => undefined, minor: 0n });
    for (const replica of [one, two]) {
      await expect(begin(replica)).rejects.toMatchObject({ reason: "STATE_CONFLICT", details: { mostRefunds: 100 } });
    }
    expect(await executed(id)).toHaveLength(2);
    const { case: kept } = await two.getCase({ caseId });
    expect(kept?.state).toBe(CaseState.OPEN);
  }, 180_000);

  it("are each posted though the acquirer gives them no id and they are of one amount", async () => {
    const id = await pay();
    const payments = world.mongo.connection.collection<{ _id: string; step?: string }>("payments");
    const record = () => payments.findOne({ tenant: demo, externalId: id });
    const paymentId = String((await record())?._id);
    for (const name of ["one", "two"]) {
      const reference = refundIdOf(paymentId, `${id}-${name}`);
      const body = { status: "REFUNDED", reference, amount: "0.50", currency: "USD" };
      await world.outside.fault([{ provider: "acquirer", step: "refund", times: 1, answer: { body } }]);
      await refund(name === "one" ? one : two, id, { externalRefundId: `${id}-${name}`, amount: 0.5 });
    }
    await until(record, (found) => found?.step === undefined);

    expect(await executed(id)).toHaveLength(2);
    expect(await record()).toMatchObject({ pull: { refundedMinor: 100n } });
    expect(await postedOf(world, id)).toEqual(["capture 10000", "refund 50", "refund 50"]);
  }, 60_000);

  it("keep the content of their id: another amount, none, or another reason is IDM_002", async () => {
    const id = await pay();
    const first = { externalRefundId: `${id}-r`, amount: 10, reason: "late" };
    const answer = await refund(one, id, first);

    for (const other of [{ amount: 11, reason: "late" }, { reason: "late" }, { amount: 10, reason: "early" }]) {
      const refused = await refusal(two, id, { externalRefundId: `${id}-r`, ...other });
      expect(refused).toMatchObject({ reason: "IDEMPOTENCY_CONFLICT" });
    }
    expect(await refund(two, id, first)).toBe(answer);
    expect((await executed(id)).map(({ amount }) => Number(amount))).toEqual([10]);
  }, 60_000);

  it("keep their reason sealed, also when they are done, and lookups show it", async () => {
    const id = await pay();
    const reason = `parcel of Zephyrine ${randomUUID()}`;

    await refund(one, id, { externalRefundId: `${id}-r`, amount: 10, reason });

    const record = await world.mongo.connection.collection("payments").findOne({ tenant: demo, externalId: id });
    const refundId = String(Object(record?.["refunds"])[0].id);
    expect(inspect(record, { depth: 9 })).not.toContain(reason);
    for (const externalPaymentId of [id, refundId]) {
      const { payment } = await two.getPayment({ tenant: demo, externalPaymentId });
      const given = payment?.history.filter(({ code }) => code === "REFUND");
      expect(given).toEqual([expect.objectContaining({ description: reason, requestedMinor: 1_000n })]);
    }
  }, 60_000);

  it("that are sent again while they run have the answer of the first, and are executed once", async () => {
    const id = await pay();
    const rule = { provider: "acquirer", step: "refund", times: 1, delayMs: 1_500 };
    const headers = { "content-type": "application/json", authorization: `Bearer ${railKey}` };
    await fetch(`${world.sandbox.url}/faults`, { method: "POST", headers, body: JSON.stringify(rule) });
    const body = { externalRefundId: `${id}-r`, amount: 10 };

    const answers = await Promise.all([one, two, one, two].map((replica) => refund(replica, id, body)));

    expect(new Set(answers).size).toBe(1);
    expect(JSON.parse(answers[0] ?? "{}")).toMatchObject({ status: "REFUNDED" });
    expect(await executed(id)).toHaveLength(1);
  }, 60_000);
});
