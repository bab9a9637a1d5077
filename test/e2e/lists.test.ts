import type { Platform } from "../../local/platform";
import { connectClient, freshId, type PlatformClient, type Reply } from "../support/platform-client";
import { readCsv } from "../support/read-csv";
import { startTestPlatform } from "../support/test-platform";

type Json = Record<string, unknown>;

/** A list of a tenant as a caller asks for it: where, with which credential, and the member that has its rows. */
interface List {
  path: string;
  member: string;
  isKeyed: boolean;
}

const lists: readonly List[] = [
  { path: "/wallets", member: "wallets", isKeyed: false },
  { path: "/wallets/transactions", member: "transactions", isKeyed: false },
  { path: "/v2/foreign-exchange", member: "quotes", isKeyed: false },
  { path: "/organizations/demo/agents", member: "agents", isKeyed: true },
  { path: "/organizations/demo/people", member: "people", isKeyed: true },
  { path: "/organizations/demo/companies", member: "companies", isKeyed: true },
  { path: "/organizations/demo/deliveries", member: "deliveries", isKeyed: true },
];

/** Lists of operators that have rows here. */
const operatorLists = [
  "/tenants",
  "/tenants/demo/agents",
  "/tenants/demo/clients",
  "/tenants/demo/credentials",
  "/signing-keys",
  "/audit",
] as const;

const formula = '=HYPERLINK("https://example.com","free, money")';

describe("the lists of a tenant at the edge", () => {
  let platform: Platform;
  let demo: PlatformClient;
  let other: PlatformClient;
  let walletId: string;
  let held: Json;

  beforeAll(async () => {
    platform = await startTestPlatform();
    demo = connectClient(platform);
    other = connectClient(platform, "other");
    await demo.subscribe("lists");
    for (let at = 0; at < 3; at += 1) await demo.quote();
    await addAgents();
    await moveMoney();
    for (const name of ["Maria", "Paulo", "Rita"]) await keep("/people", { type: "INDIVIDUAL", firstName: name });
    for (const name of ["Um Ltda", "Dois Ltda"]) await keep("/companies", { type: "BUSINESS", companyName: name });
    const [webhook] = (await ask("/organizations/demo/webhooks", true)).body["webhooks"] as Json[];
    for (let at = 0; at < 3; at += 1)
      await post(`/organizations/demo/webhooks/${String(webhook?.["id"])}/test`, {}, true);
  });
  afterAll(async () => {
    await Promise.all([demo.close(), other.close()]);
    await platform.stop();
  });

  const credentialOf = async (isKeyed: boolean, client = demo): Promise<Record<string, string>> => {
    const slug = client === demo ? "demo" : "other";
    const apiKey = platform.credentials.tenants.find(({ tenant }) => tenant === slug)?.apiKey ?? "";
    return isKeyed ? { "x-api-key": apiKey } : { authorization: `Bearer ${await client.token()}` };
  };
  const ask = async (path: string, isKeyed = false, headers: Record<string, string> = {}, client = demo) =>
    client.send("GET", path, { ...(await credentialOf(isKeyed, client)), ...headers });
  const post = async (path: string, body: object, isKeyed = false): Promise<Reply> => {
    const headers = { ...(await credentialOf(isKeyed)), "content-type": "application/json" };
    const reply = await demo.send("POST", path, headers, JSON.stringify(body));
    if (reply.status > 201) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return reply;
  };
  const keep = (path: string, body: object): Promise<Reply> => post(path, body, true);
  const addAgents = async (): Promise<void> => {
    const agents = [{ businessName: formula, externalId: "-7" }, { businessName: "Plain" }];
    for (const agent of agents) await post("/organizations/demo/agents", { email: "a@example.com", ...agent }, true);
  };
  const moveMoney = async (): Promise<void> => {
    const wallet = { accountAsset: "USD", ownerId: "o", beneficiaryId: "b", type: "PERSONAL" };
    const [one, two] = [await post("/wallets", wallet), await post("/wallets", wallet)];
    walletId = String(one.body["walletId"]);
    const move = { walletId, paymentType: "CREDIT", amount: 100.1 };
    await post("/wallets/transaction", { ...move, externalId: freshId(), description: formula });
    held = (await post("/wallets/transaction", { ...move, externalId: freshId(), hold: true })).body;
    const toWallet = String(two.body["walletId"]);
    await post("/wallets/transfer", { fromWallet: walletId, toWallet, amount: 0.05, externalId: "gift" });
  };
  const rowsOf = async ({ path, member, isKeyed }: List, query = ""): Promise<Json[]> => {
    const rows: Json[] = [];
    for (let after = ""; ; ) {
      const reply = await ask(`${path}?limit=2${query}${after}`, isKeyed);
      if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
      rows.push(...(reply.body[member] as Json[]));
      const { next } = reply.body as { next: string | null };
      if (next === null) return rows;
      after = `&after=${encodeURIComponent(next)}`;
    }
  };

  it.each(lists)("$path pages through all of it, the newest first, each row once", async (list) => {
    const rows = await rowsOf(list);
    const [first = {}] = rows;
    const id = ["id", "walletId", "fxId"].find((name) => name in first) ?? "";
    const times = rows.map(({ createdAt }) => String(createdAt));

    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(new Set(rows.map((row) => row[id])).size).toBe(rows.length);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it.each(lists)("$path says the same as text with commas, which no spreadsheet runs", async (list) => {
    const rows = await rowsOf(list);
    const reply = await ask(list.path, list.isKeyed, { accept: "text/csv" });
    const told = readCsv(reply.text);

    expect([reply.status, reply.headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(reply.headers["content-length"]).toBeUndefined();
    expect(told.map(({ createdAt }) => createdAt)).toEqual(rows.map(({ createdAt }) => createdAt));
    for (const cell of told.flatMap((row) => Object.values(row))) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
  });

  it.each(lists)("$path takes no parameter that it does not know, and no cursor of another list", async (list) => {
    const { path, isKeyed } = list;
    const misspelt = await ask(`${path}?limt=1`, isKeyed);
    const strange = await ask(`${path}?after=x`, isKeyed);

    expect(misspelt).toMatchObject({
      status: 400,
      body: { code: "VE_001", errors: [{ field: "limt", message: "is not known; did you mean limit?" }] },
    });
    expect(strange).toMatchObject({ status: 400, body: { code: "VE_001", errors: [{ field: "after" }] } });
  });

  it.each(lists)("$path shows nothing of it to another tenant", async ({ path, member, isKeyed }) => {
    const reply = await ask(path, isKeyed, {}, other);
    if (isKeyed) return expect(reply.status).toBe(404);
    return expect([reply.status, reply.body[member]]).toEqual([200, []]);
  });

  it("keep agents apart by their state, and defuse what a spreadsheet would run", async () => {
    const list = { path: "/organizations/demo/agents", member: "agents", isKeyed: true };
    const waiting = await rowsOf(list, "&status=PENDING_APPROVAL");
    const [active] = await rowsOf(list, "&status=ACTIVE");
    const told = readCsv((await ask(list.path, true, { accept: "text/csv" })).text);

    expect(waiting.map(({ businessName }) => businessName)).toEqual(expect.arrayContaining([formula, "Plain"]));
    expect(active?.["status"]).toBe("ACTIVE");
    expect(told).toContainEqual(expect.objectContaining({ businessName: `'${formula}`, externalId: "'-7" }));
    expect((await ask(`${list.path}?status=GONE`, true)).body).toMatchObject({ errors: [{ field: "status" }] });
  });

  it("tell of persons and companies nothing that is known of them", async () => {
    for (const path of ["/organizations/demo/people", "/organizations/demo/companies"]) {
      const { text, body } = await ask(path, true);
      expect(text).not.toMatch(/Maria|Paulo|Rita|Ltda/);
      const [[first] = []] = Object.values(body) as Json[][];
      const detail = await ask(`${path}/${String(first?.["id"])}`, true);
      expect([detail.status, detail.body["status"]]).toEqual([200, first?.["status"]]);
      expect((await ask(`${path}?status=APPROVED`, true)).body).toMatchObject({ next: null });
    }
  });

  it("follow a wallet transaction from its hold to its end, and a transfer to its return", async () => {
    const id = String(held["transactionId"]);
    const before = await ask(`/wallets/transaction/${id}`);
    await post(`/wallets/transaction/${id}/void`, {});
    const after = await ask(`/wallets/transaction/${String(held["externalId"])}`);
    await post("/wallets/transfer/gift/void", {});

    expect(before).toMatchObject({
      status: 200,
      body: { id, type: "CREDIT", status: "HELD", fromWallet: null, toWallet: walletId, amount: 100.1, endedAt: null },
    });
    expect(after).toMatchObject({ status: 200, body: { id, status: "VOIDED", endedAt: expect.any(String) } });
    expect(await ask("/wallets/transfer/gift")).toMatchObject({
      body: { type: "TRANSFER", status: "VOIDED", amount: 0.05, fromWallet: walletId },
    });
    for (const path of [`transaction/${id}`, "transfer/gift", "transaction/balance"]) {
      expect(await ask(`/wallets/${path}`, false, {}, other)).toMatchObject({ status: 404 });
    }
    const statement = readCsv((await ask(`/wallets/${walletId}/statement?size=1`, false, { accept: "text/csv" })).text);
    expect(statement.map(({ type, amount }) => [type, amount])).toEqual([
      ["CREDIT", "100.1"],
      ["DEBIT", "0.05"],
      ["CREDIT", "0.05"],
    ]);
    expect(statement[0]?.["description"]).toBe(`'${formula}`);
    const backwards = `/wallets/${walletId}/statement?order=newest`;
    expect(await ask(backwards, false, { accept: "text/csv" })).toMatchObject({
      status: 400,
      body: { errors: [{ field: "order", message: "must be oldest for text/csv" }] },
    });
    expect(await ask("/wallets/transactions?from=2026-03-02&until=2026-03-01")).toMatchObject({
      status: 400,
      body: { errors: [{ field: "until", message: "must be after from" }] },
    });
  });

  const operate = async (path: string, accept: string) => {
    const { operatorUrl, operatorToken } = platform.credentials;
    const headers = { authorization: `Bearer ${operatorToken}`, accept };
    const answer = await fetch(`${operatorUrl}${path}`, { headers });
    return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
  };

  it.each(operatorLists)("of operators, %s, say the same as text, which no spreadsheet runs", async (path) => {
    const page = JSON.parse((await operate(path, "application/json")).text) as Record<string, Json[]>;
    const rows = Object.values(page).find(Array.isArray) ?? [];
    const { status, type, text } = await operate(path, "text/csv");
    const told = readCsv(text);
    const [name = ""] = Object.keys(rows[0] ?? {});

    expect([status, type]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(rows.length).toBeGreaterThan(0);
    // The list of the audit log grows by each request. A random id may begin with what is defused, such as the hyphen of a key's id.
    const ids = told.map((row) => row[name]?.replace(/^'(?=[=+\-@\t\r])/, ""));
    expect(ids.slice(0, rows.length)).toEqual(rows.map((row) => String(row[name])));
    for (const cell of told.flatMap((row) => Object.values(row))) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
  });
});
