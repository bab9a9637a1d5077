import type { Platform } from "../../local/platform";
import { cardPullBody } from "../support/payment-bodies";
import { connectClient, freshId, type PlatformClient, pushBody, type Reply, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

interface Found {
  kind: string;
  id: string;
  tenant?: string;
  externalId: string | null;
  parentId: string | null;
  href?: string;
}

describe("search by any exact id", () => {
  let platform: Platform;
  let demo: PlatformClient;
  let other: PlatformClient;
  /** Kind, and what else is known, by the id that is looked for. */
  const known = new Map<string, Partial<Found>>();
  const numbers = new Map<string, Partial<Found>>();

  const post = async (path: string, body: object): Promise<Reply> => {
    const authorization = `Bearer ${await demo.token()}`;
    const headers = { authorization, "content-type": "application/json" };
    const reply = await until(
      () => demo.send("POST", path, headers, JSON.stringify(body)),
      ({ status }) => status !== 503,
    );
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return reply;
  };
  const textOf = ({ body }: Reply, name: string): string => String(body[name]);

  const pay = async (): Promise<void> => {
    const externalId = freshId();
    const quote = await demo.quote();
    const paymentId = textOf(await post("/v2/payment", pushBody(externalId, quote)), "paymentId");
    const payment = { id: paymentId, externalId, href: `/v2/payment/${externalId}` };
    known.set(externalId, { kind: "payment", ...payment });
    known.set(paymentId, { kind: "payment", ...payment });
    const pull = cardPullBody("1");
    const pullId = textOf(await post("/v2/payment", pull), "paymentId");
    const externalRefundId = freshId();
    const pullName = String(pull["externalPaymentId"]);
    await post(`/payments/${pullName}/refund`, { externalRefundId, amount: 1 });
    known.set(externalRefundId, { kind: "refund", id: pullId, externalId: pullName });
    await until(
      () => demo.payment(externalId),
      ({ body }) => body["status"] === "CAPTURED",
    );
    await until(
      () => demo.sink("search"),
      (items) => items.some(({ body }) => body.includes(paymentId)),
    );
    const [item] = (await demo.sink("search")).filter(({ body }) => body.includes(paymentId));
    const event = item?.headers["x-service-event-id"] ?? "";
    known.set(event, { kind: "event", id: event, parentId: paymentId });
    const told = await until(
      async () => (await demo.sink("search")).map(({ body }) => /"gatewayPaymentId":"([^"]+)"/.exec(body)?.[1]),
      (references) => references.some((reference) => reference !== undefined),
    );
    const reference = told.find((one) => one !== undefined) ?? "";
    known.set(reference, { kind: "provider reference", ...payment });
    const { apiKey = "" } = platform.credentials.tenants.find(({ tenant }) => tenant === "demo") ?? {};
    const { body } = await demo.send("GET", "/organizations/demo/deliveries?limit=1", { "x-api-key": apiKey });
    const [delivery] = body["deliveries"] as { id: string }[];
    known.set(delivery?.id ?? "", { kind: "delivery", id: delivery?.id ?? "" });
  };
  const moveMoney = async (): Promise<void> => {
    const wallet = { accountAsset: "USD", ownerId: "o", beneficiaryId: "b", type: "PERSONAL" };
    const [one, two] = [
      textOf(await post("/wallets", wallet), "walletId"),
      textOf(await post("/wallets", wallet), "walletId"),
    ];
    const [credit, transfer] = [freshId(), freshId()];
    const made = await post("/wallets/transaction", {
      walletId: one,
      externalId: credit,
      amount: 5,
      paymentType: "CREDIT",
    });
    await post("/wallets/transfer", { fromWallet: one, toWallet: two, amount: 1, externalId: transfer });
    const transactionId = textOf(made, "transactionId");
    const href = `/wallets/transaction/${transactionId}`;
    const transaction = { kind: "wallet transaction", id: transactionId, externalId: credit, href };
    known.set(one, { kind: "wallet", id: one, href: `/wallets/${one}` });
    known.set(credit, transaction);
    known.set(transaction.id, transaction);
    known.set(transfer, { kind: "transfer", externalId: transfer, href: `/wallets/transfer/${transfer}` });
  };

  beforeAll(async () => {
    platform = await startTestPlatform();
    demo = connectClient(platform);
    other = connectClient(platform, "other");
    await demo.subscribe("search", ["TransactionStatusChanged", "TransactionPayoutStatusChanged"]);
    await pay();
    await moveMoney();
    const { fxId } = await demo.quote();
    known.set(fxId, { kind: "quote", id: fxId, href: `/v2/foreign-exchange/${fxId}` });
    const person = {
      type: "INDIVIDUAL",
      identificationType: "NATIONAL_ID",
      identification: "39053344705",
      firstName: "Maria",
      lastName: "Silva",
      address: { addressLine1: "Rua 1", city: "Rio", state: "RJ", postalCode: "20000-000", countryCode: "BR" },
    };
    const personId = textOf(await post("/person", person), "id");
    known.set(personId, { kind: "person", id: personId });
    // However it is spaced, and for its tenant alone: operators have a search of their own for it.
    numbers.set(person.identification, { kind: "person", id: personId });
    numbers.set("390.533.447-05", { kind: "person", id: personId });
  });
  afterAll(async () => {
    await Promise.all([demo.close(), other.close()]);
    await platform.stop();
  });

  const search = async (q: string, client = demo): Promise<Reply> =>
    client.send("GET", `/search?q=${encodeURIComponent(q)}`, { authorization: `Bearer ${await client.token()}` });
  const asOperator = async (q: string) => {
    const { operatorUrl, operatorToken } = platform.credentials;
    const headers = { authorization: `Bearer ${operatorToken}` };
    const answer = await fetch(`${operatorUrl}/search?q=${encodeURIComponent(q)}`, { headers });
    return { status: answer.status, body: (await answer.json()) as { found: Found[]; missing: string[] } };
  };

  it("finds each kind of id for its tenant and for operators, and never another tenant's", async () => {
    expect(known.size).toBeGreaterThanOrEqual(12);
    for (const [q, facts] of known) {
      expect({ q, ...(await search(q)) }).toMatchObject({ q, status: 200, body: { found: [facts], missing: [] } });
      expect({ q, ...(await search(q, other)) }).toMatchObject({ q, status: 200, body: { found: [], missing: [] } });
      const { href: _own, ...same } = facts;
      expect({ q, ...(await asOperator(q)) }).toMatchObject({
        q,
        status: 200,
        body: { found: [{ tenant: "demo", ...same }], missing: [] },
      });
    }
  });

  it("finds a person by the number of a document, within its tenant", async () => {
    for (const [q, facts] of numbers) {
      expect(await search(q)).toMatchObject({ status: 200, body: { found: [facts], missing: [] } });
      expect(await search(q, other)).toMatchObject({ status: 200, body: { found: [] } });
      expect(await asOperator(q)).toMatchObject({ status: 200, body: { found: [] } });
    }
    expect((await search("39053344706")).body).toMatchObject({ found: [] });
  });

  it("leads to what it found", async () => {
    for (const [q, { href }] of known) {
      if (href === undefined) continue;
      const reply = await demo.send("GET", href, { authorization: `Bearer ${await demo.token()}` });
      expect([q, reply.status]).toEqual([q, 200]);
    }
    const [paymentId] = [...known].find(([id, { kind, externalId }]) => kind === "payment" && id !== externalId) ?? [
      "",
    ];
    const { body } = await asOperator(paymentId);
    expect(body.found[0]?.href).toBe(`/tenants/demo/payments/${paymentId}`);
  });

  it("finds nothing by a part of an id, and refuses what is none", async () => {
    const [whole = ""] = known.keys();
    expect((await search(whole.slice(0, -1))).body).toEqual({ found: [], missing: [] });
    expect((await search("$ne")).body).toEqual({ found: [], missing: [] });
    const refused = { status: 400, body: { code: "VE_001", errors: [{ field: "q" }] } };
    expect(await search("")).toMatchObject(refused);
    expect(await search("x".repeat(256))).toMatchObject(refused);
    expect(await demo.send("GET", "/search", { authorization: `Bearer ${await demo.token()}` })).toMatchObject(refused);
  });
});
