import { cardPullBody } from "../../support/payment-bodies";
import { captureOf, refundOf, textOfAction, voidOf } from "../../support/payment-commands";
import { until } from "../../support/platform-client";
import { callsOf, casesOf, insistent, postedOf, reaches, recordOf, refusalOf } from "./looks";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

type Json = Record<string, unknown>;
type Which = 0 | 1;

describe("a command on a pull", () => {
  let world: PaymentWorld;
  const named = (externalPaymentId: string, tenant = demo) => ({ tenant, externalPaymentId });
  const capture = (id: string, body: { amount?: number } = {}, replica: Which = 0, tenant = demo) =>
    world.replicas[replica].capturePayment(captureOf(named(id, tenant), body));
  const cancel = (id: string, replica: Which = 0, tenant = demo) =>
    world.replicas[replica].voidPayment(voidOf(named(id, tenant)));
  const refund = (id: string, externalRefundId: string, body: object = {}, replica: Which = 0, tenant = demo) =>
    world.replicas[replica].refundPayment(refundOf(named(id, tenant), { externalRefundId, ...body }));
  /** A card that was authorised for 100 USD; its id and that of its payment. */
  const authorized = async (): Promise<{ id: string; reference: string }> => {
    const body = cardPullBody("1", { capture: false });
    const { text } = await world.accept(world.replicas[0], body);
    const id = String(body["externalPaymentId"]);
    await reaches(world, id, "PaymentAuthorized");
    return { id, reference: (JSON.parse(text ?? "{}") as { paymentId: string }).paymentId };
  };
  const captured = async () => {
    const found = await authorized();
    await insistent(() => capture(found.id));
    return found;
  };
  /** One of each for all that changes nothing. */
  let held: ReturnType<typeof authorized> | undefined;
  let given: ReturnType<typeof captured> | undefined;
  const lie = (step: string, fault: object) => world.outside.fault({ provider: "acquirer", step, times: 1, ...fault });
  const json = (answer: Parameters<typeof textOfAction>[0]): Json => JSON.parse(textOfAction(answer)) as Json;

  beforeAll(async () => {
    world = await startPaymentWorld();
  }, 120_000);
  afterEach(() => world.outside.clearFaults());
  afterAll(() => world.stop());

  it("is PAY_404 about a payment of nobody and of another tenant", async () => {
    const { id } = await authorized();
    const calls = [
      () => capture("nobody"),
      () => cancel("nobody"),
      () => refund("nobody", "r"),
      () => capture(id, {}, 0, "other"),
      () => cancel(id, 0, "other"),
      () => refund(id, "r", {}, 0, "other"),
    ];

    for (const call of calls) expect(await refusalOf(call())).toMatchObject({ reason: "PAYMENT_NOT_FOUND" });
    expect((await recordOf(world, id))?.transactionState).toBe("PaymentAuthorized");
  });

  it.each<[string, { amount: number }, string[]]>([
    ["nothing", { amount: 0 }, ["amount"]],
    ["a cent more than was authorised", { amount: 100.01 }, ["amount"]],
    ["a part of a cent", { amount: 1.001 }, ["amount"]],
    ["less than nothing", { amount: -1 }, ["amount"]],
  ])("takes no capture of %s, and the acquirer is not asked", async (_name, body, fields) => {
    held ??= authorized();
    const { id, reference } = await held;

    expect(await refusalOf(capture(id, body))).toMatchObject({ reason: "INVALID_ARGUMENT", fields });
    expect(await world.outside.moved(reference)).toEqual([]);
    expect(await callsOf(world, id)).not.toContain("send capture: CAPTURED");
  });

  it.each<[string, object, string[]]>([
    ["nothing", { amount: 0 }, ["amount"]],
    ["a cent more than is left", { amount: 60.01 }, ["amount"]],
    ["a part of a cent", { amount: 1.001 }, ["amount"]],
    ["no id", { externalRefundId: undefined }, ["externalRefundId"]],
    ["a reason without end", { reason: "x".repeat(256) }, ["reason"]],
  ])("takes no refund of %s", async (_name, body, fields) => {
    given ??= captured().then(async (found) => {
      await insistent(() => refund(found.id, `${found.id}-1`, { amount: 40 }));
      return found;
    });
    const { id, reference } = await given;

    expect(await refusalOf(refund(id, `${id}-2`, body))).toMatchObject({ reason: "INVALID_ARGUMENT", fields });
    expect(await world.outside.moved(reference)).toEqual(["CAPTURE 10000 USD", "REFUND 4000 USD"]);
  });

  it("is STATE_CONFLICT where the payment does not allow it, with what it allows", async () => {
    const [open, taken, ended] = [await authorized(), await captured(), await authorized()];
    await insistent(() => cancel(ended.id));
    const refusals = [
      await refusalOf(refund(open.id, "r-open")),
      await refusalOf(cancel(taken.id)),
      await refusalOf(capture(taken.id, { amount: 50 })),
      await refusalOf(capture(ended.id)),
      await refusalOf(refund(ended.id, "r-ended")),
    ];

    expect(refusals.map((one) => [one?.reason, one?.details["status"], one?.details["allowed"]])).toEqual([
      ["STATE_CONFLICT", "AUTHORIZED", ["capture", "void"]],
      ["STATE_CONFLICT", "CAPTURED", ["refund"]],
      ["STATE_CONFLICT", "CAPTURED", ["refund"]],
      ["STATE_CONFLICT", "VOIDED", []],
      ["STATE_CONFLICT", "VOIDED", []],
    ]);
  });

  it("gets its first answer again, byte for byte, at every replica, and moves nothing a second time", async () => {
    const { id, reference } = await authorized();
    const other = await authorized();
    const firsts = [
      await insistent(() => capture(id, { amount: 70 })),
      await insistent(() => refund(id, `${id}-r`, { amount: 30, reason: "wrong size" })),
      await insistent(() => cancel(other.id)),
    ];

    const again = [
      await capture(id, { amount: 70 }, 1),
      await refund(id, `${id}-r`, { amount: 30, reason: "wrong size" }, 1),
      await cancel(other.id, 1),
    ];

    expect(again.map(textOfAction)).toEqual(firsts.map(textOfAction));
    expect(firsts.map(({ replayed }) => replayed)).toEqual([false, false, false]);
    expect(again.map(({ replayed }) => replayed)).toEqual([true, true, true]);
    expect(await world.outside.moved(reference)).toEqual(["CAPTURE 7000 USD", "REFUND 3000 USD"]);
    expect(await postedOf(world, id)).toEqual(["capture 7000", "refund 3000"]);
  });

  it("keeps its first answer as it was, whatever becomes of the facts that it was made of", async () => {
    const { id } = await authorized();
    const capturing = await insistent(() => capture(id, { amount: 70 }));
    const refunding = await insistent(() => refund(id, `${id}-r`, { amount: 30 }));
    const payments = world.mongo.connection.collection("payments");
    const later = { "pull.authCode": "LATER", "pull.capturedAt": new Date("2031-01-01"), "pull.capturedMinor": 6_999n };
    await payments.updateOne({ tenant: demo, externalId: id }, { $set: { ...later, "refunds.0.minor": 2_999n } });

    expect(textOfAction(await capture(id, { amount: 70 }, 1))).toBe(textOfAction(capturing));
    expect(textOfAction(await refund(id, `${id}-r`, { amount: 30 }, 1))).toBe(textOfAction(refunding));
    expect(await refusalOf(capture(id, { amount: 69.99 }))).toMatchObject({ reason: "STATE_CONFLICT" });
  });

  it("has its first answer written by whoever asks first, when nobody lived to write it down", async () => {
    const { id } = await authorized();
    const first = await insistent(() => cancel(id));
    const payments = world.mongo.connection.collection("payments");
    await payments.updateOne({ tenant: demo, externalId: id }, { $unset: { actions: "" } });

    const again = await Promise.all(([0, 1, 0, 1] as const).map((replica) => cancel(id, replica)));

    expect(new Set([first, ...again].map(textOfAction)).size).toBe(1);
    expect(again.every(({ replayed }) => replayed)).toBe(true);
    const stored = await payments.findOne({ tenant: demo, externalId: id });
    expect(Object.keys(Object(stored?.["actions"]))).toEqual(["void"]);
  });

  it("keeps the reason of a refund sealed, wherever it is written down", async () => {
    const { id } = await captured();
    const asked = { amount: 1, reason: "confidential words" };
    const first = await insistent(() => refund(id, `${id}-r`, asked));
    const stored = await world.mongo.connection.collection("payments").findOne({ tenant: demo, externalId: id });

    expect(json(first)).toMatchObject({ reason: "confidential words" });
    expect(json(await refund(id, `${id}-r`, asked, 1))).toMatchObject({ reason: "confidential words" });
    const record = await recordOf(world, id);
    expect(record?.history.map(({ description }) => description)).toContain("confidential words");
    expect(Object.keys(Object(stored?.["actions"]))).toHaveLength(2);
    expect(JSON.stringify(stored, (_name, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
      "confidential",
    );
  });

  it("has no answer in a form that nobody renders", async () => {
    const { id } = await authorized();
    const asked = { ...captureOf(named(id)), answerForm: 2 };

    expect(await refusalOf(world.replicas[0].capturePayment(asked))).toMatchObject({
      reason: "INVALID_ARGUMENT",
      fields: ["answerForm"],
    });
    expect((await recordOf(world, id))?.transactionState).toBe("PaymentAuthorized");
  });

  it("finds a refund's id taken by other content, and by another payment", async () => {
    const [one, two] = [await captured(), await captured()];
    const refundId = `${one.id}-r`;
    await insistent(() => refund(one.id, refundId, { amount: 10, reason: "a" }));

    const refusals = [
      await refusalOf(refund(one.id, refundId, { amount: 10.5, reason: "a" })),
      await refusalOf(refund(one.id, refundId, { reason: "b" })),
      await refusalOf(refund(two.id, refundId, { amount: 10, reason: "a" }, 1)),
    ];

    expect(refusals.map((found) => [found?.reason, found?.details["fields"]])).toEqual([
      ["IDEMPOTENCY_CONFLICT", ["amount"]],
      ["IDEMPOTENCY_CONFLICT", ["amount", "reason"]],
      ["IDEMPOTENCY_CONFLICT", ["externalPaymentId"]],
    ]);
    expect(await world.outside.moved(two.reference)).toEqual(["CAPTURE 10000 USD"]);
  });

  it("wins alone against its rivals at two replicas: a capture or a void, and one refund of all that is left", async () => {
    for (let race = 0; race < 4; race += 1) {
      const { id, reference } = await authorized();

      const ends = await Promise.all([
        refusalOf(insistent(() => capture(id, {}, 0))),
        refusalOf(insistent(() => cancel(id, 1))),
        refusalOf(insistent(() => capture(id, {}, 1))),
        refusalOf(insistent(() => cancel(id, 0))),
      ]);

      const isCaptured = (await recordOf(world, id))?.status === "CAPTURED";
      const won = isCaptured ? [0, 2] : [1, 3];
      ends.forEach((end, index) => {
        expect(end?.reason).toBe(won.includes(index) ? undefined : "STATE_CONFLICT");
      });
      expect(await world.outside.moved(reference)).toEqual(isCaptured ? ["CAPTURE 10000 USD"] : []);
    }
    const { id, reference } = await captured();

    const ends = await Promise.all(
      [0, 1, 0, 1].map((replica, index) =>
        refusalOf(insistent(() => refund(id, `${id}-${index}`, {}, replica as Which))),
      ),
    );

    expect(ends.filter((end) => end === undefined)).toHaveLength(1);
    expect(await world.outside.moved(reference)).toEqual(["CAPTURE 10000 USD", "REFUND 10000 USD"]);
    expect((await recordOf(world, id))?.refundedMinor).toBe(10_000n);
  });

  it("is carried out once by copies that come at once to two replicas, and all get one answer", async () => {
    const { id, reference } = await captured();

    const answers = await Promise.all(
      [0, 1, 0, 1, 0, 1].map((replica) => insistent(() => refund(id, `${id}-r`, { amount: 25 }, replica as Which))),
    );

    expect(new Set(answers.map(textOfAction)).size).toBe(1);
    expect(await world.outside.moved(reference)).toEqual(["CAPTURE 10000 USD", "REFUND 2500 USD"]);
  });

  const lies: readonly (readonly [string, object])[] = [
    ["is lost, once it was carried out", { answer: { kind: "lost" } }],
    ["is HTML, once it was carried out", { answer: { kind: "html" } }],
    ["is cut in half, once it was carried out", { answer: { kind: "truncated" } }],
    ["is an empty 200, once it was carried out", { answer: { kind: "empty" } }],
    ["is an empty 200, and nothing was done", { execute: false, answer: { status: 200, body: "" } }],
    ["is about another order", { answer: { kind: "other-reference" } }],
    ["is in another currency", { answer: { kind: "wrong-currency" } }],
    ["is 409", { execute: false, answer: { status: 409, body: { error: "key_in_use" } } }],
    ["is 429", { execute: false, answer: { status: 429, body: { error: "slow_down" } } }],
    ["is 503", { execute: false }],
  ];
  it.each(lies)(
    "is UNAVAILABLE while the acquirer's answer %s; the same call then moves the money once",
    async (_name, fault) => {
      const { id, reference } = await authorized();
      await lie("capture", fault);
      const first = await refusalOf(capture(id, { amount: 80 }));
      const answer = await insistent(() => capture(id, { amount: 80 }, 1));
      await lie("refund", fault);
      const second = await refusalOf(refund(id, `${id}-r`, { amount: 20 }, 1));
      const back = await insistent(() => refund(id, `${id}-r`, { amount: 20 }));

      // A sweep may have found out before the caller was refused.
      expect([undefined, "UNAVAILABLE"]).toContain(first?.reason);
      expect([undefined, "UNAVAILABLE"]).toContain(second?.reason);
      expect(json(answer)).toMatchObject({ status: "CAPTURED" });
      expect(json(back)).toHaveProperty("externalRefundId", `${id}-r`);
      expect(await world.outside.moved(reference)).toEqual(["CAPTURE 8000 USD", "REFUND 2000 USD"]);
      expect(await postedOf(world, id)).toEqual(["capture 8000", "refund 2000"]);
      expect(await casesOf(world, reference)).toEqual([]);
    },
  );

  it("posts what the acquirer has really captured, and tells a person when that is not what was asked for", async () => {
    const { id, reference } = await authorized();
    await lie("capture", { effect: { amount: "60.00" } });

    await refusalOf(insistent(() => capture(id)));

    expect(await world.outside.moved(reference)).toEqual(["CAPTURE 6000 USD"]);
    expect(await postedOf(world, id)).toEqual(["capture 6000"]);
    expect(await casesOf(world, reference)).toHaveLength(1);
  });

  it("is finished by the other replica when its own dies while the acquirer works", async () => {
    const { id, reference } = await authorized();
    await lie("capture", { delayMs: 1_900 });
    const call = refusalOf(capture(id));
    await until(
      () => world.outside.moved(reference),
      (moved) => moved.length === 1,
    );
    const restore = await world.cutOff(0);

    const told = await call;
    const state = await reaches(world, id, "Completed");
    await restore();
    const again = await insistent(() => capture(id, {}, 1));

    expect(told?.reason).toBe("UNAVAILABLE");
    expect(state).toBe("Completed");
    expect(json(again)).toMatchObject({ status: "CAPTURED" });
    expect(await world.outside.moved(reference)).toEqual(["CAPTURE 10000 USD"]);
    expect(await postedOf(world, id)).toEqual(["capture 10000"]);
    expect((await callsOf(world, id)).filter((one) => one.startsWith("send capture"))).toEqual([]);
  });
});
