import { randomUUID } from "node:crypto";
import { CaseKind } from "../../../proto/gen/corridor/payment/v1/case_service";
import { cardSource, pullPushBody } from "../../support/payment-bodies";
import { until } from "../../support/platform-client";
import { callsOf, casesOf, insistent, postedOf, reaches, recordOf, refusalOf } from "./looks";
import { signedCallback } from "./outside";
import { type Door, demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

type Which = 0 | 1;
/** To a question: the result is not known. */
const silence = { status: 404, body: "no such route" };
const agentId = randomUUID();

describe("a command that is claimed at once", () => {
  let world: PaymentWorld;
  const direct = {
    cancel: (paymentId: string, replica: Which = 0, by: { tenant?: string; agentId?: string } = {}) =>
      world.replicas[replica].cancelPayment({ tenant: demo, agentId: undefined, paymentId, ...by }),
    reject: (paymentId: string, replica: Which = 0, tenant = demo) =>
      world.replicas[replica].rejectHold({ tenant, paymentId }),
    decide: (paymentId: string, approve: boolean, replica: Which = 0, tenant = demo) =>
      world.replicas[replica].decideReversal({ tenant, paymentId, approve }),
  };
  const accept = async (body: Record<string, unknown>, door: Door = {}) => {
    const { text } = await world.accept(world.replicas[0], body, door);
    const { paymentId } = JSON.parse(text ?? "{}") as { paymentId: string };
    return { id: String(body["externalPaymentId"]), paymentId };
  };
  /** A push that its rail holds. Faults of its mark are the test's. */
  const held = async (door: Door = {}, faults: object[] = []) => {
    const mark = randomUUID().slice(0, 8);
    const rules = [{ step: "query", answer: silence }, ...faults];
    await world.outside.fault(rules.map((rule) => ({ provider: "pix", mark, ...rule })));
    const additionalData = { statementNarrative: `SIM:hold-release FAULT:${mark}` };
    const found = await accept(await world.push({ additionalData }), door);
    await reaches(world, found.id, "PayoutHold");
    return found;
  };
  /** A PULLPUSH whose payout the rail has rejected, and whose reversal waits for a person. */
  const rejected = async () => {
    const mark = randomUUID().slice(0, 8);
    await world.outside.fault({ provider: "pix", step: "settle", mark, refuse: true });
    const additionalData = { statementNarrative: `FAULT:${mark}` };
    const found = await accept(pullPushBody(cardSource("1"), { additionalData }));
    await reaches(world, found.id, "PendingReversalApproval");
    return found;
  };
  /** A rail whose answer came too late on a busy machine is asked, and answers. */
  const canTellAgain = () => world.outside.clearFaults();
  const instruction = (paymentId: string) => world.outside.book("instructions", paymentId);

  beforeAll(async () => {
    // More than a dollar goes back only when a person has approved it.
    world = await startPaymentWorld({ PAYMENT_TERMS: JSON.stringify({ "*": { reversalLimit: 100 } }) });
  }, 120_000);
  afterEach(() => world.outside.clearFaults());
  afterAll(() => world.stop());

  it("is told that there is no payment of nobody, of another tenant and of another agent", async () => {
    const { id, paymentId } = await held({ agentId });
    const cancels = [
      () => direct.cancel(randomUUID()),
      () => direct.cancel(paymentId, 0, { tenant: "other" }),
      () => direct.cancel(paymentId, 0, { agentId: randomUUID() }),
    ];
    const others = [
      () => direct.reject(randomUUID()),
      () => direct.reject(paymentId, 0, "other"),
      () => direct.decide(randomUUID(), true),
      () => direct.decide(paymentId, true, 0, "other"),
    ];

    for (const call of cancels) expect(await refusalOf(call())).toMatchObject({ reason: "TRANSACTION_NOT_FOUND" });
    for (const call of others) expect(await refusalOf(call())).toMatchObject({ reason: "PAYMENT_NOT_FOUND" });
    expect((await recordOf(world, id))?.transactionState).toBe("PayoutHold");
  });

  it("is STATE_CONFLICT where the payment does not allow it, and changes nothing", async () => {
    const done = await accept(await world.push());
    await reaches(world, done.id, "Completed");
    const before = await recordOf(world, done.id);
    const waiting = await held();
    const calls = [
      () => direct.cancel(done.paymentId),
      () => direct.reject(done.paymentId),
      () => direct.decide(done.paymentId, true),
      () => direct.decide(done.paymentId, false),
      () => direct.decide(waiting.paymentId, true),
    ];

    for (const call of calls) expect(await refusalOf(call())).toMatchObject({ reason: "STATE_CONFLICT" });
    expect(await recordOf(world, done.id)).toEqual(before);
  });

  it("cancels once: copies at two replicas get the time of the first, and the rail is told once", async () => {
    const { id, paymentId } = await held({ agentId });

    const answers = await Promise.all(
      ([0, 1, 0, 1] as const).map((replica) => insistent(() => direct.cancel(paymentId, replica, { agentId }))),
    );
    await canTellAgain();
    const state = await reaches(world, id, "Cancelled");
    const later = await direct.cancel(paymentId, 1);

    const times = [...answers, later].map(({ cancelledAt }) => cancelledAt?.getTime());
    expect(new Set(times).size).toBe(1);
    expect(state).toBe("Cancelled");
    expect(await instruction(paymentId)).toMatchObject({ status: "CANCELLED", releases: 0 });
    expect(await postedOf(world, id)).toEqual([]);
  });

  it("rejects what a rail holds, and what is being paid can no longer be stopped", async () => {
    const { id, paymentId } = await held();

    await direct.reject(paymentId);
    await canTellAgain();

    expect(await reaches(world, id, "Cancelled")).toBe("Cancelled");
    expect(await instruction(paymentId)).toMatchObject({ status: "CANCELLED", releases: 0 });
  });

  it.each<[string, object]>([
    ["lost, once it was carried out", { answer: { kind: "lost" } }],
    ["HTML, once it was carried out", { answer: { kind: "html" } }],
    ["half of its JSON", { answer: { kind: "truncated" } }],
    ["an empty 200, and nothing was done", { execute: false, answer: { status: 200, body: "" } }],
    ["about another order", { answer: { kind: "other-reference" } }],
    ["429", { execute: false, answer: { status: 429, body: {} } }],
    ["503", { execute: false }],
  ])("cancels nothing before the rail says so: its answer is %s", async (_name, fault) => {
    const lie = { step: "cancel", times: 1, ...fault };
    const { id, paymentId } = await held({}, [lie]);
    await direct.cancel(paymentId);
    await until(
      () => callsOf(world, id),
      (calls) => calls.includes("send cancel: unknown"),
    );
    const early = (await recordOf(world, id))?.transactionState;
    await world.outside.clearFaults();
    const end = await reaches(world, id, "Cancelled");

    expect(early).toBe("CancelRequested");
    expect(end).toBe("Cancelled");
    expect(await instruction(paymentId)).toMatchObject({ status: "CANCELLED", releases: 0 });
  });

  it("tells a person when the rail pays what it has cancelled", async () => {
    const { id, paymentId } = await held();
    await direct.cancel(paymentId);
    await canTellAgain();
    await reaches(world, id, "Cancelled");
    await world.outside.act({ provider: "pix", reference: paymentId, act: "PAY" });
    const [moved] = await world.outside.movements(paymentId);
    const { movementId, amount, currency } = moved ?? {};

    await world.replicas[1].receiveCallback(
      signedCallback("pix", { reference: paymentId, status: "PAID", movementId, amount, currency }),
    );

    expect(await postedOf(world, id)).toHaveLength(1);
    expect((await casesOf(world, paymentId)).map(({ kinds }) => kinds)).toEqual([[CaseKind.UNEXPECTED_FACT]]);
  });

  it("decides a reversal once: approved and refused at once, one wins, and the money goes back at most once", async () => {
    for (let race = 0; race < 3; race += 1) {
      const { id, paymentId } = await rejected();

      const ends = await Promise.all([
        refusalOf(insistent(() => direct.decide(paymentId, true, 0))),
        refusalOf(insistent(() => direct.decide(paymentId, false, 1))),
        refusalOf(insistent(() => direct.decide(paymentId, true, 1))),
      ]);
      const won = ends.filter((end) => end === undefined);
      expect(won).toHaveLength(1);
      const isApproved = ends[1] !== undefined;
      if (isApproved) await reaches(world, id, "Refunded");

      expect(await world.outside.moved(paymentId)).toEqual(
        isApproved ? ["CAPTURE 10000 USD", "REFUND 10000 USD"] : ["CAPTURE 10000 USD"],
      );
      const kinds = (await casesOf(world, paymentId)).flatMap((found) => found.kinds);
      expect(kinds.includes(CaseKind.REVERSAL_REFUSED)).toBe(!isApproved);
      for (const end of ends) expect([undefined, "STATE_CONFLICT"]).toContain(end?.reason);
    }
  });

  it("is carried on by the other replica when its own dies while the acquirer gives back", async () => {
    const { id, paymentId } = await rejected();
    await world.outside.fault({ provider: "acquirer", step: "refund", times: 1, delayMs: 1_900 });
    await direct.decide(paymentId, true, 0);
    await until(
      () => world.outside.moved(paymentId),
      (moved) => moved.length === 2,
    );
    const restore = await world.cutOff(0);

    const state = await reaches(world, id, "Refunded");
    await restore();

    expect(state).toBe("Refunded");
    expect(await world.outside.moved(paymentId)).toEqual(["CAPTURE 10000 USD", "REFUND 10000 USD"]);
    expect((await postedOf(world, id)).filter((one) => one.startsWith("refund"))).toEqual(["refund 10000"]);
    expect((await callsOf(world, id)).filter((one) => one.startsWith("send refund"))).toEqual([]);
  });
});
