import { randomUUID } from "node:crypto";
import {
  BegunStep,
  CaseKind,
  CaseState,
  type CommandCaseRequest,
  FactKind,
} from "../../../proto/gen/corridor/payment/v1/case_service";
import { cardPullBody } from "../../support/payment-bodies";
import { until } from "../../support/platform-client";
import { casesOf, insistent, postedOf, reaches, recordOf, refusalOf } from "./looks";
import { signedCallback } from "./outside";
import { type PaymentWorld, startPaymentWorld } from "./payment-world";

type Which = 0 | 1;
type Command = NonNullable<CommandCaseRequest["command"]>;

const assign = (owner: string): Command => ({ $case: "assign", value: { owner } });
const posting = (account: string) => ({ account, currency: "USD", minor: 1n });
const close: Command = { $case: "close", value: {} };
const ask: Command = { $case: "askProvider", value: { paymentId: "" } };
const refund = (amountMinor: bigint): Command => ({
  $case: "beginStep",
  value: { step: BegunStep.REFUND, amount: { amountMinor, currency: "USD" }, paymentId: "" },
});

describe("an operator's command on a case", () => {
  let world: PaymentWorld;
  /** A completed pull of 100 USD of which the cardholder's bank has taken back 30, and the case about that. */
  const charged = async (): Promise<{ id: string; reference: string; caseId: string }> => {
    const body = cardPullBody("1");
    const { text } = await world.accept(world.replicas[0], body);
    const { paymentId: reference } = JSON.parse(text ?? "{}") as { paymentId: string };
    const id = String(body["externalPaymentId"]);
    await reaches(world, id, "Completed");
    await world.outside.act({ provider: "acquirer", reference, act: "CHARGEBACK", amount: "30.00", isSilent: true });
    const news = signedCallback("acquirer", { reference, status: "CAPTURED" });
    await insistent(() => world.replicas[0].receiveCallback(news));
    const [found] = await casesOf(world, reference);
    return { id, reference, caseId: found?.caseId ?? "" };
  };
  /** One for all that changes nothing. */
  let common: ReturnType<typeof charged> | undefined;
  const command = (caseId: string, what: Command, changes: Partial<CommandCaseRequest> = {}, replica: Which = 0) =>
    world.replicas[replica].commandCase({
      caseId,
      commandId: randomUUID(),
      author: "olga",
      approver: "pia",
      note: "looked at it",
      evidence: "",
      command: what,
      ...changes,
    });
  const caseOf = async (caseId: string) => (await insistent(() => world.replicas[1].getCase({ caseId }))).case;

  beforeAll(async () => {
    world = await startPaymentWorld();
  }, 120_000);
  afterEach(() => world.outside.clearFaults());
  afterAll(() => world.stop());

  it.each<[string, Partial<CommandCaseRequest>, string[]]>([
    ["without an id", { commandId: "" }, ["commandId"]],
    ["without an author and a note", { author: " ", note: "" }, ["author", "note"]],
    ["with a note without end", { note: "x".repeat(2_001) }, ["note"]],
    ["without a command", { command: undefined }, ["command"]],
    [
      "that settles a step without evidence",
      {
        command: {
          $case: "settleStep",
          value: { kind: FactKind.VOIDED, amount: undefined, movementId: "", paymentId: "" },
        },
      },
      ["evidence"],
    ],
    [
      "that posts what does not add up",
      {
        command: {
          $case: "postCorrection",
          value: { postings: [posting("platform/suspense"), posting("platform/fx")] },
        },
      },
      ["postCorrection.postings"],
    ],
    ["that gives back more than was collected", { command: refund(7_001n) }, ["beginStep.amount"]],
    ["that gives back nothing", { command: refund(0n) }, ["beginStep.amount"]],
  ])("is refused %s, and the case stays as it is", async (_name, changes, fields) => {
    common ??= charged();
    const { caseId, reference } = await common;
    const before = await caseOf(caseId);

    expect(await refusalOf(command(caseId, close, changes))).toMatchObject({ reason: "INVALID_ARGUMENT", fields });
    expect(await caseOf(caseId)).toEqual(before);
    expect(await world.outside.moved(reference)).toEqual(["CAPTURE 10000 USD", "CHARGEBACK 3000 USD"]);
  });

  it("corrects the books once, as the payment's own entry, which the statement of its provider then matches", async () => {
    const { reference, caseId } = await charged();
    const postings = [
      { account: "provider/acquirer/clearing", currency: "USD", minor: 500n },
      { account: "platform/suspense", currency: "USD", minor: -500n },
    ];
    const commandId = randomUUID();
    const correct = (replica: Which) =>
      insistent(() => command(caseId, { $case: "postCorrection", value: { postings } }, { commandId }, replica));
    await Promise.all([correct(0), correct(1)]);

    const eventsOf = async (collection: string, _id: string) => {
      const records = world.mongo.connection.collection<{
        _id: string;
        events: { moved?: string; postings?: object[] }[];
      }>(collection);
      const { events = [] } = (await records.findOne({ _id })) ?? {};
      return events.flatMap(({ moved, postings: posted }) => (moved === "correction" ? [posted] : []));
    };
    expect(await eventsOf("payments", reference)).toEqual([postings]);
    expect((await caseOf(caseId))?.notes.at(-1)).toMatchObject({ command: "postCorrection", author: "olga" });
    const cases = world.mongo.connection.collection<{ _id: string; events: object[] }>("cases");
    expect((await cases.findOne({ _id: caseId }))?.events ?? []).toEqual([]);
  });

  it("is refused about no case, by a payment of nobody, and once the case is closed", async () => {
    const { caseId } = await charged();
    const repoint: Command = { $case: "repointFact", value: { paymentId: randomUUID() } };
    const refusals = [
      await refusalOf(command(randomUUID(), close)),
      await refusalOf(command(caseId, repoint)),
      await refusalOf(insistent(() => command(caseId, close))),
      await refusalOf(command(caseId, assign("olga"))),
    ];

    expect(refusals.map((one) => one?.reason)).toEqual([
      "RECORD_NOT_FOUND",
      "PAYMENT_NOT_FOUND",
      undefined,
      "STATE_CONFLICT",
    ]);
    expect((await caseOf(caseId))?.state).toBe(CaseState.CLOSED);
  });

  it("is carried out once: copies at two replicas give back once, and other content under its id is refused", async () => {
    const { id, caseId, reference } = await charged();
    const commandId = randomUUID();

    await Promise.all(
      ([0, 1, 0, 1] as const).map((replica) =>
        insistent(() => command(caseId, refund(2_000n), { commandId }, replica)),
      ),
    );
    await until(
      () => postedOf(world, id),
      (posted) => posted.length === 3,
    );
    await insistent(() => command(caseId, refund(2_000n), { commandId }, 1));
    const other = await refusalOf(command(caseId, refund(2_001n), { commandId }));

    expect(other).toMatchObject({ reason: "IDEMPOTENCY_CONFLICT" });
    expect(await world.outside.moved(reference)).toEqual([
      "CAPTURE 10000 USD",
      "CHARGEBACK 3000 USD",
      "REFUND 2000 USD",
    ]);
    expect(await postedOf(world, id)).toEqual(["capture 10000", "chargeback 3000", "refund 2000"]);
    expect((await caseOf(caseId))?.notes.filter(({ command: name }) => name === "beginRefund")).toHaveLength(1);
  });

  it("is another one on a later case of its payment, whatever id its operator gave it: each gives back what it says", async () => {
    const { id, caseId, reference } = await charged();
    const commandId = randomUUID();
    await command(caseId, refund(2_000n), { commandId });
    await until(
      () => postedOf(world, id),
      (posted) => posted.length === 3,
    );
    await command(caseId, close);
    await world.outside.act({ provider: "acquirer", reference, act: "CHARGEBACK", amount: "5.00", isSilent: true });
    const news = signedCallback("acquirer", { reference, status: "CAPTURED" });
    await insistent(() => world.replicas[0].receiveCallback(news));
    const later = (await casesOf(world, reference)).find((one) => one.caseId !== caseId)?.caseId ?? "";

    await command(later, refund(2_000n), { commandId }, 1);
    await until(
      () => postedOf(world, id),
      (posted) => posted.length === 5,
    );

    expect((await world.outside.moved(reference)).filter((one) => one.startsWith("REFUND"))).toEqual([
      "REFUND 2000 USD",
      "REFUND 2000 USD",
    ]);
  });

  it("wins against its rivals or is refused: all that is left goes back once", async () => {
    const { id, caseId, reference } = await charged();

    const ends = await Promise.all(
      ([0, 1, 0, 1] as const).map((replica) =>
        refusalOf(insistent(() => command(caseId, refund(7_000n), {}, replica))),
      ),
    );
    await until(
      () => postedOf(world, id),
      (posted) => posted.length === 3,
    );

    expect(ends.filter((end) => end === undefined)).toHaveLength(1);
    for (const end of ends) expect([undefined, "STATE_CONFLICT", "INVALID_ARGUMENT"]).toContain(end?.reason);
    expect((await world.outside.moved(reference)).filter((one) => one.startsWith("REFUND"))).toEqual([
      "REFUND 7000 USD",
    ]);
  });

  it("on a case that is not its payment's own leaves a case that can be read, whoever's key sealed the proof", async () => {
    const body = await world.push();
    const { text } = await world.accept(world.replicas[0], body);
    const { paymentId } = JSON.parse(text ?? "{}") as { paymentId: string };
    await reaches(world, String(body["externalPaymentId"]), "Completed");
    const found = await insistent(() =>
      world.replicas[0].openCase({
        key: `reconciliation/${paymentId}`,
        kind: CaseKind.RECONCILIATION_BREAK,
        tenant: "",
        provider: "pix",
        paymentIds: [paymentId, randomUUID()],
        amounts: [],
        text: "a line without an entry",
        evidence: "line 6",
        reference: "",
      }),
    );
    const amount = { amountMinor: 100n, currency: "BRL" };
    const returned: Command = {
      $case: "settleStep",
      value: { kind: FactKind.PAYOUT_RETURNED, amount, movementId: "m-1", paymentId },
    };

    await command(found.caseId, returned, { evidence: "line 7" });
    const proofs = (await caseOf(found.caseId))?.notes.map(({ evidence }) => evidence);
    await command(found.caseId, close);

    expect(proofs).toEqual(["line 6", "line 7"]);
    expect((await caseOf(found.caseId))?.state).toBe(CaseState.CLOSED);
  });

  it("has every assignment in its notes, also of rivals", async () => {
    const { caseId } = await charged();

    await Promise.all(
      ["a", "b", "c", "d"].map((owner, index) =>
        insistent(() => command(caseId, assign(owner), {}, index % 2 === 0 ? 0 : 1)),
      ),
    );

    const found = await caseOf(caseId);
    expect(found?.notes.filter(({ command: name }) => name === "assign")).toHaveLength(4);
    expect(["a", "b", "c", "d"]).toContain(found?.owner);
  });

  it.each<[string, object]>([
    ["HTML", { answer: { kind: "html" } }],
    ["an empty 200", { answer: { kind: "empty" } }],
    ["about another order", { answer: { kind: "other-reference" } }],
    ["503", { execute: false }],
  ])("to ask the provider believes no lie: %s", async (_name, fault) => {
    const { id, caseId, reference } = await charged();
    await world.outside.act({ provider: "acquirer", reference, act: "REFUND", amount: "5.00", isSilent: true });
    await world.outside.fault({ provider: "acquirer", step: "query", times: 1, ...fault });

    await insistent(() => command(caseId, ask));
    const early = await postedOf(world, id);
    await insistent(() => command(caseId, ask, {}, 1));

    expect(early).toEqual(["capture 10000", "chargeback 3000"]);
    expect(await postedOf(world, id)).toEqual(["capture 10000", "chargeback 3000", "refund 500"]);
  });

  it("changes the case and its payment, or neither, when the store goes away", async () => {
    const { id, caseId, reference } = await charged();
    const [commandId, before] = [randomUUID(), await recordOf(world, id)];
    const restore = await world.cutOff(0);

    const refused = await refusalOf(command(caseId, refund(1_000n), { commandId }));
    const [notes, record] = [(await caseOf(caseId))?.notes.length, await recordOf(world, id)];
    await restore();
    await insistent(() => command(caseId, refund(1_000n), { commandId }));
    await until(
      () => postedOf(world, id),
      (posted) => posted.length === 3,
    );

    expect(refused).toMatchObject({ reason: "UNAVAILABLE" });
    expect(record).toEqual(before);
    expect((await caseOf(caseId))?.notes).toHaveLength((notes ?? 0) + 1);
    expect((await world.outside.moved(reference)).filter((one) => one.startsWith("REFUND"))).toEqual([
      "REFUND 1000 USD",
    ]);
  });

  it("is finished by the other replica when its own dies while the acquirer gives back", async () => {
    const { id, caseId, reference } = await charged();
    await world.outside.fault({ provider: "acquirer", step: "refund", times: 1, delayMs: 1_900 });
    await insistent(() => command(caseId, refund(1_000n)));
    await until(
      () => world.outside.moved(reference),
      (moved) => moved.length === 3,
    );
    const restore = await world.cutOff(0);

    const posted = await until(
      () => postedOf(world, id),
      (found) => found.length === 3,
    );
    await restore();

    expect(posted).toEqual(["capture 10000", "chargeback 3000", "refund 1000"]);
    expect((await world.outside.moved(reference)).filter((one) => one.startsWith("REFUND"))).toEqual([
      "REFUND 1000 USD",
    ]);
  });
});
