import type { Platform } from "../../local/platform";
import { type Found, type KnownIds, makeKnownIds } from "../support/known-ids";
import { connectClient, type PlatformClient, pushBody, type Reply } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

describe("search by any exact id", () => {
  let platform: Platform;
  let demo: PlatformClient;
  let other: PlatformClient;
  let known: KnownIds;

  beforeAll(async () => {
    platform = await startTestPlatform();
    demo = connectClient(platform);
    other = connectClient(platform, "other");
    known = await makeKnownIds(platform, demo);
  });
  afterAll(async () => {
    await Promise.all([demo.close(), other.close()]);
    await platform.stop();
  });

  const search = async (q: string, client = demo): Promise<Reply> =>
    client.send("GET", `/search?q=${encodeURIComponent(q)}`, { authorization: `Bearer ${await client.token()}` });
  const get = async (path: string): Promise<Reply> =>
    demo.send("GET", path, { authorization: `Bearer ${await demo.token()}` });
  const operate = async (path: string) => {
    const { operatorUrl, operatorToken } = platform.credentials;
    const answer = await fetch(`${operatorUrl}${path}`, { headers: { authorization: `Bearer ${operatorToken}` } });
    return { status: answer.status, body: (await answer.json()) as { found: Found[]; missing: string[] } };
  };
  const asOperator = (q: string) => operate(`/search?q=${encodeURIComponent(q)}`);

  it.each([
    "our id of a payment",
    "the caller's id of a payment",
    "a rail's id",
    "trace",
    "our id of a refund",
    "the caller's id of a refund",
    "leg 1",
    "leg 2",
    "a quote that is not used",
    "a quote that a payment has used",
    "receipt",
    "wallet",
    "our id of a wallet transaction",
    "the caller's id of a wallet transaction",
    "the caller's id of a transfer",
    "person",
    "company",
    "document",
    "KYC session",
    "webhook",
    "event",
    "delivery",
  ])("finds by %s what it belongs to, for its tenant and for operators, and never another tenant's", async (name) => {
    const { q = "", facts = {}, also } = known.ids.get(name) ?? {};
    const { href, ...same } = facts;
    const others = also === undefined ? [] : [also];

    expect(await search(q)).toMatchObject({ status: 200, body: { found: [facts, ...others], missing: [] } });
    expect(await search(q, other)).toMatchObject({ status: 200, body: { found: [], missing: [] } });
    const told = await asOperator(q);
    const found = [same, ...others].map((one) => ({ tenant: "demo", ...one }));
    expect(told).toMatchObject({ status: 200, body: { found, missing: [] } });
    if (href !== undefined) expect([name, (await get(href)).status]).toEqual([name, 200]);
    if (facts.href?.startsWith("/v2/payment/")) {
      const path = `/tenants/demo/payments/${facts.id}`;
      expect(told.body.found[0]?.href).toBe(path);
      expect((await operate(path)).status).toBe(200);
    }
  });

  it("finds by an id of ours also what its caller has given the same id", async () => {
    const ours = ["our id of a payment", "person", "webhook", "a quote that is not used", "wallet", "event"];
    for (const name of ours) {
      const { q = "", facts = {} } = known.ids.get(name) ?? {};
      const paid = await demo.pay(pushBody(q, await demo.quote()));
      const wallet = known.ids.get("wallet")?.q ?? "";
      const headers = { authorization: `Bearer ${await demo.token()}`, "content-type": "application/json" };
      const move = JSON.stringify({ walletId: wallet, externalId: q, amount: 1, paymentType: "CREDIT" });
      const moved = await demo.send("POST", "/wallets/transaction", headers, move);
      expect([name, paid.status, moved.status]).toEqual([name, 200, 200]);

      const { body } = await search(q);
      const found = (body["found"] as Found[]).map(({ kind, externalId }) => [kind, externalId]);
      const told = (await asOperator(q)).body.found.map(({ kind, externalId }) => [kind, externalId]);
      const expected = [
        ["payment", q],
        ["wallet transaction", q],
        [facts.kind, facts.externalId ?? null],
      ];
      for (const one of expected) expect([name, found, told]).toEqual([name, expect.arrayContaining([one]), told]);
      expect([name, new Set(told.map(String))]).toEqual([name, new Set(found.map(String))]);
    }
  });

  it("finds persons and companies by the number of a document, however it is written", async () => {
    expect(known.numbers.size).toBeGreaterThan(2);
    for (const { q, facts } of known.numbers.values()) {
      expect(await search(q)).toMatchObject({ status: 200, body: { found: [facts], missing: [] } });
      expect(await search(q, other)).toMatchObject({ status: 200, body: { found: [] } });
      expect(await asOperator(q)).toMatchObject({ status: 200, body: { found: [{ tenant: "demo", ...facts }] } });
    }
    expect((await search("39053344706")).body).toMatchObject({ found: [] });
  });

  it("finds nothing by a part of an id, and refuses what is none", async () => {
    const { q: whole } = known.ids.get("our id of a payment") ?? { q: "" };
    expect((await search(whole.slice(0, -1))).body).toEqual({ found: [], missing: [] });
    expect((await search("$ne")).body).toEqual({ found: [], missing: [] });
    const refused = { status: 400, body: { code: "VE_001", errors: [{ field: "q" }] } };
    expect(await search("")).toMatchObject(refused);
    expect(await search("x".repeat(256))).toMatchObject(refused);
    expect(await demo.send("GET", "/search", { authorization: `Bearer ${await demo.token()}` })).toMatchObject(refused);
  });
});
