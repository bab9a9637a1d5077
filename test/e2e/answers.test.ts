import { randomUUID } from "node:crypto";
import type { Platform } from "../../local/platform";
import { type OutsideWorld, outsideWorld } from "../support/outside-world";
import { cardPullBody, cardSource, pullPushBody } from "../support/payment-bodies";
import { connectClient, freshId, type PlatformClient, pushBody, type Reply, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

type Headers = Record<string, string>;

const anyQuote = { fxId: "none", conversionRate: 5 };

describe("answers through the edge", () => {
  let platform: Platform;
  let client: PlatformClient;
  let world: OutsideWorld;
  let bearer: Headers;
  let keyed: Headers;
  let agent: Headers;
  let sibling: Headers;

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    world = outsideWorld(platform);
    const json = { "content-type": "application/json" };
    bearer = { ...json, authorization: `Bearer ${await client.token()}` };
    const [demo] = platform.credentials.tenants;
    keyed = { ...json, "x-api-key": demo?.apiKey ?? "" };
    const agentOf = (index: number): Headers => ({
      ...keyed,
      "x-agent-id": demo?.agents[index]?.agentId ?? "",
      "x-agent-api-key": demo?.agents[index]?.apiKey ?? "",
    });
    [agent, sibling] = [agentOf(0), agentOf(1)];
    const { operatorUrl, operatorToken } = platform.credentials;
    await fetch(`${operatorUrl}/tenants/demo/agents/${sibling["x-agent-id"]}/status`, {
      method: "PUT",
      headers: { ...json, authorization: `Bearer ${operatorToken}` },
      body: '{"status":"ACTIVE"}',
    });
  });
  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  const post = (path: string, body: object, headers = bearer): Promise<Reply> =>
    client.send("POST", path, headers, JSON.stringify(body));
  const get = (path: string, { "content-type": _type, ...headers }: Headers = bearer): Promise<Reply> =>
    client.send("GET", path, headers);
  const fieldsOf = ({ body }: Reply): string[] =>
    ((body["errors"] ?? []) as { field: string }[]).map(({ field }) => field).toSorted();
  const refused = { status: 400, body: { code: "VE_001" } };

  describe("that refuse name every failed field at once", () => {
    it("of a push without its id, with a wrong amount and a missing country", async () => {
      const { externalPaymentId: _id, ...body } = pushBody("x", anyQuote, {
        amount: { total: 1.005, currency: "USD" },
        ipAddress: "nowhere",
      });
      const reply = await post("/v2/payment", body);

      expect(reply).toMatchObject(refused);
      expect(fieldsOf(reply)).toEqual(["amount.total", "externalPaymentId", "ipAddress"]);
    });

    it("of a pull with a malformed id and no amount", async () => {
      const reply = await post("/v2/payment", cardPullBody("1", { externalPaymentId: "..", amount: undefined }));

      expect(reply).toMatchObject(refused);
      expect(fieldsOf(reply)).toEqual(["amount", "externalPaymentId"]);
    });

    it("of an agent's transaction, its own name of it too", async () => {
      const reply = await post(
        "/fx/transactions",
        pushBody("a b", anyQuote, { externalId: ".", sender: undefined }),
        agent,
      );

      expect(fieldsOf(reply)).toEqual(["externalId", "externalPaymentId", "sender"]);
    });

    it.each<[string, () => Headers, object, string[]]>([
      [
        "/check-account",
        () => bearer,
        { sender: { paymentMethod: { type: "CASH" } } },
        ["accountCheckId", "accountCheckToken", "countryCode", "type"].map((name) => `sender.paymentMethod.${name}`),
      ],
      ["/organizations/demo/agents", () => keyed, { businessName: 7, externalId: ".." }, ["businessName", "email"]],
      ["/people", () => keyed, { type: "BUSINESS", gender: "?" }, ["gender", "type"]],
      [
        "/v2/foreign-exchange",
        () => bearer,
        { sourceCurrencyAmount: "-1" },
        ["destinationCurrencyCode", "paymentMethod", "sourceCurrencyAmount", "sourceCurrencyCode"],
      ],
    ])("of POST %s", async (path, headers, body, fields) => {
      const reply = await post(path, body, headers());
      const wanted =
        path === "/check-account"
          ? ["externalPaymentId", ...fields]
          : path.endsWith("agents")
            ? [...fields, "externalId"]
            : fields;

      expect(reply).toMatchObject(refused);
      expect(fieldsOf(reply)).toEqual(wanted.toSorted());
    });

    it("of a list, what the service behind finds too", async () => {
      expect(fieldsOf(await get("/fx/transactions?status=Nowhere&limit=0&after=x", agent))).toEqual([
        "after",
        "limit",
        "status",
      ]);
    });
  });

  it("name an unknown currency on its field, wherever a quote is asked for", async () => {
    const pair = { sourceCurrencyCode: "QQQ", destinationCurrencyCode: "BRL" };
    for (const [path, body, headers] of [
      ["/v2/foreign-exchange", { ...pair, paymentMethod: "BANK_ACCOUNT" }, bearer],
      ["/foreign-exchange", pair, bearer],
      ["/payout/quotes", { ...pair, paymentMethod: "BANK_ACCOUNT", sourceCurrencyAmount: 1 }, agent],
    ] as const) {
      const reply = await post(path, body, headers);

      expect(reply).toMatchObject(refused);
      expect(fieldsOf(reply)).toContain("sourceCurrencyCode");
    }
  });

  it("say TX_404 to whoever cancels a transaction that is not there", async () => {
    const { "content-type": _type, ...headers } = agent;

    expect(await client.send("POST", `/fx/transactions/${freshId()}/cancel`, headers)).toMatchObject({
      status: 404,
      body: { code: "TX_404" },
    });
  });

  it("take a capture without body and content type, and one of no bytes", async () => {
    const { "content-type": _type, ...headers } = bearer;
    for (const [sent, body] of [
      [headers, undefined],
      [bearer, ""],
    ] as const) {
      const id = freshId();
      await client.pay(cardPullBody("1", { externalPaymentId: id, capture: false }));

      expect(await client.send("POST", `/payments/${id}/capture`, sent, body)).toMatchObject({
        status: 200,
        body: { status: "CAPTURED" },
      });
    }
    expect(await client.send("POST", "/v2/payment", headers)).toMatchObject({ status: 415 });
  });

  it.each([".", ".."])("refuse the id %s, and store nothing", async (id) => {
    const walletBody = { accountAsset: "USD", ownerId: "o", beneficiaryId: "b", type: "PERSONAL" };
    const walletId = String((await post("/wallets", walletBody)).body["walletId"]);
    const paid = freshId();
    await client.pay(cardPullBody("1", { externalPaymentId: paid }));
    const replies = await Promise.all([
      client.pay(cardPullBody("1", { externalPaymentId: id })),
      post("/wallets/transaction", { walletId, externalId: id, amount: 1, paymentType: "CREDIT" }),
      post("/wallets/transfer", { fromWallet: walletId, toWallet: randomUUID(), externalId: id, amount: 1 }),
      post(`/payments/${paid}/refund`, { externalRefundId: id }),
      post("/organizations/demo/agents", { email: "a@example.com", businessName: "B", externalId: id }, keyed),
    ]);

    expect(replies.map(({ status, body }) => [status, body["code"]])).toEqual(replies.map(() => [400, "VE_001"]));
    expect(replies.map(fieldsOf)).toEqual([
      ["externalPaymentId"],
      ["externalId"],
      ["externalId"],
      ["externalRefundId"],
      ["externalId"],
    ]);
  });

  it.each(["validate", "limits", "void"])("find a payment whose id is %s", async (id) => {
    expect(await client.pay(cardPullBody("1", { externalPaymentId: id }))).toMatchObject({ status: 200 });

    for (const path of [`/v2/payment/${id}`, `/payments/${id}`]) {
      expect(await get(path)).toMatchObject({ status: 200, body: { externalId: id } });
    }
  });

  it("list for an agent what it can look up, with notes of its own alone", async () => {
    const own = await post("/fx/transactions", pushBody(freshId(), await client.quote()), agent);
    const tenants = await client.pay(pushBody(freshId(), await client.quote()));
    const ids = [own.body["transactionId"], tenants.body["paymentId"]].map(String);
    const listed = async (as: Headers): Promise<string[]> => {
      const found: string[] = [];
      for (let after: string | null = ""; after !== null; ) {
        const page = await get(`/fx/transactions?limit=1${after === "" ? "" : `&after=${after}`}`, as);
        found.push(...(page.body["items"] as { transactionId: string }[]).map(({ transactionId }) => transactionId));
        after = page.body["next"] as string | null;
      }
      return found;
    };
    const [first, second] = [await listed(agent), await listed(sibling)];
    expect(new Set(first).size).toBe(first.length);
    expect(first).toEqual(expect.arrayContaining(ids));
    expect([second.includes(ids[0] ?? ""), second.includes(ids[1] ?? "")]).toEqual([false, true]);
    for (const id of first) expect((await get(`/fx/transactions/${id}`, agent)).status).toBe(200);

    const path = `/fx/transactions/${ids[1]}`;
    const note = (as: Headers, text: string): Promise<Reply> =>
      client.send("PUT", `${path}/metadata`, as, JSON.stringify({ metadata: { text } }));
    expect((await note(agent, "ours")).body["metadata"]).toEqual({ text: "ours" });
    expect((await get(path, sibling)).body["metadata"]).toEqual({});
    expect((await note(sibling, "theirs")).body["metadata"]).toEqual({ text: "theirs" });
    expect((await get(path, agent)).body["metadata"]).toEqual({ text: "ours" });
  });

  it.each<[string, boolean, object | undefined]>([
    ["capture", false, { amount: 60 }],
    ["void", false, undefined],
    ["refund", true, { externalRefundId: freshId(), amount: 30 }],
  ])("give the repeats of a running %s its answer, and it is done once", async (action, capture, sent) => {
    const id = freshId();
    const { paymentId } = (await client.pay(cardPullBody("1", { externalPaymentId: id, capture }))).body;
    await client.fault({ rail: "acquirer", operation: action, latencyMs: 1_000, times: 1 });

    const path = `/payments/${id}/${action}`;
    const { "content-type": _type, ...bare } = bearer;
    const once = (): Promise<Reply> => (sent === undefined ? client.send("POST", path, bare) : post(path, sent));
    const replies = await Promise.all(Array.from({ length: 6 }, once));

    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    const entry = (await world.book())["authorizations"]?.find(({ reference }) => reference === paymentId);
    const done = {
      capture: { captures: [{ amount: "60" }] },
      void: { status: "VOIDED", captures: [] },
      refund: { refunds: [{ amount: "30" }] },
    }[action];
    expect(entry).toMatchObject(done ?? {});
  });

  it("show every value that a card's checks and kind may have", async () => {
    const seen = { avsStatus: new Set<string>(), cvcStatus: new Set<string>(), cardType: new Set<string>() };
    const { address: _address, ...unaddressed } = cardPullBody("1")["sender"] as Record<string, unknown>;
    for (const [digit, changes] of [
      ["1", {}],
      ["1", { sender: unaddressed }],
      ...["2", "5", "6", "a", "b", "c"].map((one) => [one, {}] as const),
    ] as const) {
      const id = freshId();
      await client.pay(cardPullBody(digit, { externalPaymentId: id, ...changes }));
      const card = Object((await client.payment(id)).body["card"]) as Record<string, string>;
      for (const [name, values] of Object.entries(seen)) values.add(card[name] ?? "");
    }

    const checks = ["APPROVED", "FAILED", "N/A", "NOT_SENT"];
    expect([...seen.avsStatus].toSorted()).toEqual(checks);
    expect([...seen.cvcStatus].toSorted()).toEqual(checks);
    expect([...seen.cardType].toSorted()).toEqual(["CREDIT", "DEBIT"]);
  });

  it("keep a row of history for every act that changed the record, each with the status after it", async () => {
    const rowsOf = async (body: Record<string, unknown>, count: number): Promise<string[]> => {
      type Row = { code: string; status: string; paymentId: string };
      const id = String(body["externalPaymentId"]);
      const rows = async (): Promise<Row[]> => (await client.payment(id)).body["history"] as Row[];
      await client.pay(body);
      const all = await until(rows, ({ length }) => length >= count);
      // The payment itself, the leg that collects, and the leg that pays out.
      expect(new Set(all.map(({ paymentId }) => paymentId)).size).toBe(3);
      return all.map((row) => `${row.code} ${row.status}`);
    };

    expect(await rowsOf(pullPushBody(cardSource("1")), 4)).toEqual([
      "PAYMENT PENDING",
      "PAYMENT PENDING",
      "CAPTURE PENDING",
      "CAPTURE CAPTURED",
    ]);
    const narrative = { additionalData: { statementNarrative: "SIM:reject-account" } };
    expect(await rowsOf(pullPushBody(cardSource("1"), narrative), 4)).toEqual([
      "PAYMENT PENDING",
      "PAYMENT PENDING",
      "PAYMENT DECLINED",
      "PAYMENT DECLINED",
    ]);
  });

  it("ask for a destination country as the published schemas do, on one field", async () => {
    const body = pushBody(freshId(), anyQuote);
    const { countryCode: _code, ...paymentMethod } = (body["recipient"] as { paymentMethod: Headers }).paymentMethod;
    const reply = await post("/v2/payment", {
      ...body,
      recipient: { ...(body["recipient"] as object), paymentMethod },
    });

    expect(fieldsOf(reply)).toEqual(["recipient.paymentMethod.countryCode"]);
    const push = await get("/schema/push");
    expect(push.text).toContain('"else":');
  });

  it("keep the country of a customer's address beside the customer's own", async () => {
    const abroad = JSON.parse(
      JSON.stringify(pullPushBody(cardSource("1"))).replaceAll(
        '"customerAddress":{',
        '"customerAddress":{"countryCode":"PT",',
      ),
    ) as Record<string, unknown>;

    expect(await client.pay(abroad)).toMatchObject({ status: 200 });
    const record = await client.payment(String(abroad["externalPaymentId"]));
    expect(record.body).toMatchObject({ billing: { countryCode: "PRT" } });
  });

  it("approve nobody without a name", async () => {
    const rejected = { status: 200, body: { status: "REJECTED", reasonCodes: ["REQUIREMENT_NOT_MET"] } };
    for (const path of ["/person", "/person/validate"]) {
      for (const body of [{}, { type: "BUSINESS" }]) expect(await post(path, body)).toMatchObject(rejected);
      const { "content-type": _type, ...headers } = bearer;
      expect(await client.send("POST", path, headers)).toMatchObject(rejected);
    }
    for (const path of ["/people", "/companies"]) expect(await post(path, {}, keyed)).toMatchObject(rejected);
  });

  it("show no figures that nothing enforces", async () => {
    const destinations = await get("/reference/destinations", agent);
    const { id } = (await post("/people", { firstName: "Ana", lastName: "Lima" }, keyed)).body;
    const levels = await get(`/participants/${String(id)}/complianceLevels`, keyed);

    expect([destinations.status, levels.status]).toEqual([200, 200]);
    expect(destinations.text + levels.text).not.toMatch(/limit|maximum|perDay/i);
  });

  it("say where a body stops being JSON", async () => {
    expect((await client.pay('{\n  "amount": {"total": 01}\n}')).body["errors"]).toEqual([
      { field: "amount", message: "is not valid JSON at line 2, column 24" },
    ]);
  });
});
