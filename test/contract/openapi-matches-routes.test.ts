import { makeRouter } from "../../gateway/make-router";
import { makeOpenApi } from "../../gateway/openapi";
import { operationNames, operatorOperationNames } from "../../gateway/operation-names";
import { clientTable } from "../../local/sdk/route-tables";
import { eventNames } from "../../services/webhook/domain/event-names";
import { declaredAccess, uncalledTable as table, uncalledOperatorTable } from "../support/declared-access";
import { untitledSchemas } from "../support/untitled-schemas";

interface Operation {
  operationId: string;
  description: string;
  security: Record<string, string[]>[];
  responses: Record<string, unknown>;
  requestBody?: { content: Record<string, unknown> };
}

interface Document {
  openapi: string;
  tags: { name: string; description: string }[];
  webhooks: Record<string, unknown>;
  paths: Record<string, Record<string, Operation>>;
}

const document = makeOpenApi(table) as Document;

/** The credential that an operation of the document asks for. Scopes of keys stand in the description: the format has them for tokens alone. */
function credentialOf({ security, description }: Operation): string {
  const [requirement] = security;
  if (requirement === undefined) return "none";
  if (requirement["person"] !== undefined) return "person";
  if (requirement["bearer"] !== undefined) return `bearer ${requirement["bearer"].join(" ")}`;
  const scheme = requirement["agentKey"] === undefined ? "tenant" : "agent";
  return `${scheme} ${/bound to scopes needs `(\w+)`/.exec(description)?.[1]}`;
}

describe("the route table", () => {
  it("asks for the credentials that the contract names, route by route", () => {
    const real = table.map((route) => [
      `${route.method} ${route.path}`,
      "scope" in route ? `${route.scheme} ${route.scope}` : route.scheme,
    ]);

    expect(Object.fromEntries(real)).toEqual(declaredAccess);
  });

  it("cannot hold two routes for the same requests", () => {
    const [route] = table;

    expect(() => makeRouter([...table, ...(route === undefined ? [] : [route])], () => [])).toThrow(
      /two routes answer/,
    );
  });

  it("pages every list of operators by `after` and `next`", () => {
    const namesOf = ({ query = {}, requestSchema, success }: (typeof table)[number]) => ({
      asked: Object.keys({ ...query, ...Object(requestSchema?.["properties"]) }),
      told: Object.keys(Object(success.schema?.["properties"]) as object),
    });
    const words = ["after", "next", "cursor"];
    const pages = uncalledOperatorTable
      .map((route) => ({ path: route.path, ...namesOf(route) }))
      .map(({ path, asked, told }) => [path, ...[...asked, ...told].filter((name) => words.includes(name))])
      .filter(([, ...names]) => names.length > 0);

    expect(pages.length).toBeGreaterThanOrEqual(6);
    expect(pages).toEqual(pages.map(([path]) => [path, "after", "next"]));
  });

  it("describes every parameter of every path", () => {
    const missing = table.flatMap(({ path, params = {} }) =>
      [...path.matchAll(/\{(\w+)\}/g)].filter(([, name = ""]) => (params[name] ?? "") === "").map(() => path),
    );

    expect(missing).toEqual([]);
  });
});

/** Verbs that names of operations begin with. */
const verbs = new Set(
  `begin cancel capture check confirm correct create decide delete download end erase find finish get invite list receive reconcile record
  recover redeliver refund register reject release renew replay resolve revoke rotate run search set test update upload validate verify
  void`.split(/\s+/),
);

describe("the OpenAPI document", () => {
  const { tags, webhooks } = document;
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

  it("lets every enumeration that may be null be null", () => {
    const found: unknown[] = [];
    const walk = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      const { type, enum: values } = value as { type?: unknown; enum?: unknown };
      if (Array.isArray(type) && type.includes("null") && Array.isArray(values)) found.push(values.at(-1));
      for (const inner of Object.values(value)) walk(inner);
    };
    walk([document, makeOpenApi(uncalledOperatorTable)]);

    expect(found.length).toBeGreaterThan(0);
    expect(found.every((last) => last === null)).toBe(true);
  });

  it("gives every schema a title, of operators' routes too", () => {
    expect(untitledSchemas(document)).toEqual([]);
    expect(untitledSchemas(makeOpenApi(uncalledOperatorTable))).toEqual([]);
  });

  describe.each([
    ["tenants", document],
    ["operators", makeOpenApi(uncalledOperatorTable) as Document],
  ])("of %s", (_whose, { paths }) => {
    const ids = Object.values(paths)
      .flatMap((item) => Object.values(item))
      .map(({ operationId }) => operationId);

    it("names each operation once", () => {
      expect(new Set(ids).size).toBe(ids.length);
    });

    it("names each operation by a verb and what it is about, in camelCase", () => {
      const isNamed = (id: string) =>
        /^[a-z]+(?:[A-Z][a-z]+)+(?:V1)?$/.test(id) && verbs.has(id.replace(/[A-Z].*/, ""));

      expect(ids.filter((id) => !isNamed(id))).toEqual([]);
    });
  });

  it("has no name for an operation that is none", () => {
    const routes = new Set([...table, ...uncalledOperatorTable].map(({ method, path }) => `${method} ${path}`));
    const named = [...Object.keys(operationNames), ...Object.keys(operatorOperationNames)];

    expect(named.filter((key) => !routes.has(key))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  });

  it("calls the operations that payments are made with by the names that a person would choose", () => {
    const idOf = (key: string) => {
      const [method = "", path = ""] = key.split(" ");
      return document.paths[path]?.[method.toLowerCase()]?.operationId;
    };

    expect(
      [
        "POST /v2/payment",
        "GET /v2/payment/{externalId}",
        "POST /payments/{externalPaymentId}/capture",
        "POST /v2/foreign-exchange",
        "POST /wallets",
        "POST /organizations/{tenant}/webhooks",
      ].map(idOf),
    ).toEqual(["createPayment", "getPayment", "capturePayment", "createQuote", "createWallet", "createWebhook"]);
  });

  it("calls an operation the same whatever an installation has in its path", () => {
    const { paths } = makeOpenApi(clientTable) as Document;

    expect(paths["/providers/{linker}"]?.["post"]?.operationId).toBe("createLinkToken");
    expect(document.paths["/providers/linker"]?.["post"]?.operationId).toBe("createLinkToken");
  });

  it("says what each group of operations is for", () => {
    expect(tags.filter(({ description }) => description === "")).toEqual([]);
  });

  it("describes every event that a subscription may name, and the test", () => {
    expect(Object.keys(webhooks)).toEqual([...eventNames, "WebhookTest", "EventBatch"]);
  });
});
