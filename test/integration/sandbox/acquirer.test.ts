import type { Sandbox } from "../../../sandbox/app";
import { call, cardToken, eventually, type Platform, type Reply, startPlatform, startWorld } from "./outside-world";

describe("the acquirer", () => {
  let world: Sandbox;
  let platform: Platform;
  const place = (path = "") => `${world.url}/acquirer/authorizations${path}`;
  const authorize = (reference: string, digit = "1", changes: object = {}) =>
    call("POST", place(), {
      reference,
      cardToken: cardToken(digit),
      amount: "100.00",
      currency: "USD",
      capture: false,
      ipAddress: "203.0.113.7",
      billing: { city: "London" },
      ...changes,
    });
  const step = (reference: string, path: string, body: object) => call("POST", place(`/${reference}/${path}`), body);
  const query = (reference: string) => call("GET", place(`/${reference}`));
  const told = (reference: string) =>
    platform.received.map(({ body }) => JSON.parse(body)).filter((one) => one.reference === reference);
  const answerPage = (reply: Reply, outcome: string) =>
    fetch(String(reply.body["redirectAcsUrl"]), { method: "POST", body: new URLSearchParams({ outcome }) });

  beforeAll(async () => {
    platform = await startPlatform();
    world = await startWorld({ callbackUrl: platform.root });
  });
  afterEach(() => call("DELETE", `${world.url}/faults`));
  afterAll(async () => {
    await world.stop();
    await platform.stop();
  });

  it("authorizes a card once per reference and says what it knows of the card", async () => {
    const first = await authorize("a1");

    expect(first).toMatchObject({
      status: 201,
      body: {
        status: "AUTHORIZED",
        acquirerId: expect.stringMatching(/^ACQ-/),
        authCode: expect.stringMatching(/^\d{6}$/),
        responseCode: "00",
        card: { bin: "411111", scheme: "VISA", type: "DEBIT", country: "US" },
        avs: "APPROVED",
        cvc: "APPROVED",
      },
    });
    expect(await authorize("a1")).toEqual({ status: 200, body: first.body });
    expect((await authorize("a1", "1", { amount: "100.01" })).status).toBe(409);
    expect((await authorize("a1", "2")).status).toBe(409);
  });

  it("captures once, of the whole or of less, and never more", async () => {
    await authorize("c1");

    expect((await step("c1", "capture", { reference: "c1-s", amount: "100.01" })).body["error"]).toBe(
      "amount_too_high",
    );
    expect((await step("c1", "capture", { reference: "c1-s", amount: "1.001" })).status).toBe(422);
    const replies = await Promise.all([1, 2, 3].map(() => step("c1", "capture", { reference: "c1-s", amount: "60" })));

    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
    expect((await step("c1", "capture", { reference: "c1-s", amount: "61" })).status).toBe(409);
    expect((await step("c1", "capture", { reference: "other", amount: "1" })).body["error"]).toBe("not_capturable");
    expect((await step("c1", "void", { reference: "c1-v" })).body["error"]).toBe("not_voidable");
    expect((await query("c1")).body).toMatchObject({
      status: "CAPTURED",
      captures: [{ reference: "c1-s", amount: "60" }],
    });
  });

  it("refunds in parts up to what was captured", async () => {
    await authorize("r1", "1", { capture: true });
    const refund = (reference: string, amount: string) => step("r1", "refunds", { reference, amount });

    const statuses = [
      await refund("p1", "60"),
      await refund("p1", "60"),
      await refund("p2", "40.01"),
      await refund("p2", "40"),
    ];

    expect(statuses.map(({ status }) => status)).toEqual([201, 200, 422, 201]);
    expect((await query("r1")).body).toMatchObject({
      captures: [{ amount: "100.00" }],
      refunds: [{ amount: "60" }, { amount: "40" }],
    });
  });

  it("lets exactly one of a void and a capture win", async () => {
    await authorize("race");

    const [voided, captured] = await Promise.all([
      step("race", "void", { reference: "v" }),
      step("race", "capture", { reference: "c", amount: "100" }),
    ]);

    const winner = voided.status === 201 ? "VOIDED" : "CAPTURED";
    expect(winner === "VOIDED" ? captured.status : voided.status).toBe(409);
    expect((await step("race", "void", { reference: "v" })).status).toBe(winner === "VOIDED" ? 200 : 409);
    const { body } = await query("race");
    expect(body["status"]).toBe(winner);
    expect(body["captures"]).toHaveLength(winner === "VOIDED" ? 0 : 1);
  });

  it("declines, and knows no token that nobody made", async () => {
    expect((await authorize("d1", "3")).body).toMatchObject({ status: "DECLINED", responseCode: "05", avs: "N/A" });
    expect(await authorize("d2", "1", { cardToken: "12345678-1234-4234-8234-123456789012" })).toMatchObject({
      status: 422,
      body: { error: "unknown_token" },
    });
    expect((await query("d2")).status).toBe(404);
    expect((await step("d2", "void", { reference: "v" })).status).toBe(404);
  });

  it("tells the card behind a token, and which token is no card's", async () => {
    const card = (token: string) => call("POST", `${world.url}/acquirer/cards`, { cardToken: token });

    expect(await card(cardToken("3"))).toMatchObject({
      status: 200,
      body: { cardToken: cardToken("3"), card: { lastFour: "3333" } },
    });
    expect(await card("12345678-1234-4234-8234-123456789012")).toMatchObject({
      status: 422,
      body: { error: "unknown_token" },
    });
    expect((await card("4111111111111111")).status).toBe(400);
  });

  it.each([
    ["5", { avs: "FAILED" }],
    ["6", { cvc: "NOT_CHECKED" }],
    ["2", { card: expect.objectContaining({ scheme: "MASTERCARD", type: "CREDIT" }) }],
  ])("shows the results of card %s", async (digit, results) => {
    expect((await authorize(`results-${digit}`, digit)).body).toMatchObject({ status: "AUTHORIZED", ...results });
  });

  it("says that no address was sent", async () => {
    expect((await authorize("bare", "1", { billing: undefined })).body["avs"]).toBe("NOT_SENT");
  });

  it.each([
    ["pass", "AUTHORIZED", "00"],
    ["fail", "DECLINED", "82"],
  ])("asks the cardholder on a page: %s", async (outcome, status, responseCode) => {
    const first = await authorize(`3ds-${outcome}`, "4");
    const form = await fetch(String(first.body["redirectAcsUrl"])).then((response) => response.text());

    expect(first.body).toMatchObject({ status: "CHALLENGE" });
    expect(form).toContain("<form");
    expect((await answerPage(first, "maybe")).status).toBe(400);
    await answerPage(first, outcome);
    await answerPage(first, outcome === "pass" ? "fail" : "pass");
    await eventually(() => told(`3ds-${outcome}`).length === 1);

    expect(told(`3ds-${outcome}`)).toMatchObject([{ status, responseCode, eventId: expect.any(String) }]);
    expect((await query(`3ds-${outcome}`)).body["status"]).toBe(status);
  });

  it("captures after the page what was to be captured, and forgets a voided challenge", async () => {
    const first = await authorize("3ds-capture", "4", { capture: true });
    const voided = await authorize("3ds-voided", "4");
    await step("3ds-voided", "void", { reference: "v" });

    await Promise.all([answerPage(first, "pass"), answerPage(voided, "pass")]);

    expect((await query("3ds-capture")).body).toMatchObject({ status: "CAPTURED", captures: [{ amount: "100.00" }] });
    expect((await query("3ds-voided")).body["status"]).toBe("VOIDED");
  });

  it("declines when a page was not used for fifteen minutes", async () => {
    const first = await authorize("3ds-late", "4");

    await call("POST", `${world.url}/clock`, { advance: 901 });
    await eventually(() => told("3ds-late").length === 1);

    expect((await query("3ds-late")).body).toMatchObject({ status: "DECLINED", message: "Authentication timed out" });
    expect(await answerPage(first, "pass").then((response) => response.text())).toContain("expired");
  });

  const verify = (reference: string, digit: string, changes: object = {}) =>
    call("POST", `${world.url}/acquirer/verifications`, {
      reference,
      cardToken: cardToken(digit),
      firstName: "Ada",
      lastName: "Lovelace",
      ipAddress: "203.0.113.7",
      address: { countryCode: "GBR", city: "London", line1: "12 Hill Road", zipCode: "N1" },
      ...changes,
    });

  it.each([
    ["1", { nameResult: "APPROVED", oct: { capable: true, highPerforming: true, lowPerforming: false } }],
    ["2", { nameResult: "N/A", card: { scheme: "MASTERCARD" } }],
    ["7", { nameResult: "NO_MATCH" }],
    ["8", { oct: { capable: true, highPerforming: false, lowPerforming: true }, aft: { capable: false } }],
    ["9", { nameResult: "N/A", card: { category: "BUSINESS" } }],
    ["0", { nameResult: "N/A", card: { category: "PREPAID" } }],
  ])("verifies card %s without a charge", async (digit, results) => {
    const { status, body } = await verify(`v-${digit}`, digit);

    expect(status).toBe(201);
    expect(body).toMatchObject({ status: "VERIFIED", avs: "APPROVED", ...results });
    expect((await verify(`v-${digit}`, digit)).body).toEqual(body);
  });

  it("has no capability flags for a network that has none", async () => {
    expect(Object.keys((await verify("flags", "2")).body)).not.toEqual(expect.arrayContaining(["oct"]));
  });

  it("leaves the name out when it is not asked for", async () => {
    expect((await verify("no-name", "1", { nameInquiry: false })).body["nameResult"]).toBe("N/A");
  });

  it("has the verdict of a challenged check for the next one of the same card and name", async () => {
    const first = await verify("w1", "4", { firstName: "Grace" });
    const again = await verify("w2", "4", { firstName: "Grace" });
    await answerPage(first, "pass");

    expect(first.body).toMatchObject({ status: "CHALLENGE", avs: "N/A", nameResult: "N/A" });
    expect(again.body["redirectAcsUrl"]).toBe(first.body["redirectAcsUrl"]);
    expect((await verify("w3", "4", { firstName: "Grace" })).body["status"]).toBe("VERIFIED");
    expect((await verify("w4", "4", { firstName: "Ada" })).body["status"]).toBe("CHALLENGE");
  });

  it("books its own refusals, and no effect of an outage", async () => {
    const fault = (rule: object) => call("POST", `${world.url}/faults`, { rail: "acquirer", times: 1, ...rule });
    await fault({ operation: "authorize", refuse: true });
    expect((await authorize("f1")).body["status"]).toBe("DECLINED");
    expect((await authorize("f1")).body["status"]).toBe("DECLINED");
    await authorize("f2");
    await fault({ operation: "capture", status: 503 });
    expect((await step("f2", "capture", { reference: "s", amount: "1" })).status).toBe(503);

    expect((await query("f2")).body["status"]).toBe("AUTHORIZED");
  });

  it("names every wrong field and asks for its key", async () => {
    const { body } = await call("POST", place(), { reference: "", amount: "0", currency: "USD", cardToken: "x" });

    expect(body["fields"]).toMatchObject(
      ["amount", "capture", "ipAddress", "reference", "cardToken"].map((field) => ({ field })),
    );
    expect((await call("GET", place("/a1"), undefined, "wrong")).status).toBe(401);
    expect((await verify("bad", "1", { address: {} })).status).toBe(400);
  });

  it("shows in its book how often it was called", async () => {
    await authorize("book");
    await authorize("book");

    const { body } = await call("GET", `${world.url}/book?reference=book`);

    expect(body["authorizations"]).toMatchObject([{ calls: { authorize: 2 }, status: "AUTHORIZED", callbacks: [] }]);
  });
});
