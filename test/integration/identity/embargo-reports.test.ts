import { randomUUID } from "node:crypto";
import { freePorts } from "../../../local/free-port";
import type { Sandbox } from "../../../sandbox/app";
import { decisionWord, inReviewWords } from "../../support/review-words";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "../access/access-world";
import { httpCall } from "../gateway/http-call";
import { startWorld } from "../sandbox/outside-world";
import { type Identity, type IdentityTestbed, openIdentityTestbed } from "./identity-testbed";

const tenant = "demo";
const day = 86_400_000;
/** Refused by the screening provider. */
const refused = "Sanctioned Person";

describe("what an embargo ends", () => {
  let testbed: IdentityTestbed;
  let world: Sandbox;
  let identity: Identity;
  let desk: AccessWorld;
  let metricsPort: number;

  beforeAll(async () => {
    [testbed, world] = await Promise.all([openIdentityTestbed(), startWorld()]);
    [metricsPort = 0] = await freePorts(1);
    const entryOf = (name: string) => ({ id: name, names: [`Ivan ${name}`], programmes: [name] });
    const entries = ["Givenback", "Kepthere", "Elsewhere"].map(entryOf);
    const file = testbed.file("own.json", JSON.stringify({ version: "1", entries }));
    const policy = {
      lists: [{ name: "own", format: "own", file }],
      countries: { KP: "reject", SY: "block" },
      programmes: { Givenback: "reject", Kepthere: "block" },
    };
    identity = await testbed.start(world.url, {
      IDENTITY_SCREENING_LIST_FILE: testbed.file("policy.json", JSON.stringify(policy)),
      METRICS_PORT: String(metricsPort),
    });
    desk = await startAccessWorld({ tenants: [makeTenant("demo")], gateway: { IDENTITY_TARGET: identity.target } });
  }, 60_000);
  afterAll(async () => {
    await desk.stop();
    await identity.stop();
    await world.stop();
    await testbed.stop();
  });

  const decide = async (lastName: string, countryCode = "BRA", name = "Maria Souza", paymentId = randomUUID()) => {
    const order = { tenant, paymentId, isFirst: true, amount: { amountMinor: 54_321n, currency: "BRL" } };
    const recipient = { name, countryCode, narrative: "", party: undefined };
    const sender = { firstName: "Ivan", lastName, party: undefined };
    const { status, reason, reviewId } = await identity.decidePayment({ ...order, sender, recipient });
    return { status: decisionWord(status), reason, reviewId };
  };
  const reviewOf = async (reviewId = "") => {
    const { review } = await identity.getReview({ reviewId });
    return review && inReviewWords(review);
  };
  const reports = async () =>
    (await identity.listReports({ limit: 200 })).reviews.map(({ reviewId, subjectId }) => ({ reviewId, subjectId }));
  const overdue = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(/^corridor_sanction_reports_overdue\S* (\d+)$/m.exec(text)?.[1]);
  };

  it.each([
    ["a country", () => decide("Nobody", "PRK"), "KP"],
    ["a programme of a listed name", () => decide("Givenback"), "Givenback"],
  ] as const)(
    "by %s is given back without a person, and owes a report after ten business days",
    async (_on, act, on) => {
      const { status, reason, reviewId } = await act();

      expect([status, reason]).toEqual(["REJECTED", `${on} is under an embargo`]);
      expect(await reviewOf(reviewId)).toMatchObject({
        status: "REJECTED",
        author: "embargo",
        embargo: on,
        note: reason,
      });
      const due = (await reviewOf(reviewId))?.reportDueAt?.getTime() ?? 0;
      expect(due - Date.now()).toBeGreaterThan(11 * day);
      expect(due - Date.now()).toBeLessThan(17 * day);
    },
  );

  it("owes one report, however often and by how many it is asked about", async () => {
    const paymentId = randomUUID();
    const asked = await Promise.all([1, 2, 3].map(() => decide("Nobody", "PRK", "Maria Souza", paymentId)));

    expect(new Set(asked.map(({ reviewId }) => reviewId)).size).toBe(1);
    expect((await reports()).filter(({ subjectId }) => subjectId === paymentId)).toHaveLength(1);
  });

  it.each([
    ["a country", () => decide("Nobody", "SYR"), "SY"],
    ["a country, whatever the screening provider refuses", () => decide("Nobody", "SYR", refused), "SY"],
    ["a programme of a listed name", () => decide("Kepthere"), "Kepthere"],
  ] as const)("by %s that blocks waits for a person, whose refusal owes a report", async (_on, act, on) => {
    const { status, reviewId = "" } = await act();
    expect(status).toBe("BLOCKED");
    expect(await reports()).not.toContainEqual(expect.objectContaining({ reviewId }));

    await identity.decideReview({ tenant, reviewId, approve: false, block: false, author: "ada", note: "it is so" });

    expect(await reviewOf(reviewId)).toMatchObject({ status: "REJECTED", embargo: on });
    expect(await reports()).toContainEqual(expect.objectContaining({ reviewId }));
  });

  it("is not what the screening provider alone refuses: that owes none", async () => {
    expect(await decide("Nobody", "BRA", refused)).toMatchObject({ status: "REJECTED", reviewId: undefined });
    expect(await decide("Elsewhere")).toMatchObject({ status: "BLOCKED" });
  });

  it("is exported, told when it is late, and filed once", async () => {
    const { reviewId = "" } = await decide("Nobody", "PRK");
    const headers = { authorization: `Bearer ${operatorToken}`, accept: "text/csv" };
    const csv = await httpCall(desk.gateway.operatorPort ?? 0, "/sanction-reports", { headers });
    const [names = "", ...lines] = csv.text.trim().split(/\r?\n/);
    const line = lines.find((one) => one.includes(reviewId)) ?? "";
    expect(line.split(",")[names.split(",").indexOf("embargo")]).toBe("KP");
    expect(await overdue()).toBe(0);

    testbed.advance(17 * day);

    expect(await overdue()).toBe((await reports()).length);
    const path = `/tenants/${tenant}/reviews/${reviewId}/report`;
    expect(await desk.operate("POST", path, { reference: "R-1" })).toMatchObject({
      status: 200,
      json: { reportReference: "R-1" },
    });
    expect((await desk.operate("POST", path, { reference: "R-2" })).status).toBe(409);
    expect(await reports()).not.toContainEqual(expect.objectContaining({ reviewId }));
    expect(await overdue()).toBe((await reports()).length);
  });
});
