import { randomUUID } from "node:crypto";
import type { Platform } from "../../local/platform";
import { declaredAccess } from "../support/declared-access";
import { cardToken } from "../support/payment-bodies";
import { connectClient, freshId, type PlatformClient, pushBody, type Reply, until } from "../support/platform-client";
import { sampleFile } from "../support/sample-files";
import { startTestPlatform } from "../support/test-platform";

type Headers = Record<string, string>;
type Ids = Readonly<Record<string, string>>;

/** What a route with an id is asked for: kinds of its ids in order, and what it is sent. */
interface Row {
  ids: readonly string[];
  body?: object | "form";
  /** True where an object belongs to one agent of its tenant. */
  isPerAgent?: boolean;
}

const row = (ids: string, body?: object | "form"): Row => ({ ids: ids.split(" "), ...(body && { body }) });
const perAgent = (ids: string, body?: object): Row => ({ ...row(ids, body), isPerAgent: true });
const metadata = { metadata: { internalNotes: "seen" } };
const funding = { type: "CARD", cardTokenId: cardToken("1") };
const recipient = {
  firstName: "Maria",
  lastName: "Souza",
  documents: [{ document: "390.533.447-05", type: "CPF" }],
  paymentMethod: { type: "PIX", countryCode: "BRA", key: "maria.souza@example.com", keyType: "EMAIL" },
};

/** Every route with an id of an object, what is destroyed last. A new route is a new row here. */
const rows: Readonly<Record<string, Row>> = {
  "GET /v2/foreign-exchange/{fxId}": row("quote"),
  "GET /v2/payment/{externalId}": row("payment"),
  "GET /v2/payment/{externalId}/timeline": row("payment"),
  "GET /payments/{externalPaymentId}": row("payment"),
  "POST /payments/{externalPaymentId}/void": row("payment"),
  "POST /payments/{externalPaymentId}/capture": row("payment", {}),
  "POST /payments/{externalPaymentId}/refund": row("payment", { externalRefundId: "refund-1" }),
  "GET /wallets/{walletId}": row("wallet"),
  "GET /wallets/{walletId}/balance": row("wallet"),
  "GET /wallets/{walletId}/statement": row("wallet"),
  "GET /wallet-transactions/{transactionId}": row("walletHold"),
  "GET /wallet-transfers/{externalTransferId}": row("walletTransfer"),
  "POST /wallets/transaction/{transactionId}/confirm": row("walletHold"),
  "POST /wallets/transaction/{transactionId}/void": row("walletHold"),
  "POST /wallets/transfer/{externalTransferId}/void": row("walletTransfer"),
  "GET /fx/transactions/{id}": perAgent("transaction"),
  "GET /fx/transactions/{id}/history": perAgent("transaction"),
  "PUT /fx/transactions/{id}/metadata": perAgent("transaction", metadata),
  "POST /fx/transactions/{id}/cancel": perAgent("transaction"),
  "POST /payout/participants/{id}/fundingAccounts": row("person", funding),
  "GET /payout/participants/{id}/fundingAccounts": row("person"),
  "POST /payout/participants/{id}/recipientAccounts/gateway": row("person", { recipient }),
  "GET /payout/participants/{id}/recipientAccounts/gateway": row("person"),
  "GET /v1/sessions/{sessionId}": row("session"),
  "GET /v1/verifications/{verificationId}": row("verification"),
  "GET /organizations/{tenant}/people/{personId}": row("person"),
  "GET /organizations/{tenant}/companies/{companyId}": row("company"),
  "GET /people/{id}/documents": row("person"),
  "GET /people/{id}/documents/{document}": row("person personDocument"),
  "GET /people/{id}/documents/{document}/content": row("person personDocument"),
  "GET /participants/{id}/complianceLevels": row("person"),
  "GET /companies/{id}/documents": row("company"),
  "GET /companies/{id}/documents/{document}": row("company companyDocument"),
  "GET /companies/{id}/documents/{document}/content": row("company companyDocument"),
  "POST /people/{id}/documents/{document}": row("person documentType", "form"),
  "POST /companies/{id}/documents/{document}": row("company documentType", "form"),
  "PATCH /people/{id}": row("person", {}),
  "PATCH /companies/{id}": row("company", {}),
  "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries": row("webhook"),
  "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}": row("webhook delivery"),
  "POST /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": row("webhook delivery"),
  "POST /organizations/{tenant}/webhooks/{webhookId}/recover": row("webhook", { since: "2026-01-01T00:00:00Z" }),
  "POST /organizations/{tenant}/webhooks/{webhookId}/test": row("webhook"),
  "POST /organizations/{tenant}/webhooks/{webhookId}/secret": row("webhook"),
  "DELETE /organizations/{tenant}/webhooks/{webhookId}/secret": row("webhook"),
  "DELETE /organizations/{tenant}/webhooks/{webhookId}": row("webhook"),
  "DELETE /account-tokens/{accountTokenId}": row("accountToken"),
};

/** Segments that name no object: countries, rails, files and guides of the documentation, and the caller's own tenant. */
const noObjects = new Set(["countryCode", "rail", "asset", "guide", "tenant"]);
const boundary = "corridor-boundary";
const form = (): string => {
  const file = sampleFile("pdf", 2_048).toString("latin1");
  const head = 'content-disposition: form-data; name="file"; filename="scan"\r\ncontent-type: application/pdf';
  return `--${boundary}\r\n${head}\r\n\r\n${file}\r\n--${boundary}--\r\n`;
};

/** A tenant with all its credentials. */
interface Party {
  name: string;
  client: PlatformClient;
  bearer: Headers;
  key: Headers;
  agent: Headers;
  /** Another approved agent of the same tenant. */
  sibling: Headers;
  ids: Ids;
}

describe("objects of one tenant", () => {
  let platform: Platform;
  let parties: Party[];

  beforeAll(async () => {
    platform = await startTestPlatform();
    parties = [await makeParty("demo"), await makeParty("other")];
  });
  afterAll(async () => {
    await Promise.all(parties.map(({ client }) => client.close()));
    await platform.stop();
  });

  async function makeParty(name: string): Promise<Party> {
    const client = connectClient(platform, name);
    const tenant = platform.credentials.tenants.find((one) => one.tenant === name);
    const key = { "x-api-key": tenant?.apiKey ?? "" };
    const [first] = tenant?.agents ?? [];
    const agent = { ...key, "x-agent-id": first?.agentId ?? "", "x-agent-api-key": first?.apiKey ?? "" };
    const bearer = { authorization: `Bearer ${await until(() => client.token().catch(() => ""), Boolean)}` };
    const party = { name, client, bearer, key, agent };
    const sibling = { ...key, ...(await approveAgent(party)) };
    return { ...party, sibling, ids: await makeObjects(party) };
  }

  /** Sends until the platform, which may just have started, is all there; anything but success ends the test. */
  async function make(party: Pick<Party, "client">, headers: Headers, path: string, body: object): Promise<Reply> {
    const json = { ...headers, "content-type": "application/json" };
    const reply = await until(
      () => party.client.send("POST", path, json, JSON.stringify(body)),
      ({ status }) => status !== 503,
    );
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return reply;
  }

  async function approveAgent({ name, client, key }: Pick<Party, "name" | "client" | "key">): Promise<Headers> {
    const contact = { email: "sibling@example.com", businessName: "Sibling" };
    const { body } = await make({ client }, key, `/organizations/${name}/agents`, contact);
    const { operatorUrl, operatorToken } = platform.credentials;
    const headers = { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" };
    const call = { method: "PUT", headers, body: '{"status":"ACTIVE"}' };
    const path = `/tenants/${name}/agents/${String(body["id"])}/status`;
    const { status } = await until(
      () => fetch(`${operatorUrl}${path}`, call),
      (answer) => answer.status !== 503,
    );
    if (status !== 200) throw new Error(`the agent was not approved: ${status}`);
    return { "x-agent-id": String(body["id"]), "x-agent-api-key": String(body["apiKey"]) };
  }

  /** Makes one of each kind; their ids by kind. */
  async function makeObjects(party: Omit<Party, "ids" | "sibling">): Promise<Ids> {
    const { name, client, bearer, key, agent } = party;
    const idOf = async (headers: Headers, path: string, body: object, field = "id"): Promise<string> =>
      String((await make(party, headers, path, body)).body[field]);
    const [payment, walletTransfer] = [freshId(), freshId()];
    const { fxId: quote } = await client.quote();
    await make(party, bearer, "/v2/payment", pushBody(payment, await client.quote()));
    const owner = { accountAsset: "USD", ownerId: "owner-1", beneficiaryId: "beneficiary-1", type: "PERSONAL" };
    const [wallet, toWallet] = [
      await idOf(bearer, "/wallets", owner, "walletId"),
      await idOf(bearer, "/wallets", owner, "walletId"),
    ];
    const move = { walletId: wallet, paymentType: "CREDIT", amount: 10 };
    await make(party, bearer, "/wallets/transaction", { ...move, externalId: freshId() });
    const held = { ...move, externalId: freshId(), hold: true };
    const walletHold = await idOf(bearer, "/wallets/transaction", held, "transactionId");
    const sent = { fromWallet: wallet, toWallet, amount: 1, externalId: walletTransfer };
    await make(party, bearer, "/wallets/transfer", sent);
    const created = pushBody(freshId(), await client.quote());
    const transaction = await idOf(agent, "/fx/transactions", created, "transactionId");
    const session = await idOf(bearer, "/v1/sessions", { userRef: `u-${randomUUID()}` }, "sessionId");
    const verification = await idOf(bearer, "/v1/verifications", { sessionId: session }, "verificationId");
    const person = await idOf(key, "/people", { firstName: "Maria", lastName: "Silva" });
    const company = await idOf(key, "/companies", { companyName: "Acme" });
    const upload = async (path: string): Promise<string> => {
      const headers = { ...key, "content-type": `multipart/form-data; boundary=${boundary}` };
      const { status, text, body } = await client.send("POST", path, headers, form());
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      return String(body["id"]);
    };
    const hooks = `/organizations/${name}/webhooks`;
    const url = `${platform.credentials.sinkUrl}/isolation-${name}`;
    const webhook = await idOf(key, hooks, { url, events: ["TransactionStatusChanged"] });
    await make(party, key, `${hooks}/${webhook}/test`, {});
    const delivered = await until(
      () => client.send("GET", `${hooks}/${webhook}/deliveries`, key),
      ({ body }) => (body["deliveries"] as unknown[] | undefined)?.[0] !== undefined,
    );
    const [delivery] = delivered.body["deliveries"] as Record<string, unknown>[];
    const account = { type: "BANK_DEPOSIT", countryCode: "US", accountCheckToken: "public-sandbox-ok" };
    const check = { paymentMethod: { ...account, accountCheckId: "acc-checking" } };
    const checked = { externalPaymentId: freshId(), sender: check };
    return {
      ...{ quote, payment, wallet, walletHold, walletTransfer, transaction, session, verification, person, company },
      personDocument: await upload(`/people/${person}/documents/passport`),
      companyDocument: await upload(`/companies/${company}/documents/passport`),
      documentType: "passport",
      webhook,
      delivery: String(delivery?.["id"] ?? delivery?.["deliveryId"]),
      accountToken: await idOf(bearer, "/check-account", checked, "accountTokenId"),
    };
  }

  /** The route's path in the words of one who looks: `tenant` names the organization, `idOf` each object. */
  const pathOf = (route: string, tenant: string, idOf: (kind: string) => string): string => {
    const kinds = (rows[route]?.ids ?? []).values();
    const path = route.split(" ")[1] ?? "";
    return path.replace(/\{(\w+)\}/g, (_match, param: string) =>
      param === "tenant" ? tenant : idOf(String(kinds.next().value)),
    );
  };
  const ask = (route: string, path: string, { client }: Pick<Party, "client">, headers: Headers): Promise<Reply> => {
    const body = rows[route]?.body;
    const type = body === "form" ? `multipart/form-data; boundary=${boundary}` : "application/json";
    const content = body === "form" ? form() : body === undefined ? undefined : JSON.stringify(body);
    const sent = content === undefined ? headers : { ...headers, "content-type": type };
    return client.send(route.split(" ")[0] ?? "GET", path, sent, content);
  };
  /** An answer without what differs from request to request. */
  const facts = ({ status, body: { requestId: _requestId, ...body } }: Reply): object => ({ status, body });
  const schemeOf = (route: string): "bearer" | "key" | "agent" => {
    const [scheme] = (declaredAccess[route] ?? "").split(" ");
    return scheme === "bearer" ? "bearer" : scheme === "agent" ? "agent" : "key";
  };
  /** An id that does not exist. */
  const strange = (kind: string): string => (kind === "documentType" ? "passport" : randomUUID());

  it("have a row for every route with an id", () => {
    // People of tenants come with sessions: `access/tenant-people` tries their routes on other tenants' paths.
    const withIds = Object.keys(declaredAccess).filter(
      (name) =>
        declaredAccess[name] !== "person" &&
        [...name.matchAll(/\{(\w+)\}/g)].some(([, param = ""]) => !noObjects.has(param)),
    );

    expect(Object.keys(rows).toSorted()).toEqual(withIds.toSorted());
  });

  it("do not exist for another tenant, nor for another agent: the answer is that about an id that nobody has", async () => {
    const differing: unknown[] = [];
    for (const [index, owner] of parties.entries()) {
      const viewer = parties[1 - index] ?? owner;
      for (const [route, { isPerAgent }] of Object.entries(rows)) {
        const real = (kind: string): string => owner.ids[kind] ?? "";
        const views: [string, string, Party, Headers][] = [
          ["another tenant", viewer.name, viewer, viewer[schemeOf(route)]],
          ...(isPerAgent
            ? [["another agent", owner.name, owner, owner.sibling] as [string, string, Party, Headers]]
            : []),
        ];
        if (route.includes("{tenant}")) views.push(["by its path", owner.name, viewer, viewer[schemeOf(route)]]);
        for (const [view, tenant, party, headers] of views) {
          const seen = facts(await ask(route, pathOf(route, tenant, real), party, headers));
          const unknown = facts(await ask(route, pathOf(route, tenant, strange), party, headers));
          expect({ view, route, ...seen }).toMatchObject({ view, route, status: 404 });
          if (JSON.stringify(seen) !== JSON.stringify(unknown)) differing.push({ view, route, seen, unknown });
        }
      }
    }

    expect(differing).toEqual([]);
  });

  it("are not looked for by one whose credential is of another kind", async () => {
    const wrong: unknown[] = [];
    for (const [index, owner] of parties.entries()) {
      const viewer = parties[1 - index] ?? owner;
      for (const route of Object.keys(rows)) {
        const right = schemeOf(route);
        const others = { bearer: viewer.bearer, key: viewer.key, nothing: {} };
        // An agent's keys hold those of its tenant.
        for (const [kind, headers] of Object.entries(others).filter(([name]) => name !== right)) {
          const path = (idOf: (name: string) => string) => pathOf(route, viewer.name, idOf);
          const seen = facts(
            await ask(
              route,
              path((name) => owner.ids[name] ?? ""),
              viewer,
              headers,
            ),
          );
          const unknown = facts(await ask(route, path(strange), viewer, headers));
          const isRefused = [401, 403].includes(Number(Reflect.get(seen, "status")));
          if (!isRefused || JSON.stringify(seen) !== JSON.stringify(unknown))
            wrong.push({ route, kind, seen, unknown });
        }
      }
    }

    expect(wrong).toEqual([]);
  });

  it("are there for their own tenant, after all that others tried", async () => {
    const missing: unknown[] = [];
    for (const owner of parties) {
      for (const route of Object.keys(rows)) {
        const path = pathOf(route, owner.name, (kind) => owner.ids[kind] ?? "");
        const reply = await ask(route, path, owner, owner[schemeOf(route)]);
        if ([401, 403, 404].includes(reply.status) || reply.status >= 500) {
          missing.push({ route, tenant: owner.name, status: reply.status, text: reply.text });
        }
      }
    }

    expect(missing).toEqual([]);
  });
});
