import { randomUUID } from "node:crypto";
import { CaseKind } from "../../../proto/gen/corridor/payment/v1/case_service";
import { cardPullBody } from "../../support/payment-bodies";
import { until } from "../../support/platform-client";
import { callsOf, casesOf, postedOf, reaches, recordOf } from "./looks";
import { centsOf } from "./outside";
import { type PaymentWorld, startPaymentWorld } from "./payment-world";

const week = 7 * 86_400;
const ends = ["Completed", "Cancelled", "Error"];

describe("a payment that is carried on", () => {
  let world: PaymentWorld;
  const payments = () => world.mongo.connection.collection<{ _id: string }>("payments");
  /** Starts a push; the rules are about it alone. */
  const push = async (rules: readonly object[], scenario = "") => {
    const mark = randomUUID().slice(0, 8);
    if (rules.length > 0) await world.outside.fault(rules.map((rule) => ({ provider: "pix", mark, ...rule })));
    const statementNarrative = `${scenario} FAULT:${mark}`;
    const body = await world.push({ additionalData: { statementNarrative } });
    const { text } = await world.accept(world.replicas[0], body);
    const { paymentId } = JSON.parse(text ?? "{}") as { paymentId: string };
    return { id: String(body["externalPaymentId"]), paymentId };
  };
  const instruction = (paymentId: string) => world.outside.book("instructions", paymentId);
  const minorOf = async (paymentId: string) => centsOf((await instruction(paymentId))?.["amount"]);

  beforeAll(async () => {
    world = await startPaymentWorld({}, { hasClock: true });
  }, 120_000);
  afterEach(() => world.outside.clearFaults());
  afterAll(() => world.stop());

  const lies: readonly (readonly [string, object])[] = [
    ["HTML", { answer: { kind: "html" } }],
    ["half of its JSON", { answer: { kind: "truncated" } }],
    ["an empty 200, once it has done it", { answer: { kind: "empty" } }],
    ["an empty 200, and has done nothing", { execute: false, answer: { status: 200, body: "" } }],
    ["far too much", { answer: { kind: "oversized" } }],
    ["about another order", { answer: { kind: "other-reference" } }],
    ["401", { execute: false, answer: { status: 401, body: { error: "unauthorized" } } }],
    ["409", { execute: false, answer: { status: 409, body: { error: "key_in_use" } } }],
    ["an unlisted 422", { execute: false, answer: { status: 422, body: { error: "processing_error" } } }],
    ["429", { execute: false, answer: { status: 429, body: { error: "slow_down" } } }],
    ["503", { execute: false }],
    ["nothing, and breaks the connection", { answer: { kind: "lost" } }],
    ["nothing", { answer: { kind: "timeout" } }],
    ["a word that nobody knows", { answer: { body: { reference: "r", status: "SOMETHING_NEW" } } }],
  ];

  it("is paid once, of its own amount, whatever a provider answers to a step in place of the truth", async () => {
    const cases = lies.flatMap(([name, fault]) => [
      { name: `${name} to prepare`, rule: { step: "prepare", times: 1, ...fault } },
      { name: `${name} to release`, rule: { step: "release", times: 1, ...fault } },
      { name: `${name} to screen`, rule: { provider: "screening", step: "screen", times: 1, ...fault } },
    ]);
    const started = await Promise.all(cases.map(async ({ name, rule }) => ({ name, ...(await push([rule])) })));

    const wrong: unknown[] = [];
    for (const { name, id, paymentId } of started) {
      const state = await reaches(world, id, ...ends);
      const [posted, found] = [await postedOf(world, id), await instruction(paymentId)];
      const told = (await casesOf(world, paymentId)).length;
      const isRight = state === "Completed" && found?.["releases"] === 1 && told === 0;
      if (!isRight || posted.join() !== `payout ${await minorOf(paymentId)}`) wrong.push({ name, state, posted, told });
    }

    expect(wrong).toEqual([]);
  });

  it("is not paid when its rail refuses it, and nothing is posted", async () => {
    const { id, paymentId } = await push([{ step: "prepare", refuse: true, times: 1 }]);

    expect(await reaches(world, id, "Cancelled", "Completed")).toBe("Cancelled");
    expect(await world.outside.moved(paymentId)).toEqual([]);
    expect(await postedOf(world, id)).toEqual([]);
  });

  it("is not taken for refused when a rail did it, denied it and then refuses to do it again", async () => {
    const { id, paymentId } = await push([
      { step: "prepare", times: 1, answer: { kind: "lost" } },
      {
        step: "query",
        times: 2,
        execute: false,
        answer: { status: 404, body: { error: "not_found", reference: "{reference}" } },
      },
      {
        step: "prepare",
        times: 1,
        execute: false,
        answer: { status: 400, body: { reference: "{reference}", error: "invalid_request" } },
      },
    ]);

    expect(await reaches(world, id, ...ends)).toBe("Completed");

    const calls = await callsOf(world, id);
    expect(calls.filter((one) => one.startsWith("send prepare"))).toEqual([
      "send prepare: unknown",
      "send prepare: unknown",
    ]);
    expect(await instruction(paymentId)).toMatchObject({ releases: 1 });
    expect(await postedOf(world, id)).toEqual([`payout ${await minorOf(paymentId)}`]);
  });

  it("is not taken for refused after a long silence either, at its first denial", async () => {
    const { id, paymentId } = await push([
      { step: "prepare", times: 1, answer: { kind: "lost" } },
      { step: "query", times: 2, execute: false, answer: { status: 503, body: {} } },
      {
        step: "query",
        times: 2,
        execute: false,
        answer: { status: 404, body: { error: "not_found", reference: "{reference}" } },
      },
      {
        step: "prepare",
        times: 1,
        execute: false,
        answer: { status: 400, body: { reference: "{reference}", error: "invalid_request" } },
      },
    ]);

    expect(await reaches(world, id, ...ends)).toBe("Completed");

    expect(await instruction(paymentId)).toMatchObject({ releases: 1 });
    expect(await postedOf(world, id)).toEqual([`payout ${await minorOf(paymentId)}`]);
  });

  it("is refused in the end by a rail that has failed once, and refuses what is sent again", async () => {
    const { id, paymentId } = await push([
      { step: "prepare", times: 1, execute: false },
      { step: "prepare", refuse: true },
    ]);

    expect(await reaches(world, id, ...ends)).toBe("Cancelled");

    expect((await callsOf(world, id)).at(-1)).toBe("send prepare: refused");
    expect(await world.outside.moved(paymentId)).toEqual([]);
    expect(await postedOf(world, id)).toEqual([]);
  });

  it("is given up only once the rail says that it never will pay what it has forgotten", async () => {
    const { id, paymentId } = await push([], "SIM:timeout-then-absent");

    const state = await reaches(world, id, ...ends);

    expect(state).toBe("Error");
    expect(await callsOf(world, id)).toContain("send cancel: CANCELLED");
    expect(await world.outside.moved(paymentId)).toEqual([]);
    expect(await postedOf(world, id)).toEqual([]);
  });

  it("posts what a rail has really paid, in another amount or twice, and tells a person", async () => {
    const [other, double] = [
      await push([{ step: "release", times: 1, effect: { amount: "7.00" } }]),
      await push([{ step: "release", times: 1, effect: { copies: 2 } }]),
    ];

    for (const { id } of [other, double]) await reaches(world, id, "Completed");

    expect(await postedOf(world, other.id)).toEqual(["payout 700"]);
    expect((await casesOf(world, other.paymentId))[0]?.kinds).toContain(CaseKind.AMOUNT_DIFFERS);
    const minor = await minorOf(double.paymentId);
    expect(await postedOf(world, double.id)).toEqual([`payout ${minor}`, `payout ${minor}`]);
    expect(await casesOf(world, double.paymentId)).toHaveLength(1);
  });

  it.each<[string, string, object]>([
    ["prepare", "prepareCalls", { step: "prepare", delayMs: 1_900, times: 1 }],
    ["release", "releases", { step: "release", delayMs: 1_900, times: 1 }],
    ["release that is never answered", "releases", { step: "release", answer: { kind: "timeout" }, times: 1 }],
  ])(
    "is taken up by the other replica when its own dies in its %s: the rail is asked first",
    async (_name, done, rule) => {
      const { id, paymentId } = await push([rule]);
      await until(
        () => instruction(paymentId),
        (found) => Number(found?.[done] ?? 0) > 0,
      );
      const restore = await world.cutOff(0);

      const state = await reaches(world, id, "Completed");
      await restore();

      const step = String(Object(rule)["step"]);
      const calls = (await callsOf(world, id)).filter((one) => one.includes(` ${step}:`));
      expect(state).toBe("Completed");
      expect(calls[0]).toMatch(/^ask /);
      expect(await instruction(paymentId)).toMatchObject({ releases: 1, prepareCalls: 1, releaseCalls: 1 });
      expect(await postedOf(world, id)).toEqual([`payout ${await minorOf(paymentId)}`]);
    },
  );

  it("is saved by one of two replicas that work on it at once", async () => {
    const pushes = await Promise.all(
      Array.from({ length: 6 }, () =>
        push([
          { step: "prepare", delayMs: 700, times: 1 },
          { step: "release", delayMs: 700, times: 1 },
        ]),
      ),
    );
    const ids = pushes.map(({ paymentId }) => paymentId);
    const areDone = async () => {
      // As if the lease of the working process were over.
      const due = { _id: { $in: ids }, dueAt: { $exists: true } };
      await payments().updateMany(due, { $set: { dueAt: new Date(0) } });
      const records = await Promise.all(pushes.map(({ id }) => recordOf(world, id)));
      return records.every((record) => record?.transactionState === "Completed");
    };

    expect(await until(areDone, (done) => done)).toBe(true);

    for (const { id, paymentId } of pushes) {
      expect(await instruction(paymentId)).toMatchObject({ releases: 1 });
      expect(await world.outside.moved(paymentId)).toHaveLength(1);
      expect(await postedOf(world, id)).toEqual([`payout ${await minorOf(paymentId)}`]);
      const moves = (await callsOf(world, id)).filter((one) => one.endsWith(": PREPARED"));
      expect(moves.length).toBeGreaterThan(0);
    }
  });

  it("does not wait for ever: an open challenge and an authorisation that nobody captures are given up", async () => {
    const [challenged, held] = [cardPullBody("4", { capture: false }), cardPullBody("1", { capture: false })];
    const [first, second] = [challenged, held].map((body) => String(body["externalPaymentId"]));
    for (const body of [challenged, held]) await world.accept(world.replicas[0], body);
    await reaches(world, first ?? "", "WaitingChallenge3ds");
    await reaches(world, second ?? "", "PaymentAuthorized");

    await world.outside.advance(15 * 60 + 1);
    const early = await reaches(world, first ?? "", "Cancelled", "PaymentDeclined");
    const still = (await recordOf(world, second ?? ""))?.transactionState;
    await world.outside.advance(week);
    const late = await reaches(world, second ?? "", "Voided");

    expect(["Cancelled", "PaymentDeclined"]).toContain(early);
    expect(still).toBe("PaymentAuthorized");
    expect(late).toBe("Voided");
  });
});
