import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mongo } from "mongoose";
import type { Platform } from "../../local/platform";
import { makeCanaries } from "../support/canaries";
import { cardPullBody } from "../support/payment-bodies";
import { connectClient, freshId, type PlatformClient, pushBody, until } from "../support/platform-client";
import { requireTrueSchemas } from "../support/stored-documents";
import { startTestPlatform } from "../support/test-platform";

interface Known {
  person: string;
  session: string;
  document: string;
}

describe("a person who is erased", () => {
  const canaries = makeCanaries();
  let platform: Platform;
  let client: PlatformClient;
  /** Sealed texts that no file may hold any more. */
  const destroyed: string[] = [];
  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
  });
  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  const agent = (): Record<string, string> => {
    const { agentId = "", apiKey = "" } = platform.credentials.tenants[0]?.agents[0] ?? {};
    return { "x-agent-id": agentId, "x-agent-api-key": apiKey };
  };
  const call = async (method: string, path: string, body?: object | FormData, isOperator = false) => {
    const { baseUrl, operatorUrl, operatorToken, tenants } = platform.credentials;
    const bearer = isOperator ? operatorToken : await client.token();
    const isForm = body instanceof FormData;
    const response = await fetch(`${isOperator ? operatorUrl : baseUrl}${path}`, {
      method,
      headers: {
        ...(path.startsWith("/v") || isOperator
          ? { authorization: `Bearer ${bearer}` }
          : { "x-api-key": tenants[0]?.apiKey ?? "", ...agent() }),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, unknown> };
  };
  /** The same, once the platform is quite there. */
  const insistent = (...request: Parameters<typeof call>) =>
    until(
      () => call(...request),
      ({ status }) => status < 500,
    );

  async function make(): Promise<Known> {
    const person = await insistent("POST", "/people", {
      firstName: canaries.plant("name", "person"),
      identificationType: "PASSPORT",
      identification: canaries.plant("document", "person"),
      address: { emailAddress: canaries.plant("email", "person") },
    });
    const id = String(person.body["id"]);
    const userRef = canaries.plant("phone", "session");
    const session = await insistent("POST", "/v1/sessions", { userRef, personId: id });
    const form = new FormData();
    form.set("documentNumber", canaries.plant("document", "document"));
    form.set("file", new Blob([`%PDF-1.4 ${canaries.plant("name", "file")}`], { type: "application/pdf" }), "a.pdf");
    const document = await insistent("POST", `/people/${id}/documents/passport`, form);
    expect([person.status, session.status, document.status]).toEqual([200, 200, 200]);
    return { person: id, session: String(session.body["sessionId"]), document: String(document.body["id"]) };
  }
  const seen = async ({ person, session, document }: Known): Promise<number[]> => {
    const paths = [
      `/organizations/demo/people/${person}`,
      `/v1/sessions/${session}`,
      `/people/${person}/documents/${document}`,
      `/people/${person}/documents/${document}/content`,
    ];
    return Promise.all(paths.map(async (path) => (await call("GET", path)).status));
  };

  /** A bank account that was checked, kept as a source of money of a person; and a pull from it. */
  async function keepAccounts({ person }: Known): Promise<Record<string, unknown>> {
    const picked = { accountCheckToken: "public-sandbox-ok", accountCheckId: "acc-checking" };
    const paymentMethod = { type: "BANK_DEPOSIT", countryCode: "US", ...picked };
    const headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
    const check = JSON.stringify({ externalPaymentId: freshId(), sender: { paymentMethod } });
    const checked = await client.send("POST", "/check-account", headers, check);
    const method = { type: "BANK_DEPOSIT", accountTokenId: checked.body["accountTokenId"] };
    const recipient = {
      firstName: canaries.plant("name", "recipient"),
      lastName: "Souza",
      documents: [{ document: "390.533.447-05", type: "CPF" }],
      paymentMethod: { type: "PIX", countryCode: "BRA", key: canaries.plant("email", "recipient"), keyType: "EMAIL" },
    };
    const base = `/payout/participants/${person}`;
    const kept = await call("POST", `${base}/fundingAccounts`, method);
    const payee = await call("POST", `${base}/recipientAccounts/gateway`, { recipient });
    expect([checked.status, kept.status, payee.status]).toEqual([200, 200, 200]);
    return cardPullBody("1", { sender: { firstName: "Ada", lastName: "Lovelace", paymentMethod: method } });
  }
  const accountLists = ({ person }: Known) => {
    const paths = ["fundingAccounts", "recipientAccounts/gateway"];
    return Promise.all(paths.map((path) => call("GET", `/payout/participants/${person}/${path}`)));
  };
  const accountsOf = async (known: Known): Promise<number[]> =>
    (await accountLists(known)).map(({ body }) => (body["items"] as unknown[]).length);
  /** The sealed texts and keys that stand in records of services about a person or company, and in what its checks left. */
  async function sealedTexts({ person }: Known): Promise<string[]> {
    const driver = await new mongo.MongoClient(platform.mongoUri).connect();
    const find = async (service: "payment" | "identity", collection: string, filter: object) => {
      const records = driver.db(platform.database(service)).collection(collection);
      return (await records.find(filter, { hint: "_id_" }).toArray()) as Record<string, unknown>[];
    };
    const accounts = await find("payment", "payout_accounts", { participantId: person });
    const tokens = accounts.flatMap(({ accountTokenId }) => (accountTokenId === undefined ? [] : [accountTokenId]));
    const records = [
      ...accounts,
      ...(await find("payment", "participant_keys", { _id: `demo/${person}` })),
      ...(await find("payment", "account_checks", { accountTokenId: { $in: tokens } })),
      ...(await find("identity", "participants", { _id: person })),
    ];
    await driver.close();
    return records.flatMap((record) =>
      Object.values(record).flatMap((value) => (typeof value === "string" && value.startsWith("s1.") ? [value] : [])),
    );
  }

  it("leaves no account in payment, and what was collected from one is still given back", async () => {
    const [gone, other] = [await make(), await make()];
    const [pull, otherPull] = [await keepAccounts(gone), await keepAccounts(other)];
    expect((await client.pay(pull)).status).toBe(200);
    await until(
      () => client.payment(String(pull["externalPaymentId"])),
      ({ body }) => body["status"] === "CAPTURED",
      60_000,
    );
    expect(await accountsOf(gone)).toEqual([1, 1]);
    const before = await sealedTexts(gone);
    expect(before.length).toBeGreaterThanOrEqual(7);

    expect((await call("DELETE", `/tenants/demo/participants/${gone.person}`, undefined, true)).status).toBe(204);

    const left = await until(
      () => sealedTexts(gone),
      (texts) => texts.length === 0,
      60_000,
    );
    expect(left).toEqual([]);
    expect((await accountLists(gone)).map(({ status }) => status)).toEqual([404, 404]);
    expect(await accountsOf(other)).toEqual([1, 1]);
    const again = await call("POST", `/payout/participants/${gone.person}/fundingAccounts`, {
      type: "CARD",
      cardTokenId: "9b2f5d4e-1c3a-4a57-9c11-2f4d5e6a7b8c",
    });
    expect(again.status).toBe(404);
    const late = await client.pay({ ...pull, externalPaymentId: freshId() });
    expect(late.body).toMatchObject({ status: "DECLINED" });
    const refund = { externalRefundId: freshId(), amount: 30 };
    const path = `/payments/${String(pull["externalPaymentId"])}/refund`;
    const headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
    const refunded = await until(
      () => client.send("POST", path, headers, JSON.stringify(refund)),
      ({ status }) => status === 200,
      60_000,
    );
    expect(refunded.body).toMatchObject({ status: "REFUNDED", amount: 30 });
    expect((await client.pay(otherPull)).body).toMatchObject({ status: "CAPTURED" });
    destroyed.push(...before);
  }, 200_000);

  it("is readable nowhere; everybody else is, payments go on and the ledger is whole", async () => {
    const [gone, other] = [await make(), await make()];
    const id = freshId();
    expect((await client.pay(pushBody(id, await client.quote()))).status).toBe(200);
    expect(await seen(gone)).toEqual([200, 200, 200, 200]);
    destroyed.push(...(await sealedTexts(gone)));
    const kept = await sealedTexts(other);

    const erase = `/tenants/demo/participants/${gone.person}`;
    expect((await call("DELETE", erase, undefined, true)).status).toBe(204);
    expect((await call("DELETE", erase, undefined, true)).status).toBe(204);

    expect(await seen(gone)).toEqual([404, 404, 404, 404]);
    expect(await seen(other)).toEqual([200, 200, 200, 200]);
    expect((await call("PATCH", `/people/${gone.person}`, { firstName: "Ana" })).status).toBe(404);
    const late = await call("POST", "/v1/sessions", { userRef: "u", personId: gone.person });
    expect(late).toMatchObject({ status: 404, body: { code: "PER_404" } });

    const paid = await until(
      () => client.payment(id),
      ({ body }) => body["status"] !== "PENDING",
    );
    expect(paid.body).toMatchObject({ status: "CAPTURED" });
    const walk = await call("POST", "/ledger/verifications", undefined, true);
    const path = `/ledger/verifications/${String(walk.body["verificationId"])}`;
    const end = await until(
      () => call("GET", path, undefined, true),
      ({ body }) => body["finishedAt"] !== null,
    );
    expect(end.body).toMatchObject({ findings: [] });
    await client.close();
    await requireTrueSchemas(platform);
    for (const one of platform.processes.toReversed()) await one.end(one.stopSignal);
    const files = readdirSync(platform.dir, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(platform.dir, "sandbox")))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
    expect(files.flatMap((text) => canaries.find(text))).toEqual([]);
    // The search finds what is there.
    expect(kept.filter((one) => files.some((text) => text.includes(one)))).toEqual(kept);
    expect(destroyed.length).toBeGreaterThan(0);
    expect(destroyed.filter((one) => files.some((text) => text.includes(one)))).toEqual([]);
  }, 200_000);
});
