import { randomUUID } from "node:crypto";
import { CaseKind, CaseState, type CommandCaseRequest } from "../../../proto/gen/corridor/payment/v1/case_service";
import { until } from "../../support/platform-client";
import { insistent, postedOf, reaches, refusalOf } from "./looks";
import { signedCallback } from "./outside";
import { type PaymentWorld, startPaymentWorld } from "./payment-world";

type Which = 0 | 1;
type Command = NonNullable<CommandCaseRequest["command"]>;
interface Posted {
  postings?: { account: string; minor: bigint }[];
}

/** To a question: the result is not known. */
const silence = { status: 404, body: "no such route" };
const repointTo = (paymentId: string): Command => ({ $case: "repointFact", value: { paymentId } });
const close: Command = { $case: "close", value: {} };
const outOfSuspense = (minor: bigint): Command => ({
  $case: "postCorrection",
  value: {
    postings: [
      { account: "platform/suspense", currency: "BRL", minor: -minor },
      { account: "provider/pix/clearing", currency: "BRL", minor },
    ],
  },
});

describe("money about an unknown reference", () => {
  let world: PaymentWorld;
  beforeAll(async () => {
    world = await startPaymentWorld();
  }, 120_000);
  afterEach(() => world.outside.clearFaults());
  afterAll(() => world.stop());

  /** A push whose release the rail has taken and does not answer for. */
  const waiting = async () => {
    const mark = randomUUID().slice(0, 8);
    await world.outside.fault([
      { provider: "pix", step: "query", mark, answer: silence },
      { provider: "pix", step: "release", mark, answer: { kind: "lost" } },
    ]);
    const body = await world.push({ additionalData: { statementNarrative: `FAULT:${mark}` } });
    const { text } = await world.accept(world.replicas[0], body);
    const { paymentId } = JSON.parse(text ?? "{}") as { paymentId: string };
    const id = String(body["externalPaymentId"]);
    await until(
      () => world.outside.book("instructions", paymentId),
      (found) => found?.["releases"] === 1,
    );
    return { id, paymentId };
  };
  /** The rail reports that it has paid so many cents for a reference that is no payment's. */
  const stray = (reference: string, cents: number) =>
    insistent(() =>
      world.replicas[0].receiveCallback(
        signedCallback("pix", {
          reference,
          railId: "R1",
          status: "PAID",
          movementId: `stray-${cents}`,
          amount: (cents / 100).toFixed(2),
          currency: "BRL",
        }),
      ),
    );
  const anyCase = { kind: CaseKind.UNKNOWN_REFERENCE, tenant: "", paymentId: "", after: undefined, limit: 50 };
  const caseOf = async (cents: number) => {
    const { cases } = await insistent(() =>
      world.replicas[0].listCases({ ...anyCase, state: CaseState.OPEN, provider: "pix" }),
    );
    return cases.find(({ amounts }) => amounts.some(({ amountMinor }) => amountMinor === BigInt(cents)))?.caseId ?? "";
  };
  const command = (caseId: string, what: Command, replica: Which = 0, commandId: string = randomUUID()) =>
    insistent(() =>
      world.replicas[replica].commandCase({
        caseId,
        commandId,
        author: "olga",
        approver: "pia",
        note: "looked at it",
        evidence: "",
        command: what,
      }),
    );
  /** What the case has left in suspense. */
  const inSuspense = async (caseId: string): Promise<bigint> => {
    const cases = world.mongo.connection.collection<{ _id: string; events: Posted[] }>("cases");
    const events = (await cases.findOne({ _id: caseId }))?.events ?? [];
    return events
      .flatMap(({ postings = [] }) => postings)
      .filter(({ account }) => account === "platform/suspense")
      .reduce((sum, { minor }) => sum + minor, 0n);
  };

  it("is given away once: what moves later is given to another payment alone", async () => {
    const [reference, one, other] = [randomUUID(), await waiting(), await waiting()];
    await stray(reference, 10_001);
    const caseId = await caseOf(10_001);
    await command(caseId, repointTo(one.paymentId));
    await stray(reference, 5_002);
    const reopened = await caseOf(10_001);

    await command(caseId, repointTo(other.paymentId));
    await stray(reference, 10_001);

    expect(reopened).toBe(caseId);
    expect(await postedOf(world, one.id)).toEqual(["payout 10001"]);
    expect(await postedOf(world, other.id)).toEqual(["payout 5002"]);
    expect(await inSuspense(caseId)).toBe(0n);
    expect(await caseOf(10_001)).toBe("");
  });

  it("that was corrected by hand, or closed as it is, is given to no payment", async () => {
    const [reference, one] = [randomUUID(), await waiting()];
    await stray(reference, 10_003);
    const caseId = await caseOf(10_003);
    await command(caseId, outOfSuspense(10_003n));
    const corrected = await refusalOf(command(caseId, repointTo(one.paymentId)));
    await command(caseId, close);
    await stray(reference, 5_004);
    await command(caseId, close);
    await stray(reference, 2_505);

    await command(caseId, repointTo(one.paymentId));

    expect(corrected).toMatchObject({ reason: "STATE_CONFLICT" });
    expect(await postedOf(world, one.id)).toEqual(["payout 2505"]);
  });

  it("goes to one of two payments when two operators give it away at once, whatever is repeated", async () => {
    const [reference, one, other] = [randomUUID(), await waiting(), await waiting()];
    await stray(reference, 10_006);
    const caseId = await caseOf(10_006);
    const ids = [randomUUID(), randomUUID()];

    const ends = await Promise.all(
      ([0, 1, 0, 1] as const).map((who) =>
        refusalOf(command(caseId, repointTo([one, other][who]?.paymentId ?? ""), who, ids[who])),
      ),
    );

    const posted = [...(await postedOf(world, one.id)), ...(await postedOf(world, other.id))];
    expect(posted).toEqual(["payout 10006"]);
    expect(await inSuspense(caseId)).toBe(0n);
    expect(ends.filter((end) => end === undefined)).toHaveLength(2);
    for (const end of ends) expect([undefined, "STATE_CONFLICT"]).toContain(end?.reason);
  });

  it("that was given to two payments leaves a case that a person can still close", async () => {
    const [reference, one, other] = [randomUUID(), await waiting(), await waiting()];
    await stray(reference, 10_007);
    const caseId = await caseOf(10_007);
    await command(caseId, repointTo(one.paymentId));
    await stray(reference, 5_008);
    await command(caseId, repointTo(other.paymentId));
    await stray(reference, 2_509);

    await command(caseId, close);

    expect(await caseOf(10_007)).toBe("");
    expect(await reaches(world, one.id, "Completed")).toBe("Completed");
  });
});
