import { createConnection } from "mongoose";
import type { Platform } from "../../local/platform";
import { connectClient, freshId, type PlatformClient, pushBody } from "../support/platform-client";
import { readStoredDocuments } from "../support/stored-documents";
import { startTestPlatform } from "../support/test-platform";

const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json" };

/** What one payment and a few commands of operators fill. */
const written = [
  ...["agents", "approvals", "audit", "audit_head", "audit_keys", "clients"].map((name) => `auth.${name}`),
  ...["credentials", "revoked_tokens", "signing_keys", "tenants"].map((name) => `auth.${name}`),
  "fx.quotes",
  "identity.payment_decisions",
  ...["data_keys", "payments", "promise_holders"].map((name) => `payment.${name}`),
  ...["schemas", "bankDirectories"].map((name) => `schema.${name}`),
  ...["accounts", "commits", "entries", "row_marks"].map((name) => `wallet.${name}`),
  ...["promise_accounts", "promise_blocks"].map((name) => `wallet.${name}`),
];

describe("what the services have stored", () => {
  let platform: Platform;
  let client: PlatformClient;

  beforeAll(async () => {
    platform = await startTestPlatform({ fourEyes: true });
    client = connectClient(platform);
    await client.pay(pushBody(freshId(), await client.quote()));
    await operate("PUT", "/tenants/demo", { allowlist: [] });
    await operate("POST", "/tenants/demo/clients", { clientId: "second", scopes: ["fx"] });
    await revoke();
  });
  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  /** Asks for a command of operators, which waits for a second one. */
  async function operate(method: "PUT" | "POST", path: string, body: object): Promise<void> {
    const { operatorUrl, operatorToken } = platform.credentials;
    const headers = { ...json, authorization: `Bearer ${operatorToken}` };
    await fetch(`${operatorUrl}${path}`, { method, headers, body: JSON.stringify(body) });
  }

  /** Takes an access token back. */
  async function revoke(): Promise<void> {
    const [tenant] = platform.credentials.tenants;
    const own = `${tenant?.clientId}:${tenant?.clientSecret}`;
    const headers = { ...form, authorization: `Basic ${Buffer.from(own).toString("base64")}` };
    await client.send("POST", "/oauth/revoke", headers, `token=${await client.token()}`);
  }

  it("is what the schemas of their models say, field by field", async () => {
    const { faults, counts } = await readStoredDocuments(platform);

    expect(faults).toEqual([]);
    expect(written.filter((name) => (counts[name] ?? 0) === 0)).toEqual([]);
  });

  it("is found out where a field is unknown, of another type, or missing", async () => {
    const dbName = platform.database("auth");
    const connection = await createConnection(platform.mongoUri, { dbName }).asPromise();
    const clients = connection.collection<{ _id: string }>("clients");
    const good = { tenant: "demo", scopes: ["fx"] };
    const bad = [
      { _id: "unknown-field", ...good, colour: "blue" },
      { _id: "other-type", ...good, tenant: 7 },
      { _id: "missing-field", scopes: ["fx"] },
    ];
    await clients.insertMany(bad);
    await connection.createCollection("drawers");

    const { faults } = await readStoredDocuments(platform, ["auth"]);
    await clients.deleteMany({ _id: { $in: bad.map(({ _id }) => _id) } });
    await connection.dropCollection("drawers");
    await connection.close();

    expect(faults.toSorted()).toEqual([
      expect.stringContaining("auth.clients: StrictModeError: Field `colour` is not in schema"),
      expect.stringContaining("auth.clients: ValidationError: tenant: Path `tenant` is required"),
      "auth.clients: tenant is stored otherwise than its schema says",
      "auth.drawers: has no model",
    ]);
  });
});
