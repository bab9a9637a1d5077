import { randomUUID } from "node:crypto";
import {
  CaseKind,
  CaseState,
  DifferenceClass,
  PaymentLeg,
  type StatementDifference,
} from "../../../proto/gen/corridor/payment/v1/case_service";
import { cardPullBody, cardSource, pullPushBody } from "../../support/payment-bodies";
import { casesOf, insistent, reaches } from "./looks";
import { signedCallback } from "./outside";
import { type PaymentWorld, startPaymentWorld } from "./payment-world";

describe("another service's report", () => {
  let world: PaymentWorld;

  beforeAll(async () => {
    world = await startPaymentWorld();
  }, 120_000);
  afterAll(() => world.stop());

  const caseOf = async (caseId: string) => (await insistent(() => world.replicas[1].getCase({ caseId }))).case;
  /** Accepts a payment, and returns its id once it has ended. */
  const ended = async (body: Record<string, unknown>): Promise<string> => {
    const { text } = await world.accept(world.replicas[0], body);
    await reaches(world, String(body["externalPaymentId"]), "Completed");
    return (JSON.parse(text ?? "{}") as { paymentId: string }).paymentId;
  };
  const report = (
    key: string,
    over: { paymentIds?: string[]; reference?: string; difference?: StatementDifference } = {},
    replica = 0,
  ) =>
    insistent(() =>
      (world.replicas[replica] ?? world.replicas[0]).openCase({
        key,
        kind: CaseKind.RECONCILIATION_BREAK,
        tenant: "",
        provider: "acquirer",
        paymentIds: [],
        reference: "",
        amounts: [],
        text: `a line without an entry, ${key}`,
        evidence: "",
        ...over,
      }),
    );
  const openOf = async (reference: string) =>
    (await casesOf(world, reference)).filter(({ state }) => state === CaseState.OPEN);

  it("joins the open case of the payment that it concerns, once for each key, whoever sends it again", async () => {
    const reference = await ended(cardPullBody("1"));
    await world.outside.act({ provider: "acquirer", reference, act: "CHARGEBACK", amount: "30.00", isSilent: true });
    const news = signedCallback("acquirer", { reference, status: "CAPTURED" });
    await insistent(() => world.replicas[0].receiveCallback(news));
    const [{ caseId } = { caseId: "none" }] = await openOf(reference);
    const keys = [`reconciliation/${reference}/1`, `reconciliation/${reference}/2`];

    const opened = await Promise.all(
      [...keys, ...keys].map((key, index) => report(key, { paymentIds: [reference] }, index % 2)),
    );
    expect(opened.map((one) => one.caseId)).toEqual([caseId, caseId, caseId, caseId]);
    const joined = await caseOf(caseId);
    expect(joined?.kinds).toEqual(expect.arrayContaining([CaseKind.RECONCILIATION_BREAK]));
    expect(joined?.kinds.length).toBeGreaterThan(1);
    const texts = keys.map((key) => `a line without an entry, ${key}`);
    expect(
      joined?.notes
        .map(({ text }) => text)
        .filter((text) => texts.includes(text))
        .sort(),
    ).toEqual(texts);
    expect(await openOf(reference)).toHaveLength(1);

    await insistent(() =>
      world.replicas[0].commandCase({
        caseId,
        commandId: randomUUID(),
        author: "olga",
        approver: "pia",
        note: "looked at it",
        evidence: "",
        command: { $case: "close", value: {} },
      }),
    );
    expect(await report(keys[0] ?? "", { paymentIds: [reference] }, 1)).toEqual({ caseId, state: CaseState.CLOSED });
    expect(await openOf(reference)).toEqual([]);
  });

  it("opens the case of the payment that its reference names", async () => {
    const paymentId = await ended(await world.push());
    const { caseId } = await report(`reconciliation/line/${paymentId}`, { reference: paymentId });
    expect((await caseOf(caseId))?.paymentIds).toEqual([paymentId]);
    expect(await openOf(paymentId)).toHaveLength(1);
    const other = await report(`reconciliation/other/${paymentId}`, { reference: paymentId }, 1);
    expect(other.caseId).toBe(caseId);
  });

  it("returns the case that it has opened alone, once its payment can be found", async () => {
    const paymentId = await ended(await world.push());
    const key = `reconciliation/early/${paymentId}`;
    const early = await report(key, { reference: "not yet known" });

    expect((await report(key, { paymentIds: [paymentId] }, 1)).caseId).toBe(early.caseId);
    expect(await openOf(paymentId)).toEqual([]);
  });

  /** A difference of a movement that only our account has. */
  const difference = (breakId: string, over: Partial<StatementDifference> = {}): StatementDifference => ({
    breakId,
    class: DifferenceClass.MISSING_THERE,
    provider: "acquirer",
    reference: breakId,
    leg: PaymentLeg.UNSPECIFIED,
    ours: { amountMinor: -10_000n, currency: "USD" },
    theirs: undefined,
    lineIds: [],
    entryIds: [],
    foundAt: new Date("2026-01-02T03:04:05Z"),
    ...over,
  });
  const differencesOf = async (caseId: string) => (await caseOf(caseId))?.differences;

  it("has its amounts, lines and entries in fields of the case, once for each key", async () => {
    const reference = await ended(await world.push());
    const found = difference(`pix/${reference}`, { leg: PaymentLeg.PAYOUT, lineIds: ["l-1"], entryIds: ["e-1"] });
    const over = { reference, difference: found };
    const { caseId } = await report(`reconciliation/typed/${reference}`, over);
    await report(`reconciliation/typed/${reference}`, over, 1);
    expect(await differencesOf(caseId)).toEqual([found]);
    const { cases } = await insistent(() =>
      world.replicas[1].listCases({
        state: CaseState.OPEN,
        kind: CaseKind.RECONCILIATION_BREAK,
        tenant: "",
        provider: "",
        paymentId: reference,
        limit: 10,
      }),
    );
    expect(cases.map(({ differences }) => differences)).toEqual([[found]]);

    const alone = await report(`reconciliation/alone/${reference}`, {
      reference: "the rail's own text",
      difference: difference("pix/alone"),
    });
    expect(await differencesOf(alone.caseId)).toEqual([difference("pix/alone")]);
    const broken = difference("", { class: DifferenceClass.UNSPECIFIED, foundAt: undefined });
    await expect(report(`reconciliation/broken/${reference}`, { difference: broken })).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
      violations: [{ field: "difference.breakId" }, { field: "difference.class" }, { field: "difference.foundAt" }],
    });
  });

  it("belongs to the leg that the lines or our entries name, also where its provider serves the other leg", async () => {
    const reference = await ended(pullPushBody(cardSource("1")));
    const payments = world.mongo.connection.collection<{ _id: string; facts: { id: string; kind: string }[] }>(
      "payments",
    );
    const facts = (await payments.findOne({ _id: reference }))?.facts ?? [];
    const entryOf = (kind: string): string => facts.find((fact) => fact.kind === kind)?.id ?? kind;
    const legOf = async (breakId: string, over: Partial<StatementDifference>) => {
      const reported = { paymentIds: [reference], difference: difference(breakId, over) };
      const { caseId } = await report(`reconciliation/${breakId}/${reference}`, reported);
      return (await differencesOf(caseId))?.find((one) => one.breakId === breakId)?.leg;
    };

    expect(await legOf("nothing", {})).toBe(PaymentLeg.PULL);
    expect(await legOf("line of the payout", { leg: PaymentLeg.PAYOUT })).toBe(PaymentLeg.PAYOUT);
    expect(await legOf("entry of the payout", { entryIds: [entryOf("PAID")] })).toBe(PaymentLeg.PAYOUT);
    expect(await legOf("entry of the collection", { entryIds: [entryOf("CAPTURED")] })).toBe(PaymentLeg.PULL);
  });

  it("opens a case alone, where its reference is no payment's or it concerns several", async () => {
    const reference = await ended(await world.push());
    const stray = await report(`reconciliation/stray/${reference}`, { reference: "the rail's own text" });
    const both = await report(`reconciliation/both/${reference}`, { paymentIds: [reference, randomUUID()] });
    expect((await caseOf(stray.caseId))?.paymentIds).toEqual([]);
    expect((await caseOf(both.caseId))?.paymentIds).toHaveLength(2);
    expect(both.caseId).not.toBe(stray.caseId);
  });
});
