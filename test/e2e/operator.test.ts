import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { compiled } from "../../local/compiled";
import type { Platform } from "../../local/platform";
import { connectClient, freshId, type PlatformClient, pushBody, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

const run = promisify(execFile);

describe("an operator at the command line", () => {
  let platform: Platform;
  let demo: PlatformClient;
  let other: PlatformClient;

  beforeAll(async () => {
    platform = await startTestPlatform();
    demo = connectClient(platform);
    other = connectClient(platform, "other");
  });
  afterAll(async () => {
    await Promise.all([demo.close(), other.close()]);
    await platform.stop();
  });

  /** Runs `npm run operator -- …` against this platform. */
  const operator = async (...words: readonly string[]): Promise<Record<string, unknown>> => {
    const env = { ...process.env, CORRIDOR_DIR: platform.dir };
    const { stdout } = await run(process.execPath, [compiled("local/cli/operator"), ...words], { env });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const tenantOf = (name: string) => {
    const tenant = platform.credentials.tenants.find(({ tenant: slug }) => slug === name);
    if (tenant === undefined) throw new Error(`no tenant ${name}`);
    return tenant;
  };
  const json = { "content-type": "application/json" };

  it("finds its way by the credentials file, and says what it cannot do", async () => {
    expect(platform.credentials).toMatchObject({ operatorUrl: expect.stringMatching(/^http:/) as unknown });
    expect(await operator("tenants", "list")).toMatchObject({ tenants: [{ tenant: "demo" }, { tenant: "other" }] });
    await expect(operator("tenants", "burn")).rejects.toThrow("unknown command");
    await expect(operator("keys", "add", "demo")).rejects.toThrow("missing required argument 'kind'");
    await expect(operator("keys", "revoke", "demo", "0000")).rejects.toThrow("OPS_404");
  });

  it("approves the agent that waits, and its tenant hears of a new one by webhook", async () => {
    const { apiKey, agents } = tenantOf("demo");
    const waiting = agents.find(({ status }) => status === "PENDING_APPROVAL");
    const headers = { ...json, "x-api-key": apiKey };
    const asAgent = { ...headers, "x-agent-id": waiting?.agentId ?? "", "x-agent-api-key": waiting?.apiKey ?? "" };
    const act = () => demo.send("GET", "/reference/destinations", asAgent);
    expect((await act()).status).toBe(403);

    await operator("agents", "approve", "demo", waiting?.agentId ?? "");
    expect((await act()).status).toBe(200);

    await demo.subscribe("agents", ["AgentUpdatedEvents"]);
    const body = JSON.stringify({ email: "partner@example.com", businessName: "Partner", externalId: freshId() });
    const created = await demo.send("POST", "/organizations/demo/agents", headers, body);
    expect(created.status).toBe(200);
    const told = async () =>
      (await demo.sink("agents")).find((item) => item.body.includes(String(created.body["id"])))?.body ?? "{}";
    const event = await until(told, (found) => found !== "{}");
    expect(JSON.parse(event)).toMatchObject({
      event: "AgentUpdatedEvents",
      id: created.body["id"],
      before: null,
      after: { email: "partner@example.com", status: "PENDING_APPROVAL" },
      tenantId: "demo",
    });
    expect(event).not.toContain(String(created.body["apiKey"]));
  });

  it("sees a sound ledger and a whole audit log, and exports it", async () => {
    const reply = await demo.pay(pushBody(freshId(), await demo.quote()));
    expect(reply.status).toBe(200);

    expect(await operator("ledger", "trial-balance")).toMatchObject({ totals: expect.any(Array) as unknown });
    expect(await operator("ledger", "verify")).toMatchObject({ findings: [] });
    expect(await operator("audit", "verify")).toMatchObject({ isWhole: true });
    const env = { ...process.env, CORRIDOR_DIR: platform.dir };
    const { stdout } = await run(process.execPath, [compiled("local/cli/operator"), "audit", "export"], { env });
    const records = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { sequence: number; action: string });
    expect(records.map(({ sequence }) => sequence)).toEqual(records.map((_record, index) => index + 1));
    expect(records.map(({ action }) => action)).toContain("PUT /tenants/{tenant}/agents/{agentId}/status");
  });

  it("freezes a wallet of a tenant, and of that tenant only", async () => {
    const token = { ...json, authorization: `Bearer ${await demo.token()}` };
    const wallet = { accountAsset: "USD", ownerId: "owner-1", beneficiaryId: "beneficiary-1", type: "PERSONAL" };
    const made = await demo.send("POST", "/wallets", token, JSON.stringify(wallet));
    expect(made).toMatchObject({ status: 200 });
    const id = String(made.body["walletId"]);

    await expect(operator("wallets", "freeze", "other", id)).rejects.toThrow("WAL_404");
    expect(await operator("wallets", "freeze", "demo", id)).toEqual({ walletId: id, status: "FROZEN" });
    expect((await demo.send("GET", `/wallets/${id}`, token)).text).toContain("FROZEN");
  });
});
