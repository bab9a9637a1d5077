import { randomUUID } from "node:crypto";
import type { Sandbox } from "../../../sandbox/app";
import { signCallback } from "../../../services/shared/crypto/callback-signature";
import { decisionWord, inReviewWords } from "../../support/review-words";
import { makeTenant, operatorToken, startAccessWorld } from "../access/access-world";
import { httpCall } from "../gateway/http-call";
import { callbackSecret, eventually, startWorld } from "../sandbox/outside-world";
import { type Identity, type IdentityTestbed, openIdentityTestbed } from "./identity-testbed";

const tenant = "demo";
const listOf = (version: string, ...ids: string[]): string =>
  JSON.stringify({ version, entries: ids.map((id) => ({ id, names: ["Ivan Listed"] })) });

describe("a payment that a review has blocked", () => {
  let testbed: IdentityTestbed;
  let world: Sandbox;
  let identity: Identity;

  beforeAll(async () => {
    [testbed, world] = await Promise.all([openIdentityTestbed(), startWorld()]);
    const IDENTITY_SCREENING_LIST_FILE = testbed.file("blocking-list", listOf("1", "first"));
    identity = await testbed.start(world.url, { IDENTITY_SCREENING_LIST_FILE });
  });
  afterAll(async () => {
    await identity.stop();
    await world.stop();
    await testbed.stop();
  });

  const decide = async (paymentId: string, narrative = "") => {
    const decision = await identity.decidePayment({
      ...{ tenant, paymentId, amount: { amountMinor: 54_321n, currency: "BRL" } },
      sender: { firstName: "Ivan", lastName: "Listed" },
      recipient: { name: "Maria Souza", countryCode: "BRA", narrative },
      // Also where it is wrong: the hint decides nothing.
      isFirst: true,
    });
    return { ...decision, status: decisionWord(decision.status) };
  };
  const block = (reviewId: string, author = "ada") =>
    identity.decideReview({ tenant, reviewId, approve: false, block: true, author, note: "listed" });
  const blocked = async (narrative?: string) => {
    const paymentId = randomUUID();
    const { reviewId = "" } = await decide(paymentId, narrative);
    const { review } = await block(reviewId);
    return { paymentId, reviewId, review: review && inReviewWords(review) };
  };
  const permission = {
    approve: true,
    author: "ada",
    approver: "bob",
    authorityReference: "L-7",
    note: "licensed",
    payTo: "",
  };
  const release = async (reviewId: string, change: object = {}) => {
    const { review } = await identity.releaseBlocked({ tenant, reviewId, ...permission, ...change });
    return review && inReviewWords(review);
  };
  const reports = async () => {
    const found: string[] = [];
    for (let after: string | undefined; ; ) {
      const { reviews, next } = await identity.listReports({ after, limit: 2 });
      found.push(...reviews.map(({ reviewId }) => reviewId));
      if (next === undefined) return found;
      after = next;
    }
  };

  const reportOf = (reference: string, status: string) => {
    const body = Buffer.from(JSON.stringify({ eventId: randomUUID(), reference, status, reason: "said" }));
    const now = Math.floor(Date.now() / 1_000);
    return { body, signature: signCallback(callbackSecret, "screening", randomUUID(), now, body.toString()) };
  };

  it("stays BLOCKED, and its report is owed", async () => {
    const { paymentId, reviewId, review } = await blocked();

    expect(review).toMatchObject({ status: "BLOCKED", author: "ada" });
    expect(review?.reportDueAt?.getTime()).toBeGreaterThan(Date.now() + 11 * 86_400_000);
    expect(await decide(paymentId)).toMatchObject({ status: "BLOCKED", reason: "blocked by a reviewer" });
    expect(await reports()).toContain(reviewId);
  });

  it("stays BLOCKED whatever the screening provider says, and whichever list is in force", async () => {
    const { paymentId, reviewId } = await blocked("SIM:review-approve");
    for (const status of ["APPROVED", "REJECTED"]) {
      await identity.receiveScreeningReport(reportOf(paymentId, status));
      expect(await decide(paymentId)).toMatchObject({ status: "BLOCKED" });
    }

    testbed.file("blocking-list", listOf("2", "first", "second"));
    await eventually(async () => (await decide(randomUUID())).listVersion.startsWith("2."));

    expect(await decide(paymentId)).toMatchObject({ status: "BLOCKED", reviewId });
  });

  it("is released by two people alone, once, and then goes on under later lists, too", async () => {
    const { paymentId, reviewId } = await blocked();
    await expect(release(reviewId, { approver: "" })).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
    await expect(release(reviewId, { approver: "ada" })).rejects.toMatchObject({ violations: [{ field: "approver" }] });
    for (const refused of [{ payTo: "tenant/demo/funding" }, { payTo: "provider/bank/clearing", approve: true }]) {
      await expect(release(reviewId, refused)).rejects.toMatchObject({ violations: [{ field: "payTo" }] });
    }
    await expect(release(reviewId, { tenant: "other" })).rejects.toMatchObject({ reason: "RECORD_NOT_FOUND" });
    expect(await decide(paymentId)).toMatchObject({ status: "BLOCKED" });

    const first = await release(reviewId);

    expect(first).toMatchObject({ status: "APPROVED", authorityReference: "L-7", approver: "bob" });
    expect(await release(reviewId)).toEqual(first);
    await expect(release(reviewId, { authorityReference: "L-8" })).rejects.toMatchObject({ reason: "RECORD_CONFLICT" });
    await expect(block(reviewId, "eve")).rejects.toMatchObject({ reason: "RECORD_CONFLICT" });
    expect(await decide(paymentId)).toMatchObject({ status: "APPROVED" });
  });

  it("is decided by one of two operators at once", async () => {
    const paymentId = randomUUID();
    const { reviewId = "" } = await decide(paymentId);

    const tries = await Promise.allSettled([
      ...["ada", "eve"].map((author) => block(reviewId, author)),
      identity.decideReview({ tenant, reviewId, approve: true, block: false, author: "joe", note: "other person" }),
    ]);

    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { review } = await identity.getReview({ reviewId });
    const ended = review && inReviewWords(review).status;
    expect(await decide(paymentId)).toMatchObject({ status: ended });
  });

  it("is released by one operator with the word of another, who may send its money where an authority orders", async () => {
    const bobToken = "another-token-of-at-least-32-characters";
    const desk = await startAccessWorld({ tenants: [makeTenant("demo")] });
    const gateway = await desk.startGateway({
      OPERATOR_FOUR_EYES: "on",
      OPERATOR_TOKENS_FILE: desk.file("two", `ada ${operatorToken}\nbob ${bobToken}\n`),
      IDENTITY_TARGET: identity.target,
    });
    const { reviewId } = await blocked();
    const order = { approve: false, payTo: "provider/bank/clearing", authorityReference: "L-7", note: "ordered" };
    const send = (token: string, body: object, approval?: string) => {
      const approved = approval === undefined ? {} : { "x-approval": approval };
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...approved };
      const path = `/tenants/${tenant}/reviews/${reviewId}/release`;
      return httpCall(gateway.operatorPort ?? 0, path, { method: "POST", headers, body: JSON.stringify(body) });
    };
    const asked = await send(operatorToken, order);
    const { approval } = asked.json as { approval?: string };
    expect([asked.status, (await identity.getReview({ reviewId })).review?.payTo]).toEqual([202, undefined]);

    const done = await send(bobToken, order, approval);

    expect(done).toMatchObject({ status: 200, json: { status: "REJECTED", payTo: order.payTo, note: "ordered" } });
    await desk.stop();
  });

  it("has its report filed once, under one reference", async () => {
    const { reviewId } = await blocked();
    const file = (reference: string) => identity.fileReport({ tenant, reviewId, reference, author: "ada" });

    expect((await file("R-1")).review).toMatchObject({ reportReference: "R-1" });
    expect((await file("R-1")).review).toMatchObject({ reportReference: "R-1" });
    await expect(file("R-2")).rejects.toMatchObject({ reason: "RECORD_CONFLICT" });

    expect(await reports()).not.toContain(reviewId);
  });

  it("is a payment: nobody else is blocked", async () => {
    const { reviewId = "" } = await decide(randomUUID());

    await expect(
      identity.decideReview({ tenant, reviewId, approve: true, block: true, author: "ada", note: "n" }),
    ).rejects.toMatchObject({ violations: [{ field: "block" }] });
  });
});
