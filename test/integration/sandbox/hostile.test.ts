import { createHmac } from "node:crypto";
import { request } from "undici";
import type { Sandbox } from "../../../sandbox/app";
import {
  call,
  callbackSecret,
  cardToken,
  eventually,
  order,
  type Platform,
  railKey,
  railOf,
  startPlatform,
  startWorld,
} from "./outside-world";

describe("providers that behave badly on request", () => {
  let world: Sandbox;
  let platform: Platform;
  let rail: ReturnType<typeof railOf>;
  beforeAll(async () => {
    platform = await startPlatform();
    world = await startWorld({ callbackUrl: platform.root });
    rail = railOf(world.url);
  });
  afterEach(() => call("DELETE", `${world.url}/faults`));
  afterAll(async () => {
    await world.stop();
    await platform.stop();
  });

  const fault = (rule: object | object[]) => call("POST", `${world.url}/faults`, rule);
  const act = (body: object) => call("POST", `${world.url}/acts`, body);
  const told = (reference: string) =>
    platform.received.map(({ body }) => JSON.parse(body)).filter((one) => one.reference === reference);
  const authorize = (reference: string, capture = false) =>
    call("POST", `${world.url}/acquirer/authorizations`, {
      reference,
      cardToken: cardToken("1"),
      amount: "100.00",
      currency: "USD",
      capture,
      ipAddress: "203.0.113.7",
    });
  const authorization = async (reference: string) =>
    (await call("GET", `${world.url}/acquirer/authorizations/${reference}`)).body;
  const step = (reference: string, path: string, body: object) =>
    call("POST", `${world.url}/acquirer/authorizations/${reference}/${path}`, body);
  const movements = async (reference: string) =>
    (await call("GET", `${world.url}/book?reference=${reference}`)).body["movements"] as {
      kind: string;
      amount: string;
      currency: string;
    }[];
  /** Every answer as it comes, also what is no JSON. */
  const raw = async (reference: string) => {
    const headers = { authorization: `Bearer ${railKey}` };
    const { statusCode, body } = await request(`${world.url}/rails/pix/instructions/${reference}`, { headers });
    return { status: statusCode, text: await body.text() };
  };

  it.each([
    ["html", {}, 200, /^<!doctype html>/],
    ["empty", {}, 200, /^$/],
    ["truncated", {}, 200, /^\{"reference".*[^}]$/],
    ["oversized", {}, 200, /x{200000}/],
    ["wrong-amount", {}, 200, /"amount":"544.21"/],
    ["wrong-currency", {}, 200, /"currency":"CHF"/],
    ["other-reference", {}, 200, /"reference":"other-/],
    [undefined, { status: 425, body: { error: "too_early" } }, 425, /too_early/],
    [undefined, { status: 404, body: "no such route" }, 404, /^no such route$/],
  ])("answer %s %p", async (kind, answer, status, text) => {
    const reference = `answer-${status}-${kind ?? String(text).length}`;
    await rail.prepare(order(reference));
    await fault({ provider: "pix", step: "query", times: 1, answer: { ...answer, ...(kind && { kind }) } });

    const bad = await raw(reference);
    const good = await raw(reference);

    expect(bad.status).toBe(status);
    expect(bad.text).toMatch(text);
    expect(JSON.parse(good.text)).toMatchObject({ reference, status: "PREPARED", amount: "543.21" });
  });

  it.each(["lost", "reset"])("execute and let the connection end: %s", async (kind) => {
    const reference = `gone-${kind}`;
    await rail.prepare(order(reference));
    await fault({ provider: "pix", step: "release", times: 1, answer: { kind } });

    await expect(rail.release(reference)).rejects.toThrow();
    expect(await rail.entry(reference)).toMatchObject({ releases: 1 });
  });

  it("do it to one order alone: by its reference, by a mark in its texts, at the nth call", async () => {
    const busy = { execute: false, answer: { status: 503, body: {} } };
    await rail.prepare(order("one"));
    await rail.prepare(order("two", { remittance: "rent FAULT:second" }));
    await fault([
      { provider: "pix", step: "query", reference: "one", nth: 2, times: 1, ...busy },
      { provider: "pix", step: "query", mark: "second", times: 1, ...busy },
    ]);
    await call("POST", `${world.url}/rails/pix/instructions`, order("two", { remittance: "rent FAULT:second" }));
    const statuses = async (reference: string) => [
      (await raw(reference)).status,
      (await raw(reference)).status,
      (await raw(reference)).status,
    ];

    expect(await statuses("one")).toEqual([200, 503, 200]);
    expect(await statuses("two")).toEqual([503, 200, 200]);
  });

  it("execute other amounts, in another currency and twice, and each is a movement", async () => {
    await authorize("other");
    await fault([
      { provider: "acquirer", step: "capture", reference: "other", times: 1, effect: { amount: "60.74" } },
      { provider: "acquirer", step: "refund", reference: "other", times: 1, effect: { currency: "EUR", copies: 2 } },
    ]);

    const captured = await step("other", "capture", { reference: "other.c", amount: "100.00" });
    const again = await step("other", "capture", { reference: "other.c", amount: "100.00" });
    await step("other", "refunds", { reference: "other.r", amount: "10.00" });

    expect(captured).toMatchObject({ status: 201, body: { amount: "60.74", currency: "USD", status: "CAPTURED" } });
    expect(captured.body["movementId"]).toMatch(/^MOV-/);
    expect(again).toEqual({ status: 200, body: captured.body });
    expect((await movements("other")).map(({ kind, amount, currency }) => [kind, amount, currency])).toEqual([
      ["CAPTURE", "60.74", "USD"],
      ["REFUND", "10.00", "EUR"],
      ["REFUND", "10.00", "EUR"],
    ]);
    expect((await authorization("other"))["refunds"]).toHaveLength(2);
  });

  it("tell before they answer", async () => {
    await rail.prepare(order("early"));
    await fault({ provider: "pix", step: "release", reference: "early", times: 1, tell: "before" });

    await rail.release("early");

    expect(told("early")[0]).toMatchObject({ status: "RELEASED" });
  });

  it("tell nothing, twice, something else, of somebody else, and too late", async () => {
    const names = ["silent", "double", "other-words", "late"];
    for (const name of names) await rail.prepare(order(name));
    const rule = (reference: string, report: object) => ({ provider: "pix", step: "report", reference, report });
    const extras = [
      { hasSameEvent: true, change: { amount: "1.00" } },
      { when: "before", change: { reference: "stranger" } },
    ];
    await fault([
      rule("silent", { isSuppressed: true }),
      rule("double", { copies: 2 }),
      rule("other-words", { extras }),
      { ...rule("late", { overtakenMs: 300 }), times: 1 },
    ]);

    for (const name of names) await rail.release(name);
    await eventually(() => told("double").length === 2 && told("other-words").length === 2);
    await eventually(() => told("late").length === 1);

    expect(told("silent")).toEqual([]);
    const [first, second] = told("double");
    expect(first).toEqual(second);
    expect(told("other-words").map(({ amount }) => amount)).toEqual(["543.21", "1.00"]);
    expect(new Set(told("other-words").map(({ eventId }) => eventId)).size).toBe(1);
    expect(told("stranger")).toMatchObject([{ status: "PAID" }]);
  });

  it("sign wrongly", async () => {
    const kinds = ["wrong", "other-provider", "stale", "none", "body"];
    for (const kind of kinds) {
      await rail.prepare(order(`signed-${kind}`));
      await fault({ provider: "pix", step: "callback", reference: `signed-${kind}`, signature: kind });
      await rail.release(`signed-${kind}`);
    }
    await eventually(() => kinds.every((kind) => told(`signed-${kind}`).length > 0));

    const isGood = (kind: string): boolean => {
      const { headers, body } = platform.received.find((one) => one.body.includes(`"signed-${kind}"`)) ?? {};
      const [, t, id, mac] = /^t=(\d+),id=([^,]+),v1=(.*)$/.exec(String(headers?.["x-signature"])) ?? [];
      const isYoung = Math.abs(Number(t) - Date.now() / 1_000) < 300;
      return isYoung && mac === createHmac("sha256", callbackSecret).update(`pix.${id}.${t}.${body}`).digest("hex");
    };
    expect(kinds.map(isGood)).toEqual(kinds.map(() => false));
  });

  it("act by themselves: charge back, return in part, reject what was paid, pay what was rejected or cancelled", async () => {
    await authorize("disputed", true);
    await rail.prepare(order("second-thoughts"));
    await rail.release("second-thoughts");
    await eventually(async () => (await rail.entry("second-thoughts"))?.status === "PAID");
    await rail.cancel("never");
    await rail.prepare(order("cancelled"));
    await rail.cancel("cancelled");

    const acts = [
      await act({ provider: "acquirer", reference: "disputed", act: "CHARGEBACK", amount: "40.00" }),
      await act({ provider: "pix", reference: "second-thoughts", act: "RETURN", amount: "43.21" }),
      await act({ provider: "pix", reference: "second-thoughts", act: "REJECT" }),
      await act({ provider: "pix", reference: "second-thoughts", act: "PAY" }),
      await act({ provider: "pix", reference: "cancelled", act: "PAY" }),
      await act({ provider: "pix", reference: "nobody", act: "PAY" }),
      await act({ provider: "pix", reference: "cancelled", act: "EXPLODE" }),
    ];

    expect(acts.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 404, 400]);
    expect((await authorization("disputed"))["chargebacks"]).toMatchObject([{ amount: "40.00", currency: "USD" }]);
    expect((await movements("second-thoughts")).map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
      "PAYOUT 543.21",
      "PAYOUT_RETURN 43.21",
      "PAYOUT_RETURN 500",
      "PAYOUT 543.21",
    ]);
    expect((await rail.query("cancelled")).body).toMatchObject({ status: "PAID", payouts: [{ amount: "543.21" }] });
    await eventually(() => told("second-thoughts").length === 4);
    expect(told("second-thoughts").map(({ status }) => status)).toEqual(["PAID", "RETURNED", "REJECTED", "PAID"]);
  });

  it("return days later, by this world's clock", async () => {
    await rail.prepare(order("days"));
    const acts = [{ act: "RETURN", afterSeconds: 3 * 86_400, amount: "500.00" }];
    await fault({ provider: "pix", step: "release", reference: "days", times: 1, acts });
    await rail.release("days");
    await eventually(async () => (await rail.entry("days"))?.status === "PAID");

    expect((await movements("days")).map(({ kind }) => kind)).toEqual(["PAYOUT"]);
    await call("POST", `${world.url}/clock`, { advance: 3 * 86_400 });
    await eventually(async () => (await rail.entry("days"))?.status === "RETURNED");
    expect((await movements("days")).map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
      "PAYOUT 543.21",
      "PAYOUT_RETURN 500.00",
    ]);
  });

  it("take debits back after a refund, settle what was rejected, and void", async () => {
    const account = { routingNumber: "021000021", accountNumber: "1234567890", accountType: "checking", holder: "Ada" };
    const refused = { ...account, accountNumber: "000000003" };
    const debit = (reference: string, from: object) =>
      call("POST", `${world.url}/debits`, { reference, amount: "100.00", currency: "USD", account: from });
    await debit("back", account);
    await eventually(async () => (await call("GET", `${world.url}/debits/back`)).body["status"] === "SETTLED");
    await call("POST", `${world.url}/debits/back/refunds`, { reference: "back.r", amount: "30.00" });
    await debit("revived", refused);
    await debit("voided", account);

    await act({ provider: "debits", reference: "back", act: "RETURN", amount: "100.00" });
    await act({ provider: "debits", reference: "revived", act: "SETTLE" });
    await act({ provider: "debits", reference: "voided", act: "VOID" });

    const kinds = async (reference: string) =>
      (await movements(reference)).map(({ kind, amount }) => `${kind} ${amount}`);
    expect(await kinds("back")).toEqual(["CAPTURE 100.00", "REFUND 30.00", "RETURN 100.00"]);
    expect(await kinds("revived")).toEqual(["CAPTURE 100.00"]);
    expect(await kinds("voided")).toEqual(["CAPTURE 100.00", "RETURN 100"]);
    expect((await call("GET", `${world.url}/debits/voided`)).body).toMatchObject({ status: "VOIDED" });
  });

  it("give the same refusals as their list says, with code and sentence", async () => {
    await authorize("refusing");
    const values = (await call("GET", `${world.url}/values`)).body as {
      refusals: Record<string, { reasonCode: string; message: string }>;
    };

    const tooHigh = await step("refusing", "capture", { reference: "c", amount: "100.01" });
    const tooSoon = await step("refusing", "refunds", { reference: "r", amount: "1.00" });

    const { reasonCode, message } = values.refusals["amount_too_high"] ?? {};
    expect(message).toMatch(/\w/);
    expect(tooHigh).toMatchObject({
      status: 422,
      body: { error: "amount_too_high", reasonCode, message },
    });
    expect(tooSoon).toMatchObject({
      status: 409,
      body: { error: "not_refundable", reasonCode: "12", status: "AUTHORIZED" },
    });
  });

  it("show every result of a card check", async () => {
    const results = new Set<unknown>();
    for (const digit of ["1", "3", "5", "a", "b", "c"]) {
      const { body } = await call("POST", `${world.url}/acquirer/authorizations`, {
        reference: `card-${digit}`,
        cardToken: cardToken(digit),
        amount: "1",
        currency: "USD",
        capture: false,
        ipAddress: "203.0.113.7",
        ...(digit === "b" ? {} : { billing: { city: "Miami" } }),
      });
      results.add(`avs ${body["avs"]}`).add(`cvc ${body["cvc"]}`);
    }

    for (const word of ["APPROVED", "FAILED", "NOT_SENT", "N/A"]) {
      expect(results).toContain(`avs ${word}`);
      expect(results).toContain(`cvc ${word}`);
    }
  });

  it("take empty texts for no address", async () => {
    const billing = { stateCode: "", city: "", line1: "", line2: "", zipCode: "", countryCode: "" };
    const { body } = await call("POST", `${world.url}/acquirer/authorizations`, {
      reference: "no-address",
      cardToken: cardToken("1"),
      amount: "1",
      currency: "USD",
      capture: false,
      ipAddress: "203.0.113.7",
      billing,
    });

    expect(body["avs"]).toBe("NOT_SENT");
  });

  it.each([
    [{ provider: "nobody", step: "query" }, "provider"],
    [{ provider: "pix", step: "fly" }, "step"],
    [{ provider: "pix", step: "query", answer: { kind: "funny" } }, "answer.kind"],
    [{ provider: "pix", step: "query", surprise: true }, "surprise"],
    [
      [
        { provider: "pix", step: "query" },
        { provider: "pix", step: "query", nth: 0 },
      ],
      "nth",
    ],
  ])("are not made by a wrong rule %p", async (rule, field) => {
    expect(await fault(rule)).toMatchObject({ status: 400, body: { fields: [expect.objectContaining({ field })] } });
    await rail.prepare(order("unharmed"));
    expect((await rail.query("unharmed")).status).toBe(200);
  });
});

describe("statements", () => {
  let world: Sandbox;
  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(() => world.stop());

  const pay = async (reference: string): Promise<void> => {
    const rail = railOf(world.url);
    await rail.prepare(order(reference));
    await rail.release(reference);
    await eventually(async () => (await rail.entry(reference))?.status === "PAID");
  };
  const page = async (query = "") =>
    (await call("GET", `${world.url}/statements/pix${query}`)).body as {
      lines: Record<string, unknown>[];
      next: string;
      hasMore: boolean;
    };

  it("come in pages after a cursor, with the key", async () => {
    for (const reference of ["s1", "s2", "s3"]) await pay(reference);

    const first = await page("?limit=2");
    const second = await page(`?after=${first.next}&limit=2`);
    const none = await page(`?after=${second.next}`);

    expect(first).toMatchObject({ next: "2", hasMore: true, lines: [{ reference: "s1" }, { reference: "s2" }] });
    expect(second).toMatchObject({ next: "3", hasMore: false });
    expect(none).toMatchObject({ next: "3", hasMore: false, lines: [] });
    expect(first.lines[0]).toEqual({
      sequence: 1,
      lineId: expect.stringMatching(/^LN-/),
      reference: "s1",
      movementId: expect.stringMatching(/^MOV-/),
      kind: "PAYOUT",
      amount: "543.21",
      currency: "BRL",
      bookedAt: expect.stringMatching(/Z$/),
      valueDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    });
    expect((await call("GET", `${world.url}/statements/pix`, undefined, "wrong")).status).toBe(401);
    expect((await call("GET", `${world.url}/statements/nobody`)).status).toBe(404);
    expect((await call("GET", `${world.url}/statements/pix?limit=0`)).status).toBe(400);
  });

  it("come as a file a day, with the same columns", async () => {
    await pay("filed");
    const [line] = (await page()).lines;
    const day = String(line?.["bookedAt"]).slice(0, 10);
    const headers = { authorization: `Bearer ${railKey}` };

    const { body } = await request(`${world.url}/statements/pix/files/${day}.csv`, { headers });
    const empty = await request(`${world.url}/statements/pix/files/2001-01-01.csv`, { headers });

    expect(await body.text()).toBe(
      `sequence,lineId,reference,movementId,kind,amount,currency,bookedAt,valueDate\n${Object.values(line ?? {}).join(",")}\n`,
    );
    expect((await empty.body.text()).split("\n")).toHaveLength(2);
  });

  it("miss lines, double them, bring them late and say something else, while the book tells the truth", async () => {
    const rule = (reference: string, line: object) => ({ provider: "pix", step: "statement", reference, line });
    await call("POST", `${world.url}/faults`, [
      rule("missed", { is: "missing" }),
      rule("doubled", { is: "doubled" }),
      rule("late", { is: "late", afterSeconds: 86_400 }),
      rule("differs", { change: { amount: "543.20" } }),
    ]);
    for (const reference of ["missed", "doubled", "late", "differs"]) await pay(reference);

    const before = await page();
    await call("POST", `${world.url}/clock`, { advance: 86_400 });
    await eventually(async () => (await page()).lines.length === 4);
    const { lines } = await page();
    const { body } = await call("GET", `${world.url}/book`);

    expect(before.lines.map(({ sequence, reference }) => [sequence, reference])).toEqual([
      [2, "doubled"],
      [3, "doubled"],
      [4, "differs"],
    ]);
    expect(lines.at(-1)).toMatchObject({ sequence: 5, reference: "late", kind: "PAYOUT" });
    expect(lines[2]).toMatchObject({ amount: "543.20" });
    expect(body["movements"]).toHaveLength(4);
    expect(new Set((body["movements"] as { amount: string }[]).map(({ amount }) => amount))).toEqual(
      new Set(["543.21"]),
    );
  });

  it("name what was put into the account of a rail", async () => {
    const set = (available: string) => call("PUT", `${world.url}/rails/pix/balance`, { currency: "BRL", available });
    await set("1000000100.00");
    await set("5.00");

    expect((await page()).lines).toMatchObject([{ kind: "DEPOSIT", amount: "100", currency: "BRL" }]);
  });
});
