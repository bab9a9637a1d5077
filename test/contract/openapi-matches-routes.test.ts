import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeOpenApi } from "../../gateway/openapi";
import { makeRouteMap } from "../../gateway/route-map";
import { declaredAccess, uncalledTable as table } from "../support/declared-access";

interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  responses: Record<string, unknown>;
  requestBody?: { content: Record<string, unknown> };
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
}

const document = makeOpenApi(table) as Document;

/** The table itself calls nobody, so that its rows can be read without any service. */
const uncalled = new Proxy({}, { get: () => () => Promise.reject(new Error("no route is called here")) });
const table: readonly Route[] = makeRouteTable({
  upstreams: {
    auth: uncalled,
    schema: uncalled,
    fx: uncalled,
    payment: uncalled,
    wallet: uncalled,
    identity: uncalled,
    webhook: uncalled,
  } as never,
  keySet: uncalled as never,
  limiter: uncalled as never,
  limits: uncalled as never,
  readiness: uncalled as never,
  clock: systemClock,
  linkerSegment: "linker",
  isDraining: () => false,
});
const document = makeOpenApi(table) as Document;

/** Written by hand from the contract: what each route asks for. */
const declared: Record<string, string> = {
  "POST /oauth/token": "none",
  "GET /.well-known/jwks.json": "none",
  "GET /.well-known/oauth-authorization-server": "none",
  "GET /.well-known/transaction-states.json": "none",
  "GET /schema/{countryCode}": "bearer schemas",
  "GET /reference/schemas": "agent",
  "GET /bank": "bearer banks",
  "GET /bank/list": "bearer banks",
  "GET /reference/banks": "agent",
  "GET /reference/destinations": "agent",
  "GET /schema/person": "bearer schemas",
  "POST /v2/foreign-exchange": "bearer fx",
  "POST /foreign-exchange": "bearer fx",
  "GET /v2/foreign-exchange/{fxId}": "bearer fx",
  "POST /v2/payment": "bearer payments",
  "POST /v2/payment/validate": "bearer payments",
  "POST /providers/linker": "bearer checks",
  "POST /check-account": "bearer checks",
  "DELETE /account-tokens/{accountTokenId}": "bearer checks",
  "POST /v2/check-card-account": "bearer checks",
  "GET /payer/balance": "bearer balance",
  "GET /v2/payment/{externalId}": "bearer payments",
  "GET /v2/payment/{externalId}/timeline": "bearer payments",
  "GET /payments/{externalPaymentId}": "bearer payments",
  "POST /payments/{externalPaymentId}/void": "bearer payments",
  "POST /payments/{externalPaymentId}/capture": "bearer payments",
  "POST /payments/{externalPaymentId}/refund": "bearer payments",
  "POST /provider-callbacks/{rail}": "none",
  "POST /fx/transactions/{id}/cancel": "agent",
  "POST /person": "bearer persons",
  "POST /person/validate": "bearer persons",
  "POST /people": "tenant",
  "PATCH /people/{id}": "tenant",
  "GET /organizations/{tenant}/people/{personId}": "tenant",
  "POST /companies": "tenant",
  "PATCH /companies/{id}": "tenant",
  "GET /organizations/{tenant}/companies/{companyId}": "tenant",
  "POST /wallets": "bearer wallets",
  "GET /wallets/{walletId}": "bearer wallets",
  "GET /wallets/{walletId}/balance": "bearer wallets",
  "GET /wallets/{walletId}/statement": "bearer wallets",
  "POST /wallets/transaction": "bearer wallets",
  "POST /wallets/transaction/{transactionId}/confirm": "bearer wallets",
  "POST /wallets/transaction/{transactionId}/void": "bearer wallets",
  "POST /wallets/transfer": "bearer wallets",
  "POST /wallets/transfer/{externalTransferId}/void": "bearer wallets",
  "POST /organizations/{tenant}/agents": "tenant",
  "POST /organizations/{tenant}/webhooks": "tenant",
  "GET /organizations/{tenant}/webhooks": "tenant",
  "DELETE /organizations/{tenant}/webhooks/{webhookId}": "tenant",
  "POST /organizations/{tenant}/webhooks/{webhookId}/secret": "agent",
  "DELETE /organizations/{tenant}/webhooks/{webhookId}/secret": "agent",
  "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries": "tenant",
  "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}": "tenant",
  "POST /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": "tenant",
  "POST /organizations/{tenant}/webhooks/{webhookId}/recover": "tenant",
  "POST /organizations/{tenant}/webhooks/{webhookId}/test": "tenant",
  "GET /organizations/{tenant}/events": "tenant",
  "GET /openapi.json": "none",
  "GET /docs": "none",
  "GET /docs/{asset}": "none",
  "GET /healthz": "none",
  "GET /readyz": "none",
};

/** The credential that an operation of the document asks for. */
function credentialOf({ security }: Operation): string {
  const [requirement] = security;
  if (requirement === undefined) return "none";
  if (requirement["bearer"] !== undefined) return `bearer ${requirement["bearer"].join(" ")}`;
  return requirement["agentKey"] === undefined ? "tenant" : "agent";
}

describe("the route table", () => {
  it("asks for the credentials that the contract names, route by route", () => {
    const real = table.map((route) => [
      `${route.method} ${route.path}`,
      route.scheme === "bearer" ? `bearer ${route.scope}` : route.scheme,
    ]);

    expect(Object.fromEntries(real)).toEqual(declaredAccess);
  });

  it("cannot hold two routes for the same requests", () => {
    const [route] = table;

    expect(() => makeRouteMap([...table, ...(route === undefined ? [] : [route])])).toThrow(/two routes answer/);
  });

  it("describes every parameter of every path", () => {
    const missing = table.flatMap(({ path, params = {} }) =>
      [...path.matchAll(/\{(\w+)\}/g)].filter(([, name = ""]) => (params[name] ?? "") === "").map(() => path),
    );

    expect(missing).toEqual([]);
  });
});

describe("the OpenAPI document", () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );

  it("holds the routes of the table and their credentials, and no other", () => {
    const described = operations.map(({ name, operation }) => [name, credentialOf(operation)]);

    expect(document.openapi).toMatch(/^3\.1\./);
    expect(Object.fromEntries(described)).toEqual(declaredAccess);
  });

  it("describes the success, the refusals and the body of each route", () => {
    for (const route of table) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];

      expect(Object.keys(operation?.responses ?? {})).toContain(String(route.success.status));
      expect(operation?.requestBody === undefined).toBe(route.body === "none");
      if (route.scheme !== "none") expect(Object.keys(operation?.responses ?? {})).toContain("401");
    }
  });

  it("names each operation once", () => {
    const ids = operations.map(({ operation }) => operation.operationId);

    expect(new Set(ids).size).toBe(ids.length);
  });

  it("passes the linter", () => {
    const folder = mkdtempSync(join(tmpdir(), "openapi-"));
    try {
      writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
      writeFileSync(
        join(folder, "redocly.yaml"),
        "extends: [recommended]\nrules:\n  no-server-example.com: off\n  operation-4xx-response: off\n  security-defined: error\n",
      );
      const cli = join(__dirname, "../../node_modules/@redocly/cli/bin/cli.js");
      const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "lint", "openapi.json"], {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      });

      expect({ status, report: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, report: "" });
      expect(stdout + stderr).not.toMatch(/warning/i);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
