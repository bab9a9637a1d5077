import { randomUUID } from "node:crypto";
import { CaseKind, CaseState } from "../../../proto/gen/corridor/payment/v1/case_service";
import { until } from "../../support/platform-client";
import { callsOf, casesOf, insistent, postedOf, reaches, recordOf, refusalOf } from "./looks";
import { callbackSecretOf, centsOf, signedCallback } from "./outside";
import { type PaymentWorld, startPaymentWorld } from "./payment-world";

type Json = Record<string, unknown>;

/** To a question: the result is not known. */
const silence = { status: 404, body: "no such route" };

describe("a provider's callback", () => {
  let world: PaymentWorld;
  const idOf = (body: Json): string => String(body["externalPaymentId"]);
  const call = (signed: ReturnType<typeof signedCallback>, replica: 0 | 1 = 0) =>
    world.replicas[replica].receiveCallback(signed);
  /** A push whose release the rail has taken and not answered yet; `reference` is its payment's id. */
  const released = async (): Promise<{ id: string; reference: string; amount: string }> => {
    const body = await world.push();
    const mark = randomUUID().slice(0, 8);
    const marked = { ...body, additionalData: { statementNarrative: `FAULT:${mark}` } };
    await world.outside.fault({ provider: "pix", step: "query", mark, answer: silence });
    const { text } = await world.accept(world.replicas[0], marked);
    const { paymentId } = JSON.parse(text ?? "{}") as { paymentId: string };
    await reaches(world, idOf(body), "WaitingPayout");
    const amount = String((await world.outside.book("instructions", paymentId))?.["amount"]);
    return { id: idOf(body), reference: paymentId, amount };
  };
  const paid = (reference: string, amount: string, changes: object = {}): object => ({
    reference,
    railId: "R1",
    status: "PAID",
    movementId: `m-${reference}`,
    amount,
    currency: "BRL",
    ...changes,
  });

  beforeAll(async () => {
    world = await startPaymentWorld();
  }, 120_000);
  afterAll(() => world.stop());

  it("is refused unless its own provider has signed it, now, and moves nothing", async () => {
    const { id, reference, amount } = await released();
    const report = paid(reference, amount);
    const good = signedCallback("pix", report);
    const others = [
      signedCallback("pix", report, { secret: callbackSecretOf("bank") }),
      signedCallback("pix", report, { as: "bank" }),
      signedCallback("pix", report, { ageSeconds: 600 }),
      signedCallback("pix", report, { ageSeconds: -600 }),
      { ...good, signature: "" },
      { ...good, signature: good.signature.replace(/v1=.*/, `v1=${"0".repeat(64)}`) },
      { ...good, signature: good.signature.replace(/id=[^,]*/, `id=${randomUUID()}`) },
      { ...good, body: Buffer.concat([good.body, Buffer.from(" ")]) },
      { ...good, rail: "bank" },
    ];

    const refusals = [];
    for (const other of others) refusals.push((await refusalOf(call(other)))?.reason);

    expect(refusals).toEqual(others.map(() => "UNAUTHENTICATED"));
    expect(await postedOf(world, id)).toEqual([]);
    expect((await recordOf(world, id))?.transactionState).toBe("WaitingPayout");
  });

  it("of the acquirer about no payment keeps the money that it lists, once, in a case", async () => {
    const reference = randomUUID();
    const movement = {
      reference: "c",
      movementId: "m1",
      amount: "12.50",
      currency: "USD",
      at: new Date().toISOString(),
    };
    const report = signedCallback("acquirer", {
      reference,
      status: "CAPTURED",
      currency: "USD",
      captures: [movement, { ...movement, movementId: "m2", amount: "0.00" }],
    });
    await call(report);
    await call(report, 1);

    const filter = { kind: CaseKind.UNKNOWN_REFERENCE, state: CaseState.OPEN, tenant: "", provider: "acquirer" };
    const { cases } = await world.replicas[0].listCases({ ...filter, paymentId: "", limit: 200, after: undefined });
    expect(cases.map(({ amounts }) => amounts)).toEqual([[{ amountMinor: 1_250n, currency: "USD" }]]);
  });

  it("that is dated far ahead, and that its provider does not show, is kept in a case at once", async () => {
    const { reference, amount } = await released();
    const occurredAt = "2099-01-01T00:00:00.000Z";
    await call(signedCallback("pix", { ...paid(reference, amount), movementId: undefined, occurredAt }));

    expect(await casesOf(world, reference)).toEqual([expect.objectContaining({ kinds: [CaseKind.UNEXPECTED_FACT] })]);
  });

  it("that its provider does not show is asked for again, and kept in a case once it is an hour old", async () => {
    const { id, reference, amount } = await released();
    const report = (minutesAgo: number): ReturnType<typeof signedCallback> => {
      const occurredAt = new Date(Date.now() - minutesAgo * 60_000).toISOString();
      return signedCallback("pix", {
        ...paid(reference, amount),
        status: "RETURNED",
        movementId: undefined,
        occurredAt,
      });
    };
    const opened = (): Promise<unknown[]> => casesOf(world, reference);

    expect(await refusalOf(call(report(30)))).toMatchObject({ reason: "UNAVAILABLE" });
    expect(await opened()).toEqual([]);
    const old = report(90);
    await call(old);
    await call(old, 1);

    expect(await opened()).toEqual([expect.objectContaining({ kinds: [CaseKind.UNEXPECTED_FACT] })]);
    expect(await postedOf(world, id)).toEqual([]);
    expect((await recordOf(world, id))?.transactionState).toBe("WaitingPayout");
  });

  it.each<[string, string, string]>([
    ["of no provider", "nobody", "ROUTE_NOT_FOUND"],
    ["of one of another service", "screening", "ROUTE_NOT_FOUND"],
  ])("is refused when it is %s", async (_name, rail, reason) => {
    const signed = { ...signedCallback("pix", paid(randomUUID(), "1.00")), rail };

    expect(await refusalOf(call(signed))).toMatchObject({ reason });
  });

  it.each<[string, string]>([
    ["no JSON", "<html>"],
    ["half of its JSON", '{"reference":"'],
    ["no object", "[]"],
    ["nothing", ""],
    ["no reference", '{"status":"PAID"}'],
    ["no status", '{"reference":"r"}'],
    ["a status that nobody knows", '{"reference":"r","status":"SOMETHING_NEW"}'],
    ["a reference that is no text", '{"reference":{"$gt":""},"status":"PAID"}'],
  ])("is INVALID_ARGUMENT when it is signed and is %s", async (_name, text) => {
    expect(await refusalOf(call(signedCallback("pix", text)))).toMatchObject({ reason: "INVALID_ARGUMENT" });
  });

  it("is taken before the rail has answered, and what it answers then changes nothing", async () => {
    const mark = randomUUID().slice(0, 8);
    const body = { ...(await world.push()), additionalData: { statementNarrative: `FAULT:${mark}` } };
    await world.outside.fault([
      { provider: "pix", step: "release", mark, delayMs: 1_900, times: 1 },
      { provider: "pix", step: "query", mark, answer: silence },
    ]);
    const { text } = await world.accept(world.replicas[0], body);
    const { paymentId } = JSON.parse(text ?? "{}") as { paymentId: string };
    const entry = await until(
      () => world.outside.book("instructions", paymentId),
      (found) => found?.["releases"] === 1,
    );
    const amount = String(entry?.["amount"]);

    await call(signedCallback("pix", paid(paymentId, amount)), 1);
    const early = await recordOf(world, idOf(body));
    await until(
      () => callsOf(world, idOf(body)),
      (calls) => calls.some((one) => one.startsWith("send release")),
      2_500,
    );

    expect(early?.transactionState).toBe("Completed");
    expect(await postedOf(world, idOf(body))).toEqual([`payout ${centsOf(amount)}`]);
    expect(await casesOf(world, paymentId)).toEqual([]);
  });

  it("posts its money once, however often and at whichever replicas it comes", async () => {
    const { id, reference, amount } = await released();
    const report = paid(reference, amount);

    await Promise.all(
      Array.from({ length: 8 }, (_none, index) =>
        insistent(() => call(signedCallback("pix", report), index % 2 === 0 ? 0 : 1)),
      ),
    );
    await call(signedCallback("pix", report));

    expect(await postedOf(world, id)).toEqual([`payout ${centsOf(amount)}`]);
    expect((await recordOf(world, id))?.transactionState).toBe("Completed");
    expect(await casesOf(world, reference)).toEqual([]);
  });

  it("leaves what is posted when it comes again with another amount, and a person is told", async () => {
    const { id, reference, amount } = await released();
    await call(signedCallback("pix", paid(reference, amount)));

    for (const replica of [0, 1] as const) {
      await call(signedCallback("pix", paid(reference, "1.00")), replica);
    }

    expect(await postedOf(world, id)).toEqual([`payout ${centsOf(amount)}`]);
    const [found, ...others] = await casesOf(world, reference);
    expect(others).toEqual([]);
    expect(found?.kinds).toEqual([CaseKind.CONTRADICTION]);
    const caseId = found?.caseId ?? "";
    const { case: whole } = await insistent(() => world.replicas[1].getCase({ caseId }));
    expect(whole?.notes.filter(({ evidence }) => evidence.includes('"amount":"1.00"'))).toHaveLength(1);
  });

  it("posts what was paid when that is not what was asked for, and a person is told", async () => {
    const { id, reference } = await released();

    await call(signedCallback("pix", paid(reference, "7.00")));

    const [found] = await casesOf(world, reference);
    expect(found?.kinds).toContain(CaseKind.AMOUNT_DIFFERS);
    expect(await postedOf(world, id)).toEqual(["payout 700"]);
  });

  it("about a payment of another rail is money of nobody: it waits in suspense, once, and the payment is left alone", async () => {
    const { id, reference, amount } = await released();
    const report = paid(reference, amount);

    await call(signedCallback("bank", report));
    await call(signedCallback("bank", report), 1);

    expect(await postedOf(world, id)).toEqual([]);
    expect((await recordOf(world, id))?.transactionState).toBe("WaitingPayout");
    expect(await strayCases("bank", amount)).toHaveLength(1);
  });

  it("about no payment waits in suspense, once, however often it comes; one that moves nothing is nothing", async () => {
    const report = paid(randomUUID(), "4242.42");

    await Promise.all(
      ([0, 1, 0, 1] as const).map((replica) => insistent(() => call(signedCallback("upi", report), replica))),
    );
    await call(
      signedCallback("upi", { ...report, reference: randomUUID(), status: "PREPARED", movementId: undefined }),
    );

    expect(await strayCases("upi", "4242.42")).toHaveLength(1);
    expect(await allStrays("upi")).toHaveLength(1);
  });

  const allStrays = async (provider: string) =>
    (
      await insistent(() =>
        world.replicas[0].listCases({
          state: CaseState.OPEN,
          kind: CaseKind.UNKNOWN_REFERENCE,
          tenant: "",
          provider,
          paymentId: "",
          after: undefined,
          limit: 50,
        }),
      )
    ).cases;
  const strayCases = async (provider: string, amount: string) =>
    (await allStrays(provider)).filter(({ amounts }) =>
      amounts.some(({ amountMinor }) => String(amountMinor) === centsOf(amount)),
    );

  it("is not acknowledged while the store is away, so that it comes again; and then counts once", async () => {
    const { id, reference, amount } = await released();
    const restore = await world.cutOff(0);

    const refused = await refusalOf(call(signedCallback("pix", paid(reference, amount))));
    const posted = await postedOf(world, id);
    await restore();
    await insistent(() => call(signedCallback("pix", paid(reference, amount))));

    expect(refused).toMatchObject({ reason: "UNAVAILABLE" });
    expect(posted).toEqual([]);
    expect(await postedOf(world, id)).toEqual([`payout ${centsOf(amount)}`]);
  });

  it("of an acquirer that lists no movement is only news: what it says of money is not believed", async () => {
    const report = { reference: randomUUID(), status: "CAPTURED", amount: "1.00", currency: "USD", movementId: "m" };

    await call(signedCallback("acquirer", report));

    expect(await strayCases("acquirer", "1.00")).toEqual([]);
  });
});
