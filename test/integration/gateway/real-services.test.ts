import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Gateway, startGateway } from "../../../gateway/app";
import { readGatewayConfig } from "../../../gateway/config";
import { startAuth } from "../../../services/auth/app";
import { readAuthConfig } from "../../../services/auth/config";
import { startFx } from "../../../services/fx/app";
import { readFxConfig } from "../../../services/fx/config";
import { startSchema } from "../../../services/schema/app";
import { readSchemaConfig } from "../../../services/schema/config";
import { makeCredential } from "../../../services/shared/crypto/credential";
import { systemIds } from "../../../services/shared/kernel/ids";
import type { Running } from "../../../services/shared/process/lifecycle";
import { startTestTestbed } from "../../support/testbed";
import { type HttpAnswer, httpCall } from "./http-call";

const credential = (kind: "key" | "agent" | "secret"): string => makeCredential(kind, "local", systemIds);
const agent = (status: string) => ({ agentId: systemIds.uuid(), apiKey: credential("agent"), status });
const approved = agent("ACTIVE");
const pending = agent("PENDING_APPROVAL");
const demo = {
  tenant: "demo",
  apiKey: credential("key"),
  clientId: "demo-client",
  clientSecret: credential("secret"),
  agents: [approved, pending],
};

describe("the gateway before the real auth, schema and fx services", () => {
  const running: Running[] = [];
  const folder = mkdtempSync(join(tmpdir(), "gateway-services-"));
  let gateway: Gateway;

  beforeAll(async () => {
    const file = (name: string, text: string): string => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    const store = await startTestTestbed();
    running.push(store);
    const common = { PROFILE: "local", LOG_LEVEL: "error", GRPC_PORT: "0", MONGODB_URI: store.mongoUri };
    const auth = await startAuth(
      readAuthConfig({
        ...common,
        MONGODB_DATABASE: store.database("auth"),
        ...store.busOf("auth"),
        AUTH_ISSUER: "http://127.0.0.1:8080",
        AUTH_AUDIENCE: "corridor",
        AUTH_PEPPER_FILE: file("pepper", "1".repeat(64)),
        AUTH_SEALING_KEY_FILE: file("sealing", "2".repeat(64)),
        AUTH_BOOTSTRAP_FILE: file("bootstrap.json", JSON.stringify({ tenants: [demo] })),
      }),
    );
    const schema = await startSchema(readSchemaConfig({ ...common, MONGODB_DATABASE: store.database("schema") }));
    const target = (port: number): string => `ipv4:127.0.0.1:${port}`;
    const fx = await startFx(
      readFxConfig({ ...common, MONGODB_DATABASE: store.database("fx"), SCHEMA_TARGET: target(schema.port) }),
    );
    running.push(auth, schema, fx);
    gateway = await startGateway(
      readGatewayConfig({
        PROFILE: "local",
        LOG_LEVEL: "error",
        GATEWAY_PORT: "0",
        GATEWAY_DRAIN_MS: "0",
        GATEWAY_MAX_LAG_MS: "60000",
        NATS_URL: "nats://127.0.0.1:9",
        AUTH_TARGET: target(auth.port),
        SCHEMA_TARGET: target(schema.port),
        FX_TARGET: target(fx.port),
        PAYMENT_TARGET: target(fx.port),
        WALLET_TARGET: target(fx.port),
        IDENTITY_TARGET: target(fx.port),
        WEBHOOK_TARGET: target(fx.port),
      }),
    );
    running.push(gateway);
  });
  afterAll(async () => {
    for (const part of running.toReversed()) await part.stop();
    rmSync(folder, { recursive: true });
  });

  const call = (path: string, options: Parameters<typeof httpCall>[2] = {}): Promise<HttpAnswer> =>
    httpCall(gateway.port ?? 0, path, options);

  const tokenFor = async (scope: string): Promise<string> => {
    const answer = await call("/oauth/token", {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        authorization: `Basic ${Buffer.from(`${demo.clientId}:${demo.clientSecret}`).toString("base64")}`,
      },
      body: `grant_type=client_credentials&scope=${scope}`,
    });
    expect(answer).toMatchObject({ status: 200, json: { token_type: "Bearer", expires_in: 3_600 } });
    return /"access_token":"([^"]+)"/.exec(answer.text)?.[1] ?? "";
  };

  it("is ready", async () => {
    expect(await call("/readyz")).toMatchObject({ status: 200 });
  });

  it("serves a schema and a quote to the holder of a token, within its scope only", async () => {
    const authorization = `Bearer ${await tokenFor("schemas+fx")}`;
    const narrow = `Bearer ${await tokenFor("schemas")}`;
    const body = JSON.stringify({
      sourceCurrencyCode: "USD",
      destinationCurrencyCode: "BRL",
      paymentMethod: "BANK_ACCOUNT",
      destinationCountryCode: "BRA",
    });
    const quote = (headers: Record<string, string>, text = body): Promise<HttpAnswer> =>
      call("/v2/foreign-exchange", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: text,
      });

    const schema = await call("/schema/BRA", { headers: { authorization } });
    const again = await call("/schema/BRA", {
      headers: { authorization, "if-none-match": schema.headers["etag"] ?? "" },
    });

    expect(schema).toMatchObject({ status: 200, json: { $schema: expect.stringContaining("draft-07") as unknown } });
    expect(again.status).toBe(304);
    expect(await call("/schema/ZZZ", { headers: { authorization } })).toMatchObject({ json: { code: "PAY_271" } });
    expect((await quote({ authorization })).text).toMatch(
      /^\{"fxId":"[^"]+","conversionRate":[\d.]+,"sourceCurrencyCode":"USD","destinationCurrencyCode":"BRL",/,
    );
    expect(await quote({ authorization }, body.replace("BRA", "BR"))).toMatchObject({ json: { code: "PAY_001" } });
    expect(await quote({ authorization }, body.replace("BANK_ACCOUNT", "PIX"))).toMatchObject({
      status: 400,
      json: { code: "PAY_005" },
    });
    expect(await quote({ authorization: narrow })).toMatchObject({ status: 403, json: { code: "AUTH_004" } });
  });

  it("serves banks and what is known of a country's persons to the holder of a token", async () => {
    const get = async (path: string, scope: string): Promise<HttpAnswer> =>
      call(path, { headers: { authorization: `Bearer ${await tokenFor(scope)}` } });

    expect(await get("/bank?bankNumber=HDFC0000053&countryCode=IN", "banks")).toMatchObject({
      status: 200,
      json: { bankCode: "HDFC0000053", bankName: "HDFC Bank", countryCode: "IN", swift: "HDFCINBB" },
    });
    expect(await get("/bank?bankNumber=999&countryCode=BR", "banks")).toMatchObject({ json: { code: "BNK_404" } });
    expect(await get("/bank/list?countryCode=BR&page=3&resultsPerPage=10", "banks")).toMatchObject({
      status: 200,
      json: { banks: [{ countryCode: "BR" }, { countryCode: "BR" }], page: 3, resultsPerPage: 10, totalResults: 32 },
    });
    expect(await get("/bank/list?countryCode=HT", "banks")).toMatchObject({ status: 404, json: { code: "BNK_404" } });
    expect(await get("/schema/person?countryCode=DEU", "schemas")).toMatchObject({ status: 200 });
    expect(await get("/schema/person?countryCode=ATA", "schemas")).toMatchObject({ json: { code: "PAY_271" } });
  });

  it("serves reference data to an approved agent, and to nobody else", async () => {
    const headersOf = ({ agentId, apiKey }: typeof approved): Record<string, string> => ({
      "x-api-key": demo.apiKey,
      "x-agent-id": agentId,
      "x-agent-api-key": apiKey,
    });
    const banks = await call("/reference/banks", { headers: headersOf(approved) });
    const destinations = await call("/reference/destinations", { headers: headersOf(approved) });

    expect((banks.json as { directories: unknown[] }).directories).toHaveLength(130);
    expect((destinations.json as { destinations: unknown[] }).destinations).toHaveLength(133);
    for (const path of ["/reference/banks", "/reference/destinations", "/reference/schemas"]) {
      expect(await call(path, { headers: headersOf(pending) })).toMatchObject({
        status: 403,
        json: { code: "AUTH_002" },
      });
      expect(await call(path)).toMatchObject({ status: 401, json: { code: "AUTH_001" } });
    }
  });

  it("refuses a wrong client secret and an unknown scope by RFC 6749", async () => {
    const send = (body: string): Promise<HttpAnswer> =>
      call("/oauth/token", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: `grant_type=client_credentials&client_id=${demo.clientId}&${body}`,
      });

    expect(await send(`client_secret=${credential("secret")}`)).toMatchObject({
      status: 401,
      json: { error: "invalid_client" },
    });
    expect(await send(`client_secret=${demo.clientSecret}&scope=admin`)).toMatchObject({
      status: 400,
      json: { error: "invalid_scope" },
    });
  });

  it("tells an approved agent from one that is not", async () => {
    const secret = (headers: Record<string, string>): Promise<HttpAnswer> =>
      call("/organizations/other/webhooks/w/secret", { method: "POST", headers });
    const headersOf = ({ agentId, apiKey }: typeof approved): Record<string, string> => ({
      "x-api-key": demo.apiKey,
      "x-agent-id": agentId,
      "x-agent-api-key": apiKey,
    });

    expect(await secret(headersOf(approved))).toMatchObject({ status: 404, json: { code: "WH_404" } });
    expect(await secret(headersOf(pending))).toMatchObject({ status: 403, json: { code: "AUTH_002" } });
    expect(await secret({ "x-api-key": demo.apiKey })).toMatchObject({ status: 403, json: { code: "AUTH_002" } });
    expect(await secret({ "x-api-key": credential("key") })).toMatchObject({ status: 401, json: { code: "AUTH_001" } });
  });
});
