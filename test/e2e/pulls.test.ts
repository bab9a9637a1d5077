import type { Platform } from "../../local/platform";
import { type OutsideWorld, outsideWorld } from "../support/outside-world";
import { cardPullBody } from "../support/payment-bodies";
import { connectClient, freshId, type PlatformClient, type Reply, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

const weekSeconds = 7 * 24 * 3_600;

/** A call that is never answered, executed or not. */
const silence = (isExecuted: boolean): object => (isExecuted ? { timeoutAfterExecute: true } : { status: 503 });

describe("a pull", () => {
  let platform: Platform;
  let client: PlatformClient;
  let world: OutsideWorld;

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    world = outsideWorld(platform);
  });

  afterEach(() => client.clearFaults());

  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  const act = async (id: unknown, action: string, body?: object): Promise<Reply> => {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const headers = { authorization: `Bearer ${await client.token()}`, ...json };
    return client.send("POST", `/payments/${String(id)}/${action}`, headers, body && JSON.stringify(body));
  };
  const lookUp = (id: unknown): Promise<Reply> => client.payment(String(id));
  const authorised = async (): Promise<{ id: string; reply: Reply }> => {
    const body = cardPullBody("1", { capture: false });
    return { id: String(body["externalPaymentId"]), reply: await client.pay(body) };
  };
  const authorization = async (reference: unknown) =>
    (await world.book())["authorizations"]?.find((entry) => entry.reference === reference);
  const statusIs = (status: string) => (reply: Reply) => reply.body["status"] === status;

  it("is CAPTURED at once, the same however often it is sent, and shows its card in both versions", async () => {
    const body = cardPullBody("1");

    const first = await client.pay(body);
    const again = await client.pay(body);
    const second = await lookUp(body["externalPaymentId"]);
    const headers = { authorization: `Bearer ${await client.token()}` };
    const firstVersion = await client.send("GET", `/payments/${String(body["externalPaymentId"])}`, headers);

    expect(first).toMatchObject({
      status: 200,
      body: { status: "CAPTURED", approved: true, captured: true, voided: false, amount: 100, responseCode: "00" },
    });
    expect(again.text).toBe(first.text);
    expect(second.body).toMatchObject({
      status: "CAPTURED",
      approved: true,
      capturedAmount: 100,
      refundedAmount: 0,
      refundedOn: null,
      history: [
        { code: "PAYMENT", status: "AUTHORIZED", requestedAmount: 100 },
        { code: "CAPTURE", status: "CAPTURED", requestedAmount: 100 },
      ],
      transactionFees: [{ source: "PAYMENT", eventId: "CAPTURE", amount: 1.6 }],
      card: { cardType: "DEBIT", avsStatus: "APPROVED", cvcStatus: "APPROVED" },
    });
    expect(Object.keys(Object(firstVersion.body["card"])).toSorted()).toEqual([
      "bin",
      "cardCategory",
      "cardType",
      "country",
      "countryCode",
      "currencyCode",
      "issuer",
      "lastFourDigits",
      "schemeId",
    ]);
    expect(second.body["card"]).toMatchObject(Object(firstVersion.body["card"]));
  });

  it("is DECLINED by a declining card, with HTTP 200", async () => {
    const body = cardPullBody("3");

    const reply = await client.pay(body);

    expect(reply).toMatchObject({ status: 200, body: { status: "DECLINED", approved: false, captured: false } });
    expect((await act(body["externalPaymentId"], "void")).body).toMatchObject({
      code: "PAY_409",
      details: { status: "DECLINED", allowed: [] },
    });
  });

  it("is captured in part, once, and refunded in parts up to what was captured", async () => {
    const { id, reply } = await authorised();

    const captured = await act(id, "capture", { amount: 60 });
    const again = await act(id, "capture", { amount: 60 });
    const other = await act(id, "capture", { amount: 61 });
    const first = await act(id, "refund", { externalRefundId: `${id}-r1`, amount: 20, reason: "one item" });
    const repeated = await act(id, "refund", { externalRefundId: `${id}-r1`, amount: 20, reason: "one item" });
    const changed = await act(id, "refund", { externalRefundId: `${id}-r1`, amount: 21, reason: "one item" });
    const tooMuch = await act(id, "refund", { externalRefundId: `${id}-r2`, amount: 41 });
    const partly = await lookUp(id);
    const rest = await act(id, "refund", { externalRefundId: `${id}-r3` });
    const record = await lookUp(id);

    expect(reply.body).toMatchObject({ status: "AUTHORIZED", approved: true, captured: false });
    expect(captured).toMatchObject({ status: 200, body: { status: "CAPTURED", amount: 60, captured: true } });
    expect(again.text).toBe(captured.text);
    expect(other).toMatchObject({ status: 409, body: { code: "PAY_409" } });
    expect(first).toMatchObject({ status: 200, body: { status: "REFUNDED", amount: 20, approved: true } });
    expect(first.body["parentPaymentId"]).toBe(reply.body["paymentId"]);
    expect(repeated.text).toBe(first.text);
    expect(changed).toMatchObject({ status: 422, body: { code: "IDM_002", details: { fields: ["amount"] } } });
    expect(tooMuch).toMatchObject({ status: 400, body: { code: "VE_001", errors: [{ field: "amount" }] } });
    expect(partly.body).toMatchObject({ status: "CAPTURED", capturedAmount: 60, refundedAmount: 20 });
    expect(rest.body).toMatchObject({ status: "REFUNDED", amount: 40 });
    expect(record.body).toMatchObject({ status: "REFUNDED", refundedAmount: 60 });
    expect((record.body["history"] as object[]).map((entry) => Object(entry)["code"])).toEqual([
      "PAYMENT",
      "CAPTURE",
      "REFUND",
      "REFUND",
    ]);
    expect((await lookUp(first.body["paymentId"])).body).toMatchObject({
      parentPaymentId: reply.body["paymentId"],
      amount: 20,
      status: "REFUNDED",
    });
    const entry = await authorization(reply.body["paymentId"]);
    expect(entry).toMatchObject({ captures: [{ amount: "60" }], refunds: [{ amount: "20" }, { amount: "40" }] });
  });

  it.each<[string, string, string, string]>([
    ["capture", '{"amout":5}', "amout", "is not known; did you mean amount?"],
    ["capture", '{"amount":"5"}', "amount", "must be a number"],
    ["capture", '{"amount":5e0}', "amount", "must be a plain decimal number from 0 to 999999999999"],
    ["capture", '{"amount":-5}', "amount", "must be a plain decimal number from 0 to 999999999999"],
    ["capture", '{"amount":null}', "amount", "must be a number"],
    ["capture", '{"amount":5.001}', "amount", "must have at most 2 decimals"],
    ["capture", '{"amount":0.0000000000000000001}', "amount", "must not have more digits than a currency can have"],
    ["capture", "[]", "body", "must be a JSON object"],
    ["refund", '{"amount":5}', "externalRefundId", "is required"],
    ["refund", '{"externalRefundId":"a/b"}', "externalRefundId", "must be 1 to 255 characters"],
    ["refund", '{"externalRefundId":"r","resaon":"x"}', "resaon", "is not known; did you mean reason?"],
    ["refund", '{"externalRefundId":"r","reason":7}', "reason", "must be a text of at most 255 characters"],
    [
      "refund",
      `{"externalRefundId":"r","reason":"${"x".repeat(256)}"}`,
      "reason",
      "must be a text of at most 255 characters",
    ],
  ])("takes no %s of %s, and nothing moves", async (action, text, field, rule) => {
    const { id, reply } = await authorised();
    if (action === "refund") await act(id, "capture");
    const before = await authorization(reply.body["paymentId"]);
    const headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };

    const refused = await client.send("POST", `/payments/${id}/${action}`, headers, text);

    const errors = refused.body["errors"] as { field: string; message: string }[];
    expect([refused.status, refused.body["code"]]).toEqual([400, "VE_001"]);
    expect(errors.map((error) => error.field)).toEqual([field]);
    expect(errors[0]?.message).toContain(rule);
    expect(await authorization(reply.body["paymentId"])).toEqual(before);
    // Nothing of the refused request is in the way.
    const body = action === "refund" ? { externalRefundId: `${id}-r` } : {};
    expect(await act(id, action, body)).toMatchObject({ status: 200, body: { approved: true } });
  });

  it("keeps a refund's id for one payment for ever", async () => {
    const bodies = [cardPullBody("1"), cardPullBody("1")];
    for (const body of bodies) await client.pay(body);
    const [one, other] = bodies.map((body) => body["externalPaymentId"]);

    const first = await act(one, "refund", { externalRefundId: `shared-${String(one)}`, amount: 1 });
    const second = await act(other, "refund", { externalRefundId: `shared-${String(one)}`, amount: 1 });

    expect(first.status).toBe(200);
    expect(second).toMatchObject({ status: 422, body: { code: "IDM_002" } });
  });

  it("is voided once, with the fields of the specification, and then nothing else", async () => {
    const { id, reply } = await authorised();

    const voided = await act(id, "void");
    const again = await act(id, "void");
    const captured = await act(id, "capture", {});

    expect(Object.keys(voided.body).toSorted()).toEqual(
      [
        "paymentId",
        "parentPaymentId",
        "externalPaymentId",
        "amount",
        "created",
        "approved",
        "message",
        "automaticReversed",
        "status",
        "captured",
        "voided",
        "authCode",
        "issuerName",
        "issuerCountry",
        "cvcResult",
        "avsResult",
      ].toSorted(),
    );
    expect(voided.body).toMatchObject({ status: "VOIDED", captured: false, voided: true, amount: 100 });
    expect(again.text).toBe(voided.text);
    expect(captured).toMatchObject({ status: 409, body: { code: "PAY_409", details: { status: "VOIDED" } } });
    expect(await authorization(reply.body["paymentId"])).toMatchObject({ status: "VOIDED", captures: [] });
  });

  it("lets exactly one of a void and a capture win, and both ends agree on which", async () => {
    for (let round = 0; round < 8; round += 1) {
      const { id, reply } = await authorised();

      const [voided, captured] = await Promise.all([act(id, "void"), act(id, "capture", {})]);
      const record = await lookUp(id);
      const entry = await authorization(reply.body["paymentId"]);

      expect(voided.status + captured.status).toBe(200 + 409);
      const winner = voided.status === 200 ? "VOIDED" : "CAPTURED";
      expect([record.body["status"], entry?.status]).toEqual([winner, winner]);
    }
  });

  it.each([
    ["authorize", true],
    ["authorize", false],
    ["capture", true],
    ["capture", false],
  ] as const)("loses nothing when the acquirer never answers %s (executed: %s)", async (operation, isExecuted) => {
    await client.fault({ rail: "acquirer", operation, times: 1, ...silence(isExecuted) });
    const body = cardPullBody("1");

    const reply = await client.pay(body);
    const record = await until(() => lookUp(body["externalPaymentId"]), statusIs("CAPTURED"));
    const entry = await authorization(reply.body["paymentId"]);

    expect(reply.status).toBe(200);
    expect(reply.body["status"]).not.toBe("DECLINED");
    expect(record.body).toMatchObject({ status: "CAPTURED", capturedAmount: 100 });
    expect(entry).toMatchObject({ status: "CAPTURED", captures: [{ amount: "100" }] });
    expect((await client.pay(body)).text).toBe(reply.text);
  });

  it.each([
    ["void", true],
    ["void", false],
    ["refund", true],
    ["refund", false],
  ] as const)(
    "answers SYS_503 to an unanswered %s (executed: %s), and the same call continues it",
    async (action, isExecuted) => {
      const { id, reply } = await authorised();
      if (action === "refund") await act(id, "capture", {});
      const body = action === "refund" ? { externalRefundId: `${id}-r`, amount: 30 } : undefined;
      const others = action === "refund" ? { externalRefundId: `${id}-other`, amount: 1 } : {};
      // It stays unknown until the other request was refused.
      await client.fault({ rail: "acquirer", operation: action, times: 1_000, ...silence(isExecuted) });
      await client.fault({ rail: "acquirer", operation: "query", times: 1_000, status: 503 });

      const unknown = await act(id, action, body);
      const rival = await act(id, action === "refund" ? "refund" : "capture", others);
      await client.clearFaults();
      const known = await until(
        () => act(id, action, body),
        ({ status }) => status === 200,
      );
      const entry = await authorization(reply.body["paymentId"]);

      expect(unknown).toMatchObject({ status: 503, body: { code: "SYS_503" } });
      expect(rival).toMatchObject({ status: 409, body: { code: "PAY_409" } });
      expect(known.status).toBe(200);
      expect(entry).toMatchObject(
        action === "refund"
          ? { captures: [{ amount: "100" }], refunds: [{ amount: "30" }] }
          : { status: "VOIDED", captures: [], refunds: [] },
      );
      expect((await lookUp(id)).body).toMatchObject(
        action === "refund"
          ? { capturedAmount: 100, refundedAmount: 30 }
          : { status: "VOIDED", capturedAmount: 0, refundedAmount: 0 },
      );
      expect((await act(id, action, body)).text).toBe(known.text);
    },
  );

  /** A pull of 100 USD from an account that was checked. */
  async function accountPullBody(): Promise<Record<string, unknown>> {
    const headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
    const paymentMethod = { type: "BANK_DEPOSIT", countryCode: "US" };
    const picked = { accountCheckToken: "public-sandbox-ok", accountCheckId: "acc-checking" };
    const check = { externalPaymentId: freshId(), sender: { paymentMethod: { ...paymentMethod, ...picked } } };
    const { body } = await client.send("POST", "/check-account", headers, JSON.stringify(check));
    const method = { type: "BANK_DEPOSIT", accountTokenId: body["accountTokenId"] };
    return cardPullBody("1", { sender: { firstName: "Ada", lastName: "Lovelace", paymentMethod: method } });
  }
  const debit = async (reference: unknown) =>
    (await world.book())["debits"]?.find((entry) => entry.reference === reference);

  it.each([true, false])(
    "debits an account once when the debit is never answered (executed: %s)",
    async (isExecuted) => {
      const body = await accountPullBody();
      const before = (await world.book())["debits"] ?? [];
      await client.fault({ rail: "debits", operation: "debit", times: 1, ...silence(isExecuted) });

      const reply = await client.pay(body);
      const record = await until(() => lookUp(body["externalPaymentId"]), statusIs("CAPTURED"));
      const entry = await until(
        () => debit(reply.body["paymentId"]),
        (found) => found?.status === "SETTLED",
      );

      expect(reply.status).toBe(200);
      expect(record.body).toMatchObject({ status: "CAPTURED", capturedAmount: 100, refundedAmount: 0 });
      expect(entry).toMatchObject({ amount: "100", refunds: [] });
      expect((await world.book())["debits"]).toHaveLength(before.length + 1);
      expect((await client.pay(body)).text).toBe(reply.text);
    },
  );

  it.each([true, false])(
    "refunds a debit once when the refund is never answered (executed: %s)",
    async (isExecuted) => {
      const pulled = await accountPullBody();
      const id = pulled["externalPaymentId"];
      const reply = await client.pay(pulled);
      const refund = { externalRefundId: `${String(id)}-r`, amount: 30 };
      await client.fault({ rail: "debits", operation: "refund", times: 1, ...silence(isExecuted) });

      const first = await until(
        () => act(id, "refund", refund),
        ({ status }) => status !== 409,
      );
      const known = await until(
        () => act(id, "refund", refund),
        ({ status }) => status === 200,
      );

      expect(first).toMatchObject({ status: 503, body: { code: "SYS_503" } });
      expect(known.body).toMatchObject({ status: "REFUNDED", amount: 30 });
      expect((await lookUp(id)).body).toMatchObject({ capturedAmount: 100, refundedAmount: 30 });
      expect(await debit(reply.body["paymentId"])).toMatchObject({ amount: "100", refunds: [{ amount: "30" }] });
    },
  );

  it("waits for a challenge, which the cardholder passes, fails, or lets pass by", async () => {
    const bodies = [cardPullBody("4"), cardPullBody("4"), cardPullBody("4")];
    const replies = [];
    for (const body of bodies) replies.push(await client.pay(body));
    const [passed = "", failed = ""] = replies.map(({ body }) => String(body["redirectAcsUrl"]));
    const [one, two, three] = bodies.map((body) => body["externalPaymentId"]);

    await world.answerChallenge(passed, "pass");
    await world.answerChallenge(failed, "fail");
    const done = await until(() => lookUp(one), statusIs("CAPTURED"));
    const declined = await until(() => lookUp(two), statusIs("DECLINED"));
    await world.advance(16 * 60);
    const late = await until(
      () => lookUp(three),
      ({ body }) => body["status"] !== "PENDING",
    );

    expect(replies[0]).toMatchObject({ status: 200, body: { status: "PENDING", approved: false } });
    expect(done.body["status"]).toBe("CAPTURED");
    expect(declined.body["status"]).toBe("DECLINED");
    expect(["VOIDED", "DECLINED"]).toContain(late.body["status"]);
  });

  it("gives an authorisation up that nobody captured for seven days", async () => {
    const { id, reply } = await authorised();

    await world.advance(weekSeconds + 60);
    const record = await until(() => lookUp(id), statusIs("VOIDED"));

    expect(record.body["status"]).toBe("VOIDED");
    expect(await authorization(reply.body["paymentId"])).toMatchObject({ status: "VOIDED" });
    expect((await act(id, "void")).body).toMatchObject({ automaticReversed: true });
  });
});
