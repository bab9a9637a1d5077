import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "../../local/platform";
import { cardToken } from "../support/payment-bodies";
import { connectClient, freshId, type PlatformClient, pushBody, type Reply, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

const terms = JSON.stringify({
  "*": {
    fees: { BANK_DEPOSIT: { CAPTURE: { bps: 100, fixed: 50 } } },
    agentLimits: { currency: "USD", DAY: 35_000, MONTH: 1_000_000 },
  },
});

/** An agent that a test speaks as. */
type Headers = Record<string, string>;

describe("transactions of agents", () => {
  let platform: Platform;
  let client: PlatformClient;
  let own: Headers;
  let sibling: Headers;
  let foreign: Headers;

  beforeAll(async () => {
    platform = await startTestPlatform({ env: { payment: { PAYMENT_TERMS: terms } } });
    client = connectClient(platform);
    const [demo, other] = platform.credentials.tenants;
    const headersOf = (tenant: typeof demo, index: number): Headers => ({
      "content-type": "application/json",
      "x-api-key": tenant?.apiKey ?? "",
      "x-agent-id": tenant?.agents[index]?.agentId ?? "",
      "x-agent-api-key": tenant?.agents[index]?.apiKey ?? "",
    });
    [own, sibling, foreign] = [headersOf(demo, 0), headersOf(demo, 1), headersOf(other, 0)];
    const { operatorUrl, operatorToken } = platform.credentials;
    const path = `/tenants/demo/agents/${sibling["x-agent-id"]}/status`;
    const approve = async (): Promise<string> => {
      const reply = await fetch(`${operatorUrl}${path}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
        body: '{"status":"ACTIVE"}',
      });
      return `${reply.status} ${await reply.text()}`;
    };
    // A platform that has just started may still answer 503.
    const approved = await until(approve, (answer) => !answer.startsWith("503"));
    if (!approved.startsWith("200")) throw new Error(`the second agent was not approved: ${approved}`);
  });
  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  const bare = ({ "content-type": _type, ...headers }: Headers): Headers => headers;
  const get = (path: string, as = own): Promise<Reply> => client.send("GET", path, bare(as));
  const send = (method: "POST" | "PUT", path: string, body: object, as = own): Promise<Reply> =>
    client.send(method, path, as, JSON.stringify(body));
  const body = async (changes: object = {}): Promise<Record<string, unknown>> =>
    pushBody(freshId(), await client.quote(), changes);
  const create = async (changes: object = {}, as = own): Promise<Reply> =>
    send("POST", "/fx/transactions", await body(changes), as);
  const idOf = (reply: Reply): string => String(reply.body["transactionId"]);

  it("are payments with a name of the agent's own, accepted once", async () => {
    await client.subscribe("transactions");
    const request = await body({ externalId: "order-7" });
    const [first, again] = [
      await send("POST", "/fx/transactions", request),
      await send("POST", "/fx/transactions", request),
    ];

    expect(first).toMatchObject({
      status: 200,
      body: { externalTransactionId: "order-7", externalPaymentId: request["externalPaymentId"], status: "PENDING" },
    });
    expect(first.body["transactionId"]).toBe(first.body["paymentId"]);
    expect([again.text, again.headers["idempotency-replayed"]]).toEqual([first.text, "true"]);
    const read = await until(
      () => get(`/fx/transactions/${idOf(first)}`),
      (reply) => reply.body["status"] === "Completed",
    );
    expect(read.body).toMatchObject({
      transactionId: idOf(first),
      externalTransactionId: "order-7",
      paymentType: "PUSH",
      status: "Completed",
      complianceStatus: "Approved",
      payoutStatus: "CAPTURED",
      paymentStatus: "CAPTURED",
      amount: { total: 100, currency: "USD" },
      recipientAmount: { currency: "BRL" },
      fxId: request["fxId"],
      metadata: {},
    });
    expect((await client.payment(String(request["externalPaymentId"]))).body).toMatchObject({ status: "CAPTURED" });
    const moves = (await get(`/fx/transactions/${idOf(first)}/history`)).body["items"] as { newStatus: string }[];
    expect(moves.map(({ newStatus }) => newStatus)).toEqual(
      "Created ProcessingPayout PayoutAccepted ReviewApproved WaitingPayout Paid Completed".split(" "),
    );
    const told = async () =>
      (await client.sink("transactions"))
        .map((item) => JSON.parse(item.body) as Record<string, unknown>)
        .filter(({ transactionId }) => transactionId === idOf(first));
    const events = await until(told, ({ length }) => length > 0);
    expect(events).not.toHaveLength(0);
    for (const one of events) {
      expect(one["externalTransactionId"]).toBe("order-7");
    }
  });

  it("have no name when the agent gives none, and none that is no id", async () => {
    const unnamed = await create({}, foreign).catch((error: unknown) => error);
    expect(unnamed).toMatchObject({ status: 400, body: { code: "PAY_411" } });
    expect(await create({ externalId: "a b" })).toMatchObject({
      status: 400,
      body: { code: "VE_001", errors: [{ field: "externalId" }] },
    });
    const accepted = await create();
    expect(accepted.body["externalTransactionId"]).toBeNull();
  });

  it("share one space of ids with payments, and belong to the agent that sent them", async () => {
    const request = await body({ externalId: "x" });
    const accepted = await send("POST", "/fx/transactions", request);
    const id = idOf(accepted);

    expect(await client.pay(request)).toMatchObject({ status: 422, body: { code: "IDM_002" } });
    expect(await send("POST", "/fx/transactions", request, sibling)).toMatchObject({
      status: 422,
      body: { code: "IDM_002", details: { fields: ["agent"] } },
    });
    for (const stranger of [sibling, foreign]) {
      const answers = [
        await get(`/fx/transactions/${id}`, stranger),
        await get(`/fx/transactions/${id}/history`, stranger),
        await send("PUT", `/fx/transactions/${id}/metadata`, { metadata: {} }, stranger),
        await client.send("POST", `/fx/transactions/${id}/cancel`, bare(stranger)),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      expect((await get("/fx/transactions", stranger)).body).toEqual({ items: [], next: null });
    }
  });

  it("are listed newest first, page by page, and by state", async () => {
    const all = (await get("/fx/transactions?limit=200")).body["items"] as Record<string, unknown>[];
    const pages: Record<string, unknown>[] = [];
    let after: string | null | undefined;
    do {
      const cursor = after === undefined ? "" : `&after=${after}`;
      const page: Reply = await get(`/fx/transactions?limit=1${cursor}`);
      pages.push(...(page.body["items"] as Record<string, unknown>[]));
      after = page.body["next"] as string | null;
    } while (after !== null);

    expect(all.length).toBeGreaterThanOrEqual(3);
    expect(pages.map(({ transactionId }) => transactionId)).toEqual(all.map(({ transactionId }) => transactionId));
    const times = all.map(({ createdAt }) => String(createdAt));
    expect(times).toEqual(times.toSorted().toReversed());
    const cancelled = (await get("/fx/transactions?status=Cancelled")).body["items"];
    expect(cancelled).toEqual([]);
    for (const [query, field] of [
      ["status=Nowhere", "status"],
      ["limit=0", "limit"],
      ["limit=201", "limit"],
      ["after=x", "after"],
    ]) {
      expect(await get(`/fx/transactions?${query}`)).toMatchObject({ status: 400, body: { errors: [{ field }] } });
    }
  });

  it("carry notes of the agent: at most 20, replaced as a whole", async () => {
    const [{ transactionId } = { transactionId: "" }] = (await get("/fx/transactions")).body["items"] as {
      transactionId: string;
    }[];
    const path = `/fx/transactions/${transactionId}/metadata`;
    const twenty = Object.fromEntries(Array.from({ length: 20 }, (_none, index) => [`key-${index}`, "v"]));

    expect((await send("PUT", path, { metadata: twenty })).body["metadata"]).toEqual(twenty);
    expect((await send("PUT", path, { metadata: { a: "b" } })).body["metadata"]).toEqual({ a: "b" });
    for (const [metadata, field] of [
      [{ ...twenty, more: "v" }, "metadata"],
      [{ a: 1 }, "metadata.a"],
      [{ "a b": "v" }, "metadata.a b"],
      [{ a: "x".repeat(501) }, "metadata.a"],
      [[], "metadata"],
    ] as const) {
      expect(await send("PUT", path, { metadata })).toMatchObject({ status: 400, body: { errors: [{ field }] } });
    }
    expect(await send("PUT", path, { metadata: {}, metdata: {} })).toMatchObject({
      status: 400,
      body: { errors: [{ field: "metdata", message: "is not known; did you mean metadata?" }] },
    });
    expect((await get(`/fx/transactions/${transactionId}`)).body["metadata"]).toEqual({ a: "b" });
  });

  it("stop at the agent's limit, which says what is left; others have their own", async () => {
    const daily = async (as: Headers) => {
      const { limits } = (await get("/fx/transactions/limits", as)).body as { limits: Record<string, unknown>[] };
      return limits.find(({ window }) => window === "DAY");
    };
    expect(await daily(sibling)).toMatchObject({ currency: "USD", limit: 350, used: 0, left: 350 });
    const bodies = await Promise.all(Array.from({ length: 6 }, () => body()));
    const replies = await Promise.all(bodies.map((one) => send("POST", "/fx/transactions", one, sibling)));

    const refused = replies.flatMap((reply, index) => (reply.status === 200 ? [] : [{ reply, sent: bodies[index] }]));
    expect(refused).toHaveLength(3);
    for (const { reply } of refused) {
      expect(reply).toMatchObject({
        status: 422,
        body: { code: "TX_001", details: { currency: "USD", window: "DAY", left: 50 } },
      });
    }
    expect(await daily(sibling)).toMatchObject({ used: 300, left: 50 });
    const sent: Record<string, unknown> = refused[0]?.sent ?? {};
    const quote = await client.send("GET", `/v2/foreign-exchange/${String(sent["fxId"])}`, {
      authorization: `Bearer ${await client.token()}`,
    });
    expect(quote.body["status"]).toBe("OPEN");
    expect(await client.pay(sent)).toMatchObject({ status: 200 });
  });

  it("begin with a quote that says what they cost", async () => {
    const pair = { sourceCurrencyCode: "USD", destinationCurrencyCode: "BRL", paymentMethod: "BANK_ACCOUNT" };
    const quote = await send("POST", "/payout/quotes", {
      ...pair,
      sourceCurrencyAmount: 200,
      destinationCountryCode: "BRA",
    });

    expect(quote).toMatchObject({
      status: 200,
      body: { amount: { total: 200, currency: "USD" }, fee: { total: 2.5, currency: "USD" } },
    });
    const { conversionRate, recipientAmount } = quote.body as {
      conversionRate: number;
      recipientAmount: { total: number };
    };
    expect(Math.abs(recipientAmount.total - 200 * conversionRate)).toBeLessThan(0.011);
    expect(quote.body["fxId"]).toBe(quote.body["quoteId"]);
    for (const [change, answer] of [
      [{ sourceCurrencyAmount: 1.001 }, { status: 400, body: { errors: [{ field: "sourceCurrencyAmount" }] } }],
      [{ sourceCurrencyAmount: "1" }, { status: 400, body: { errors: [{ field: "sourceCurrencyAmount" }] } }],
      [{ sourceCurencyAmount: 1 }, { status: 400, body: { errors: [{ field: "sourceCurencyAmount" }] } }],
      [{ paymentMethod: "PIX" }, { status: 400, body: { code: "PAY_005" } }],
      [{ destinationCountryCode: "BR" }, { status: 400, body: { code: "PAY_001" } }],
    ] as const) {
      const request = { ...pair, sourceCurrencyAmount: 200, ...change };
      expect(await send("POST", "/payout/quotes", request)).toMatchObject(answer);
    }
  });

  it("cannot use a quote whose time is over by the world's clock", async () => {
    const request = await body();
    const { sandboxUrl } = platform.credentials;
    const advance = await fetch(`${sandboxUrl}/clock`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"advance":901}',
    });

    expect(advance.status).toBe(200);
    expect(await send("POST", "/fx/transactions", request, foreign)).toMatchObject({ status: 400 });
    expect(await send("POST", "/fx/transactions", request)).toMatchObject({ status: 400, body: { code: "PAY_410" } });
    expect(await client.pay(await body())).toMatchObject({ status: 200 });
  });

  it("use accounts that the agent keeps of its participants, checked and masked", async () => {
    const person = await send("POST", "/people", { firstName: "Maria", lastName: "Souza" });
    const base = `/payout/participants/${String(person.body["id"])}`;
    const cardTokenId = cardToken("1");
    const funding = await send("POST", `${base}/fundingAccounts`, { type: "CARD", cardTokenId });
    expect(funding).toMatchObject({ status: 200, body: { type: "CARD", countryCode: null, masked: "****1111" } });
    const recipient = {
      firstName: "Maria",
      lastName: "Souza",
      documents: [{ document: "390.533.447-05", type: "CPF" }],
      paymentMethod: { type: "PIX", countryCode: "BRA", key: "maria.souza@example.com", keyType: "EMAIL" },
    };
    const kept = await send("POST", `${base}/recipientAccounts/gateway`, { recipient });
    expect(kept).toMatchObject({ status: 200, body: { type: "PIX", countryCode: "BRA", masked: "****.com" } });

    expect((await get(`${base}/fundingAccounts`)).body["items"]).toEqual([funding.body]);
    expect((await get(`${base}/recipientAccounts/gateway`)).body["items"]).toEqual([kept.body]);
    expect((await get(`${base}/recipientAccounts/gateway`, sibling)).body["items"]).toEqual([]);
    for (const path of ["fundingAccounts", "recipientAccounts/gateway"]) {
      const nobody = `/payout/participants/${freshId()}/${path}`;
      expect(await get(nobody)).toMatchObject({ status: 404, body: { code: "PER_404" } });
      expect(await get(`${base}/${path}`, foreign)).toMatchObject({ status: 404, body: { code: "PER_404" } });
    }
    const { documents: _documents, ...undocumented } = recipient;
    for (const [path, request, status, field] of [
      ["fundingAccounts", { type: "CASH" }, 400, "type"],
      ["fundingAccounts", { type: "BANK_DEPOSIT", cardTokenId }, 400, "accountTokenId"],
      ["fundingAccounts", { type: "BANK_DEPOSIT", accountTokenId: randomUUID() }, 400, "accountTokenId"],
      ["fundingAccounts", { type: "CARD", cardTokenId: randomUUID() }, 400, "cardTokenId"],
      ["fundingAccounts", { type: "CARD", cardTokenId, accountTokenId: cardTokenId }, 400, "accountTokenId"],
      ["fundingAccounts", { type: "CARD", cardTokenId: "4111111111111111" }, 400, "cardTokenId"],
      ["recipientAccounts/gateway", {}, 400, "recipient"],
      [
        "recipientAccounts/gateway",
        { recipient: { ...recipient, paymentMethod: {} } },
        400,
        "recipient.paymentMethod.type",
      ],
      ["recipientAccounts/gateway", { recipient, aditionalData: {} }, 400, "aditionalData"],
      ["recipientAccounts/gateway", { recipient: { ...recipient, fristName: "M" } }, 400, "recipient.fristName"],
      [
        "recipientAccounts/gateway",
        { recipient: { ...recipient, paymentMethod: { ...recipient.paymentMethod, accountNumber: "1" } } },
        400,
        "recipient.paymentMethod.accountNumber",
      ],
      [
        "recipientAccounts/gateway",
        { recipient: { ...recipient, paymentMethod: { ...recipient.paymentMethod, countryCode: "ATA" } } },
        400,
        "recipient.paymentMethod.countryCode",
      ],
      [
        "recipientAccounts/gateway",
        {
          recipient: {
            ...recipient,
            paymentMethod: { type: "PIX", key: "k", keyType: "EVP" },
            address: { countryCode: "ATA" },
          },
        },
        400,
        "recipient.address.countryCode",
      ],
      ["recipientAccounts/gateway", { recipient: undocumented }, 400, "recipient.documents"],
    ] as const) {
      const answer = await send("POST", `${base}/${path}`, request);
      expect(answer.status).toBe(status);
      expect((answer.body["errors"] as { field: string }[]).map((error) => error.field)).toContain(field);
    }
    const unknown = await send("POST", `${base}/fundingAccounts`, { type: "CARD", cardTokenId }, foreign);
    expect(unknown).toMatchObject({ status: 404, body: { code: "PER_404" } });
    expect((await get(`${base}/fundingAccounts`)).body["items"]).toHaveLength(1);
    expect((await get(`${base}/recipientAccounts/gateway`)).body["items"]).toHaveLength(1);
  });

  it("name their payment in every log line of an agent's request about it, also where that says our id alone", async () => {
    // An agent that has not reached its limit.
    const other = connectClient(platform, "other");
    const request = pushBody(freshId(), await other.quote());
    await other.close();
    const externalId = String(request["externalPaymentId"]);
    const created = await send("POST", "/fx/transactions", request, foreign);
    const path = `/fx/transactions/${idOf(created)}`;
    const routes = [
      ["POST", "/fx/transactions", JSON.stringify(request), 200],
      ["GET", path, undefined, 200],
      ["GET", `${path}/history`, undefined, 200],
      ["PUT", `${path}/metadata`, JSON.stringify({ metadata: { a: "b" } }), 200],
      ["POST", `${path}/cancel`, undefined, undefined],
    ] as const;
    await until(
      () => get(path, foreign),
      (reply) => reply.body["status"] === "Completed",
    );
    const unnamed: string[] = [];
    for (const [method, route, text, status] of routes) {
      const requestId = freshId();
      const headers = { ...(text === undefined ? bare(foreign) : foreign), "x-request-id": requestId };
      const reply = await client.send(method, route, headers, text);
      // What has ended is stopped no more, and that is about the payment, too.
      expect([route, reply.status]).toEqual([route, status ?? 409]);
      const lines = await until(
        async () => ["gateway", "payment"].flatMap((service) => linesOf(service, requestId)),
        (found) => found.some((line) => line.includes('"rpc":"')) && found.some((line) => line.includes('"status":')),
      );
      const about = lines.filter((line) => /"rpc":"[^"]*payment|"status":/.test(line));
      expect([route, about.length >= 2]).toEqual([route, true]);
      unnamed.push(...about.filter((line) => !line.includes(`"externalId":"${externalId}"`)));
    }

    expect(unnamed).toEqual([]);
  });

  const linesOf = (service: string, requestId: string): string[] =>
    readFileSync(join(platform.dir, "logs", `${service}.log`), "utf8")
      .split("\n")
      .filter((line) => line.includes(`"requestId":"${requestId}"`));
});
