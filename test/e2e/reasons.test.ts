import type { Platform } from "../../local/platform";
import { reasonCodes } from "../../services/shared/kernel/reason-codes";
import { type OutsideWorld, outsideWorld } from "../support/outside-world";
import { bankSource, cardPullBody, cardSource, pullPushBody } from "../support/payment-bodies";
import { connectClient, freshId, type PlatformClient, pushBody, type Reply, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

type Json = Record<string, unknown>;
type Code = keyof typeof reasonCodes;
/** How a payment ends, by which code, and whose move it is then. */
type End = readonly [status: string, code: Code, whoseMove: string];

const minute = 60;
const week = 7 * 24 * 60 * minute;
const sim = (name: string): object => ({ additionalData: { statementNarrative: `SIM:${name}` } });
const sink = "reasons";

describe("why a payment ended", () => {
  let platform: Platform;
  let client: PlatformClient;
  let world: OutsideWorld;

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    world = outsideWorld(platform);
    await client.subscribe(sink, ["TransactionStatusChanged", "TransactionPayoutStatusChanged"]);
  });
  afterEach(() => client.clearFaults());
  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  const bearer = async (): Promise<Record<string, string>> => ({ authorization: `Bearer ${await client.token()}` });
  const post = async (path: string, body?: object): Promise<Reply> => {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    return client.send("POST", path, { ...(await bearer()), ...json }, body && JSON.stringify(body));
  };
  const agentHeaders = (): Record<string, string> => {
    const tenant = platform.credentials.tenants.find((one) => one.tenant === "demo");
    const agent = tenant?.agents.find((one) => one.status === "ACTIVE");
    return {
      "x-api-key": tenant?.apiKey ?? "",
      "x-agent-id": agent?.agentId ?? "",
      "x-agent-api-key": agent?.apiKey ?? "",
    };
  };
  const operator = async (method: string, path: string, body?: object): Promise<unknown> => {
    const { operatorUrl, operatorToken } = platform.credentials;
    const headers = { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${operatorUrl}${path}`, { method, headers, ...sent });
    return answer.json();
  };
  const accept = async (body: Json) => {
    const { body: answer } = await client.pay(body);
    return { id: String(body["externalPaymentId"]), paymentId: String(answer["paymentId"]), answer };
  };
  const push = async (changes: object = {}) => accept(pushBody(freshId(), await client.quote(), changes));
  const isAt = (status: string) => (reply: Reply) => reply.body["status"] === status;
  const events = async (id: string): Promise<Json[]> =>
    (await client.sink(sink))
      .map(({ body }) => JSON.parse(body) as Json)
      .filter((event) => event["externalTransactionId"] === id);

  /** The reason on every route: both records and their history, the transaction, its moves, the timeline, webhooks. */
  async function expectToldEverywhere({ id, paymentId }: { id: string; paymentId: string }, [status, code, move]: End) {
    const told = { reasonCode: code, whoseMove: move, reasonMessage: reasonCodes[code].sentence };
    const second = await until(() => client.payment(id), isAt(status));
    const first = await client.send("GET", `/payments/${id}`, await bearer());
    for (const { body } of [first, second]) {
      expect(body).toMatchObject({ status, ...told });
      expect((body["history"] as Json[]).at(-1)).toMatchObject({ status, ...told });
    }
    const shown = await client.send("GET", `/fx/transactions/${paymentId}`, agentHeaders());
    expect(shown.body).toMatchObject({ paymentStatus: status, ...told });
    const moves = await client.send("GET", `/fx/transactions/${paymentId}/history`, agentHeaders());
    const items = moves.body["items"] as Json[];
    expect(items.at(-1)).toMatchObject({ newStatus: shown.body["status"], ...told });
    const timeline = await client.send("GET", `/v2/payment/${id}/timeline`, await bearer());
    expect((timeline.body["states"] as Json[]).at(-1)).toMatchObject({ to: shown.body["status"], ...told });
    const ofState = (event: Json): boolean => event["newStatus"] === shown.body["status"];
    const delivered = await until(
      () => events(id),
      (found) => found.some(ofState),
    );
    expect(delivered.find(ofState)).toMatchObject(told);
    return { record: second.body, timeline: timeline.body, delivered };
  }

  it.each<[string, End]>([
    ["reject-account", ["DECLINED", "AC03", "recipient"]],
    ["hold-reject", ["DECLINED", "RR04", "platform"]],
    ["review-reject", ["DECLINED", "RR04", "platform"]],
    ["return-after-paid", ["REFUNDED", "AC04", "recipient"]],
    ["timeout-then-absent", ["ERROR", "AB06", "provider"]],
  ])(
    "of a push under SIM:%s is told everywhere: %j",
    async (name, end) => {
      const { record } = await expectToldEverywhere(await push(sim(name)), end);

      expect((record["history"] as Json[])[0]).not.toHaveProperty("reasonCode");
    },
    240_000,
  );

  it("of a payout that its rail refuses is in the call to the rail and in the webhook of the payout", async () => {
    const { timeline, delivered } = await expectToldEverywhere(await push(sim("reject-account")), [
      "DECLINED",
      "AC03",
      "recipient",
    ]);

    expect((timeline["attempts"] as Json[])[0]).toMatchObject({ step: "prepare", reasonCode: "AC03" });
    const payout = delivered.find((event) => event["newPayoutStatus"] === "DECLINED");
    expect(payout).toMatchObject({ reasonCode: "AC03", whoseMove: "recipient" });
  });

  it("of a recalled payout is its recall", async () => {
    const paid = await push();
    await until(() => client.payment(paid.id), isAt("CAPTURED"));
    const before = await client.payment(paid.id);

    await world.act({ provider: "pix", reference: paid.paymentId, act: "RECALL" });
    const { record } = await expectToldEverywhere(paid, ["REFUNDED", "FOCR", "payer"]);

    expect(before.body).not.toHaveProperty("reasonCode");
    expect((record["history"] as Json[]).map(({ code, status }) => [code, status])).toEqual([
      ["PAYMENT", "PENDING"],
      ["CAPTURE", "CAPTURED"],
      ["REFUND", "REFUNDED"],
    ]);
  });

  it("of a held push is shown to operators while it is held, and its cancel is its end", async () => {
    for (const operation of ["callback", "query"])
      await client.fault({ rail: "pix", operation, status: 503, times: 1_000 });
    const held = await push(sim("hold-reject"));
    const holds = async (): Promise<Json[]> => (Object(await operator("GET", "/holds")) as { holds: Json[] }).holds;
    const isHeld = (found: Json[]): boolean => found.some(({ paymentId }) => paymentId === held.paymentId);
    const hold = (await until(holds, isHeld)).find(({ paymentId }) => paymentId === held.paymentId);
    expect(hold).toMatchObject({ kind: "RAIL", whoseMove: expect.stringMatching(/^(platform|provider)$/) as unknown });

    const path = `/fx/transactions/${held.paymentId}/cancel`;
    const asked = await client.send("POST", path, agentHeaders());
    await client.clearFaults();

    expect(asked.status).toBe(200);
    await expectToldEverywhere(held, ["VOIDED", "CUST", "payer"]);
  });

  it("of a declined card is the issuer's, in the first answer too", async () => {
    const declined = await accept(cardPullBody("3"));

    const told = { status: "DECLINED", responseCode: "05", reasonCode: "05", whoseMove: "payer" };
    expect(declined.answer).toMatchObject(told);
    await expectToldEverywhere(declined, ["DECLINED", "05", "payer"]);
  });

  it("of a rejected and of a returned debit is the payer's account", async () => {
    const rejected = await accept(pullPushBody(bankSource("000000003")));
    const returned = await accept(pullPushBody(bankSource("000000001")));

    await expectToldEverywhere(rejected, ["DECLINED", "AC02", "payer"]);
    await expectToldEverywhere(returned, ["REFUNDED", "AM04", "payer"]);
  });

  it("of a void is that its caller asked for it, and of a full refund too", async () => {
    const voided = await accept(cardPullBody("1", { capture: false }));
    const refunded = await accept(cardPullBody("1"));
    await post(`/payments/${voided.id}/void`);
    const part = { externalRefundId: freshId(), amount: 30 };
    const some = await post(`/payments/${refunded.id}/refund`, part);
    const between = await client.payment(refunded.id);
    await post(`/payments/${refunded.id}/refund`, { externalRefundId: freshId() });

    expect(between.body).not.toHaveProperty("reasonCode");
    expect((between.body["history"] as Json[]).at(-1)).toMatchObject({ status: "CAPTURED", reasonCode: "MD06" });
    expect((await client.payment(String(some.body["paymentId"]))).body).toMatchObject({ reasonCode: "MD06" });
    await expectToldEverywhere(voided, ["VOIDED", "CUST", "payer"]);
    await expectToldEverywhere(refunded, ["REFUNDED", "MD06", "payer"]);
  });

  it("of a refund that its acquirer refuses is told of the refund, and not of the payment", async () => {
    const pulled = await accept(cardPullBody("1"));
    await world.act({ provider: "acquirer", reference: pulled.paymentId, act: "REFUND", amount: "90", isSilent: true });

    const refund = await post(`/payments/${pulled.id}/refund`, { externalRefundId: freshId(), amount: 50 });
    const record = await client.payment(pulled.id);
    const child = await client.payment(String(refund.body["paymentId"]));

    const told = { status: "DECLINED", reasonCode: "13", whoseMove: "platform" };
    expect(refund.body).toMatchObject(told);
    expect(child.body).toMatchObject(told);
    expect(record.body["status"]).toBe("CAPTURED");
    expect(record.body).not.toHaveProperty("reasonCode");
    expect((record.body["history"] as Json[]).at(-1)).toMatchObject({ code: "REFUND", reasonCode: "13" });
  });

  it("of a pull that screening refuses is regulatory, before any provider hears of it", async () => {
    const sender = { ...(cardPullBody("1")["sender"] as Json), lastName: "Sanctioned" };
    const pulled = await accept(cardPullBody("1", { sender }));
    const reviews = async (): Promise<Json[]> =>
      (Object(await operator("GET", `/reviews?subjectId=${pulled.paymentId}`)) as { reviews: Json[] }).reviews;
    const [review] = await until(reviews, (found) => found.length > 0);
    const path = `/tenants/demo/reviews/${String(review?.["reviewId"])}`;

    await operator("POST", path, { approve: false, note: "looked at" });

    await expectToldEverywhere(pulled, ["DECLINED", "RR04", "platform"]);
    expect(((await world.book())["authorizations"] ?? []).map(({ reference }) => reference)).not.toContain(
      pulled.paymentId,
    );
  });

  it("of a PULLPUSH is its payout's, also of the reversal that follows, and of the leg that failed", async () => {
    const rejected = await accept(pullPushBody(cardSource("1"), sim("reject-account")));
    const returned = await accept(pullPushBody(cardSource("1"), sim("return-after-paid")));

    const { record } = await expectToldEverywhere(rejected, ["DECLINED", "AC03", "recipient"]);
    await expectToldEverywhere(returned, ["REFUNDED", "AC04", "recipient"]);
    const failed = (record["history"] as Json[]).find(({ description }) => description === "refused by the rail");
    const leg = await client.payment(String(failed?.["paymentId"]));
    expect(leg.body).toMatchObject({ parentPaymentId: rejected.paymentId, reasonCode: "AC03" });
  }, 240_000);

  it("of a challenge that nobody answers, and of an authorisation that nobody captures, is that time is over", async () => {
    const challenged = await accept(cardPullBody("4"));
    const failed = await accept(cardPullBody("4"));
    await world.answerChallenge(String(failed.answer["redirectAcsUrl"]), "fail");
    await expectToldEverywhere(failed, ["DECLINED", "82", "payer"]);
    await world.advance(16 * minute);
    const late = await until(
      () => client.payment(challenged.id),
      ({ body }) => body["status"] !== "PENDING",
    );
    await expectToldEverywhere(challenged, [String(late.body["status"]), "82", "payer"]);
    const authorised = await accept(cardPullBody("1", { capture: false }));

    await world.advance(week + minute);

    await expectToldEverywhere(authorised, ["VOIDED", "EDTR", "payer"]);
  }, 240_000);
});
