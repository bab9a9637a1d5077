import { randomUUID } from "node:crypto";
import { ReviewServiceService } from "../../../proto/gen/corridor/identity/v1/review_service";
import { CaseKind } from "../../../proto/gen/corridor/payment/v1/case_service";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { customerPayload } from "../../support/corridor-payloads";
import { bankSource, cardPullBody, cardSource, pullPushBody } from "../../support/payment-bodies";
import { freshId, until } from "../../support/platform-client";
import { callsOf, casesOf, insistent, reaches, recordOf } from "./looks";
import { signedCallback } from "./outside";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

type Json = Record<string, unknown>;
const listed = { firstName: "Ada", lastName: "Listed" };
const address = { countryCode: "GBR", city: "London", line1: "12 Hill Road" };
const funding = `tenant/${demo}/funding`;
const year = 366 * 86_400;
const fee = 50n;

describe("the money of a payment that a review has blocked", () => {
  let world: PaymentWorld;
  let desk: Rpc<typeof ReviewServiceService> & { stop(): Promise<void> };

  beforeAll(async () => {
    const fees = { "*": { CAPTURE: { bps: 0, fixed: 50 } } };
    const terms = JSON.stringify({ "*": { fees, agentLimits: { currency: "USD", MONTH: 100_000_000_000 } } });
    world = await startPaymentWorld({ PAYMENT_TERMS: terms }, { hasClock: true });
    const patient = { tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
    desk = makeRpcClient(ReviewServiceService, { ...patient, target: world.targets.identity });
  }, 120_000);
  afterEach(() => world.outside.clearFaults());
  afterAll(async () => {
    await desk.stop();
    await world.stop();
  });

  const toCustomer = (body: Json): Json => {
    const sender = body["sender"] as { customer: object };
    return {
      ...body,
      externalPaymentId: freshId(),
      sender: { ...sender, customer: { ...sender.customer, ...listed } },
    };
  };
  const push = () => world.push({ sender: { ...listed, address } });
  const pull = (): Json => {
    const body = cardPullBody("1");
    return { ...body, sender: { ...(body["sender"] as object), ...listed } };
  };
  const toWallet = async (): Promise<Json> => {
    const wallet = { accountAsset: "KES", ownerId: "o", beneficiaryId: "b", type: "PERSONAL" };
    const opened = await world.wallet.createWallet({
      tenant: demo,
      wallet: { ...wallet, additionalInfoJson: Buffer.alloc(0) },
    });
    const walletId = opened.wallet?.walletId ?? "";
    return toCustomer(customerPayload("KEN", { type: "WALLET", wallet: { walletId } }));
  };

  const payments = () =>
    world.mongo.connection.collection<{ _id: string; state: string; blocked?: object }>("payments");
  const stands = (paymentId: string, state: string) =>
    until(
      () => payments().findOne({ _id: paymentId }),
      (found) => found?.state === state,
    );
  interface Made {
    tenant: string;
    id: string;
    paymentId: string;
    reviewId: string;
  }
  const reviewOf = (tenant: string, subjectId: string) =>
    until(
      () => insistent(() => desk.listReviews({ tenant, subjectId, limit: 1 })),
      ({ reviews }) => reviews.length > 0,
    );
  /** A payment that waits for its review. */
  const waiting = async (body: Json, state: string, tenant = demo): Promise<Made> => {
    const { text } = await world.accept(world.replicas[0], body, { tenant });
    const { paymentId } = JSON.parse(text ?? "{}") as { paymentId: string };
    const id = String(body["externalPaymentId"]);
    await stands(paymentId, state);
    return { tenant, id, paymentId, reviewId: (await reviewOf(tenant, paymentId)).reviews[0]?.reviewId ?? "" };
  };
  const block = ({ tenant, reviewId }: Made) =>
    desk.decideReview({ tenant, reviewId, approve: false, block: true, author: "ada", note: "listed" });
  const permission = { author: "ada", approver: "bob", authorityReference: "L-7", note: "licensed" };
  const release = ({ tenant, reviewId }: Made, approve: boolean, payTo = "") =>
    insistent(() => desk.releaseBlocked({ ...permission, tenant, reviewId, approve, payTo }));

  const sums = async () => {
    const { accounts, totals } = await insistent(() => world.wallet.getTrialBalance({}));
    expect(totals.filter(({ amountMinor }) => amountMinor !== 0n)).toEqual([]);
    return (path: string, currency = "USD"): bigint =>
      accounts.find((one) => one.path === path && one.balance?.currency === currency)?.balance?.amountMinor ?? 0n;
  };
  const accountOf = ({ reviewId }: Made): string => `platform/blocked/${reviewId}`;
  const holds = (made: Made, minor: bigint) =>
    until(
      async () => (await sums())(accountOf(made)),
      (held) => held === minor,
    );
  const entriesOf = async ({ paymentId }: Made) =>
    (await insistent(() => world.wallet.listEntries({ paymentId, from: undefined, until: undefined, limit: 50 })))
      .entries;
  /** What a payment has brought an account, by the journal. */
  const broughtTo = async (made: Made, account: string): Promise<bigint> =>
    (await entriesOf(made))
      .flatMap(({ moves }) => moves)
      .reduce((sum, move) => (move.account === account && move.currency === "USD" ? sum + move.minor : sum), 0n);
  const brings = (made: Made, account: string, minor: bigint) =>
    until(
      () => broughtTo(made, account),
      (brought) => brought === minor,
    );
  /** What the ledger has posted of a payment, in words, once the journal was found as it was written. */
  const postedOf = async (made: Made): Promise<string[]> => {
    const { verificationId } = await world.wallet.verifyLedger({});
    const { findings } = await until(
      () => world.wallet.verifyLedger({ verificationId }),
      ({ finishedAt }) => finishedAt !== undefined,
    );
    expect(findings).toEqual([]);
    // A wallet's payout that was called off has an entry that moves nothing.
    const labels = (await entriesOf(made)).filter(({ moves }) => moves.length > 0).map(({ label }) => label ?? "");
    // Fees are not the payment's money, and releases of promises are none at all.
    return labels.filter((label) => label !== "fee" && label !== "release").toSorted();
  };
  /** The payment is asked about again, by the first replica; resolved when that has happened. */
  const lookedAt = async ({ id, paymentId }: Made): Promise<void> => {
    const calls = (await callsOf(world, id)).length;
    await payments().updateOne({ _id: paymentId }, { $set: { dueAt: new Date(0) } });
    await until(
      () => callsOf(world, id),
      (found) => found.length > calls,
    );
  };

  it("leaves the tenant's funds for the account of the case, once, however often it is told", async () => {
    const made = await waiting(await push(), "BlockedPendingReview");

    await block(made);
    expect(await holds(made, 10_000n)).toBe(10_000n);
    await block(made);
    await Promise.all([lookedAt(made), lookedAt(made)]);

    expect((await sums())(accountOf(made))).toBe(10_000n);
    expect(await broughtTo(made, funding)).toBe(-10_000n);
    expect(await postedOf(made)).toEqual(["block"]);
  });

  it("leaves a tenant's credit line as wide as it was: what is blocked is neither promised twice nor again", async () => {
    const tenant = `t-${randomUUID().slice(0, 8)}`;
    const account = `tenant/${tenant}/funding`;
    await world.wallet.setFloor({ account, currency: "USD", floorMinor: -2n * (10_000n + fee) });
    const order = async (changes: object = {}) => world.push(changes, (await world.quote({ tenant })).fxId);
    const made = await waiting(await order({ sender: { ...listed, address } }), "BlockedPendingReview", tenant);
    await block(made);
    await holds(made, 10_000n);

    const second = await world.accept(world.replicas[1], await order(), { tenant });
    const third = await world.accept(world.replicas[0], await order(), { tenant });

    expect([second.reason, third.reason]).toEqual([undefined, "FUNDS_TOO_LOW"]);
    await release(made, false);
    await holds(made, 0n);
    const fourth = await world.accept(world.replicas[0], await order(), { tenant });
    expect(fourth.reason).toBeUndefined();
  });

  it("stays, whatever time passes: nothing refunds, voids, recalls or cancels it", async () => {
    const made = await waiting(await push(), "BlockedPendingReview");
    const card = await waiting(toCustomer(pullPushBody(cardSource("1"))), "BlockedPendingReview");
    await Promise.all([made, card].map(block));
    await holds(made, 10_000n);

    await world.outside.advance(year);
    await Promise.all([made, card].map(lookedAt));
    await world.outside.advance(year);
    await Promise.all([made, card].map(lookedAt));

    for (const { id } of [made, card]) {
      expect((await recordOf(world, id))?.transactionState).toBe("BlockedPendingReview");
    }
    expect((await sums())(accountOf(made))).toBe(10_000n);
    expect(await world.outside.book("authorizations", card.paymentId)).toMatchObject({ status: "AUTHORIZED" });
    expect(await world.outside.book("instructions", made.paymentId)).toMatchObject({ status: "PREPARED", releases: 0 });
    // What the acquirer forgets after a week an operator is notified of, once.
    const cases = await casesOf(world, card.paymentId);
    expect(cases.map(({ kinds }) => kinds)).toEqual([[CaseKind.AUTHORIZATION_EXPIRED]]);
    expect(await casesOf(world, made.paymentId)).toEqual([]);
  });

  it.each([
    ["PUSH", push, 10_000n, ["payout"]],
    ["wallet payout", toWallet, 10_000n, ["", "payout"]],
  ] as const)(
    "goes on from there and is paid once when two people release it: %s",
    async (_type, body, minor, entries) => {
      const made = await waiting(await body(), "BlockedPendingReview");
      await block(made);
      await holds(made, minor);

      await Promise.all([1, 2].map(() => release(made, true).catch(() => {})));

      expect(await reaches(world, made.id, "Completed")).toBe("Completed");
      expect(await holds(made, 0n)).toBe(0n);
      expect(await brings(made, funding, -minor - fee)).toBe(-minor - fee);
      expect(await postedOf(made)).toEqual(["block", ...entries].toSorted());
    },
  );

  it.each([
    ["PUSH", push],
    ["wallet payout", toWallet],
  ] as const)("comes back once when it is refused: %s", async (_type, body) => {
    const made = await waiting(await body(), "BlockedPendingReview");
    await block(made);
    await holds(made, 10_000n);

    await release(made, false);

    expect(await reaches(world, made.id, "Cancelled")).toBe("Cancelled");
    expect(await holds(made, 0n)).toBe(0n);
    expect(await broughtTo(made, funding)).toBe(0n);
    expect(await postedOf(made)).toEqual(["block", "unblock"]);
    const { reviews } = await desk.listReports({ limit: 200 });
    expect(reviews.find(({ reviewId }) => reviewId === made.reviewId)?.reportDueAt).toBeDefined();
  });

  it("of a PULL and of a PULLPUSH that has collected nothing is the payer's still, and is collected once", async () => {
    const pulled = await waiting(pull(), "PaymentProcessing");
    const both = await waiting(toCustomer(pullPushBody(cardSource("1"))), "BlockedPendingReview");
    await Promise.all([pulled, both].map(block));
    for (const made of [pulled, both]) {
      await until(
        () => payments().findOne({ _id: made.paymentId }),
        (found) => found?.blocked !== undefined,
      );
    }
    expect([await entriesOf(pulled), await entriesOf(both)]).toEqual([[], []]);
    expect(await world.outside.moved(pulled.paymentId)).toEqual([]);

    await Promise.all([release(pulled, true), release(both, true)]);

    await Promise.all([reaches(world, pulled.id, "Completed"), reaches(world, both.id, "Completed")]);
    expect(await world.outside.book("authorizations", pulled.paymentId)).toMatchObject({ captures: [{}] });
    expect(await world.outside.book("authorizations", both.paymentId)).toMatchObject({ captures: [{}] });
    expect(await world.outside.book("instructions", both.paymentId)).toMatchObject({ status: "PAID", releases: 1 });
  });

  /** A PULLPUSH whose debit has settled under a list that names its recipient. */
  const settledOf = async (lastName: string): Promise<Made> => {
    await world.outside.fault({ rail: "debits", operation: "callback", status: 503, times: 1_000 });
    await world.outside.fault({ rail: "debits", operation: "query", status: 503, times: 1_000 });
    const body = pullPushBody(bankSource());
    const recipient = body["recipient"] as { customer: object };
    const named = { ...recipient, customer: { ...recipient.customer, firstName: "Ivan", lastName } };
    const { text } = await world.accept(world.replicas[0], { ...body, recipient: named });
    const { paymentId } = JSON.parse(text ?? "{}") as { paymentId: string };
    const id = String(body["externalPaymentId"]);
    await reaches(world, id, "WaitingSettlement");
    await world.useList("Listed", `Ivan ${lastName}`);
    await world.outside.clearFaults();
    await payments().updateOne({ _id: paymentId }, { $set: { dueAt: new Date(0) } });
    await reaches(world, id, "PaymentSettled");
    const reviewId = (await reviewOf(demo, paymentId)).reviews[0]?.reviewId ?? "";
    const made = { tenant: demo, id, paymentId, reviewId };
    await block(made);
    await holds(made, 10_000n);
    return made;
  };

  it.each([
    [true, "Completed", "payout"],
    [false, "Refunded", "refund"],
  ] as const)(
    "that was collected waits on the account of the case and leaves it once: %s",
    async (approve, end, last) => {
      const made = await settledOf(`Newcomer ${approve ? "approve" : "reject"}`);
      await world.outside.advance(year);
      await lookedAt(made);
      expect((await recordOf(world, made.id))?.transactionState).toBe("PaymentSettled");

      await release(made, approve);

      expect(await reaches(world, made.id, end)).toBe(end);
      expect(await holds(made, 0n)).toBe(0n);
      expect(await postedOf(made)).toEqual(["block", "capture", last]);
      // Collected, and blocked: of the tenant's own there was nothing but the fee.
      expect(await brings(made, funding, -fee)).toBe(-fee);
    },
  );

  it("goes once where an authority's order sends it, and neither back nor on", async () => {
    const payTo = "provider/bank/clearing";
    const [pushed, collected] = [
      await waiting(await push(), "BlockedPendingReview"),
      await settledOf("Newcomer ordered"),
    ];
    await block(pushed);
    await holds(pushed, 10_000n);

    for (const made of [pushed, collected]) await Promise.all([1, 2].map(() => release(made, false, payTo)));

    expect(await reaches(world, pushed.id, "Cancelled")).toBe("Cancelled");
    expect(await reaches(world, collected.id, "Refunded")).toBe("Refunded");
    for (const made of [pushed, collected]) {
      expect(await holds(made, 0n)).toBe(0n);
      expect(await broughtTo(made, payTo)).toBe(10_000n);
      expect((await postedOf(made)).filter((label) => label !== "capture")).toEqual(["block", "surrender"]);
      expect((await casesOf(world, made.paymentId)).map(({ kinds }) => kinds)).toEqual([]);
    }
    expect(await world.outside.moved(collected.paymentId)).toHaveLength(1);
  });

  it("that its payer's bank takes back is a case: the payment stays, and is never paid out of other money", async () => {
    const made = await settledOf("Newcomer returned");

    await world.outside.act({ provider: "debits", reference: made.paymentId, act: "RETURN" });
    const news = signedCallback("debits", { reference: made.paymentId, status: "RETURNED" });
    await insistent(() => world.replicas[0].receiveCallback(news));

    expect(await holds(made, 0n)).toBe(0n);
    expect((await recordOf(world, made.id))?.transactionState).toBe("PaymentSettled");
    const cases = await casesOf(world, made.paymentId);
    expect(cases.map(({ kinds }) => kinds)).toEqual([[CaseKind.UNEXPECTED_FACT]]);
    await release(made, true);
    await lookedAt(made).catch(() => {});
    expect(await world.outside.book("instructions", made.paymentId)).toMatchObject({ releases: 0 });
  });

  it("moves once when a replica dies between the decision and the posting", async () => {
    const made = await waiting(await push(), "BlockedPendingReview");
    const restore = await world.cutOff(0, ["update", "findAndModify", "commitTransaction"]);

    await block(made);
    await holds(made, 10_000n);
    await restore();
    await lookedAt(made);

    expect((await sums())(accountOf(made))).toBe(10_000n);
    expect(await postedOf(made)).toEqual(["block"]);
  });
});
