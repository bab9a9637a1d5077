import type { ErrorReason } from "../services/shared/errors";
import { scopes } from "../services/shared/scopes";
import { publicErrors } from "./render-error";
import type { BodyKind, DocumentSchema, Route } from "./route";
import { arrayOf, objectSchema, textSchema } from "./schemas/document-schema";
import { reasonCodeWords } from "./schemas/reason-schema";

const errorSchema = objectSchema(
  {
    code: textSchema("Stable code of the refusal."),
    message: textSchema("What is wrong, naming the field and the rule."),
    requestId: textSchema("The request's x-request-id."),
    errors: arrayOf(
      objectSchema({
        field: textSchema("Dotted path from the root of the request."),
        message: textSchema("The rule that the field breaks."),
      }),
    ),
    details: { type: "object", description: "Facts that the caller may act on." },
  },
  ["errors", "details"],
);

const oauthErrorSchema = objectSchema({
  error: textSchema("Error name of RFC 6749 section 5.2."),
  error_description: textSchema("What is wrong."),
});

const apiKeyHeader = (name: string): object => ({ type: "apiKey", in: "header", name });

const securitySchemes = {
  bearer: {
    type: "oauth2",
    flows: {
      clientCredentials: {
        tokenUrl: "/oauth/token",
        scopes: Object.fromEntries(scopes.map((scope) => [scope, `Operations of ${scope}.`])),
      },
    },
  },
  tenantKey: apiKeyHeader("x-api-key"),
  agentId: apiKeyHeader("x-agent-id"),
  agentKey: apiKeyHeader("x-agent-api-key"),
  operator: { type: "http", scheme: "bearer" },
};

/** The schemes that some route asks for. */
function usedSchemes(routes: readonly Route[]): object {
  const used = new Set(routes.flatMap(security).flatMap(Object.keys));
  return Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name)));
}

const mediaTypes: Record<BodyKind, string> = {
  none: "",
  json: "application/json",
  optionalJson: "application/json",
  form: "application/x-www-form-urlencoded",
  bytes: "application/octet-stream",
  file: "multipart/form-data",
};

/** The OpenAPI 3.1 document of a route table. */
export function makeOpenApi(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const item = paths[route.path] ?? {};
    item[route.method.toLowerCase()] = operation(route);
    paths[route.path] = item;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Corridor",
      version: "0.1.0",
      description: `Cross-border payments, payouts, FX, wallets and identity. ${reasonCodeWords}`,
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: "/" }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: `${name}.` })),
    paths,
    components: { securitySchemes: usedSchemes(routes), schemas: { Error: errorSchema, OauthError: oauthErrorSchema } },
  };
}

function operation(route: Route): object {
  const { success } = route;
  const mediaType = success.mediaType ?? "application/json";
  const content = success.schema === undefined ? {} : { content: { [mediaType]: { schema: success.schema } } };
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [route.tag],
    security: security(route),
    ...parameters(route),
    ...requestBody(route),
    responses: { [success.status]: { description: success.description, ...content }, ...errorResponses(route) },
  };
}

/** `POST /v2/payment` is postV2Payment. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function security(route: Route): readonly object[] {
  switch (route.scheme) {
    case "none":
      return [];
    case "bearer":
      return [{ bearer: [route.scope] }];
    case "tenant":
      return [{ tenantKey: [] }];
    case "agent":
      return [{ tenantKey: [], agentId: [], agentKey: [] }];
    case "operator":
      return [{ operator: [] }];
  }
}

function parameters(route: Route): object {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const schema: DocumentSchema = { type: "string", minLength: 1 };
  const rows = names.map((name) => ({
    name,
    in: "path",
    required: true,
    description: route.params?.[name] ?? "",
    schema,
  }));
  const query = Object.entries(route.query ?? {}).map(([name, parameter]) => ({ name, in: "query", ...parameter }));
  return rows.length + query.length === 0 ? {} : { parameters: [...rows, ...query] };
}

function requestBody(route: Route): object {
  if (route.requestSchema === undefined) return {};
  const content = { [mediaTypes[route.body]]: { schema: route.requestSchema } };
  return { requestBody: { required: route.body !== "optionalJson", content } };
}

/** Every refusal that a route can answer: its own, and those that follow from how it is called. */
function refusalsOf(route: Route): readonly ErrorReason[] {
  const reasons = new Set<ErrorReason>(route.refusals);
  if (route.scheme !== "none") reasons.add("UNAUTHENTICATED").add("RATE_LIMITED").add("UNAVAILABLE");
  if (route.scheme !== "none" && route.scheme !== "operator") reasons.add("ADDRESS_REFUSED");
  if (route.scheme === "bearer") reasons.add("SCOPE_MISSING");
  if (route.scheme === "agent") reasons.add("AGENT_REFUSED");
  if (route.errorForm === "oauth") return [...reasons];
  if (route.path.includes("{") || /json$/i.test(route.body)) reasons.add("INVALID_ARGUMENT");
  if (route.body !== "none") reasons.add("BODY_TOO_LARGE").add("MEDIA_TYPE_UNSUPPORTED").add("UNAVAILABLE");
  return [...reasons.add("INTERNAL")];
}

function errorResponses(route: Route): Record<string, object> {
  const schema = route.errorForm === "oauth" ? "OauthError" : "Error";
  const content = { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } };
  const codesByStatus = new Map<number, Set<string>>();
  for (const { status, code } of refusalsOf(route).map((reason) => publicErrors[reason])) {
    codesByStatus.set(status, (codesByStatus.get(status) ?? new Set<string>()).add(code));
  }
  const responses: Record<string, object> = {};
  for (const [status, codes] of codesByStatus) {
    responses[status] = { description: `${[...codes].toSorted().join(", ")}.`, content };
  }
  return responses;
}
