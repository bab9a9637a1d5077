import type { ErrorReason } from "../services/shared/kernel/errors";
import { fieldTitle, withTitles } from "../services/shared/kernel/schema-titles";
import { scopes } from "../services/shared/kernel/scopes";
import { type Components, makeComponents } from "./contract/components";
import { routeLimits } from "./rate-limiter";
import { oauthError, type PublicError, publicErrors } from "./render-error";
import type { BodyKind, DocumentSchema, Route } from "./route";
import { arrayOf, objectSchema, textSchema } from "./schemas/document-schema";
import { reasonCodeWords } from "./schemas/reason-schema";
import { webhookOperations } from "./schemas/webhook-schemas";

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
  person: { type: "http", scheme: "bearer" },
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

/** What each group of operations is for. */
const tagWords: Readonly<Record<string, string>> = {
  Agents: "Partners of a tenant that act under keys of their own.",
  Audit: "Records of privileged calls, in a chain that shows any change.",
  Authentication: "Access tokens, and the keys that verify them.",
  Balance: "Prefunded balances at the rails.",
  Banks: "Directories of banks by country.",
  Bus: "Messages that could not be read, and events that are published again.",
  Cases: "What the platform cannot decide by itself, and the commands that end it.",
  People: "Logins, sessions and roles of the people who work here.",
  Checks: "Checks of bank accounts and cards before money moves.",
  Compliance: "What is known of a participant, and what it may do.",
  Credentials: "Keys and secrets of tenants, agents and clients.",
  Documents: "Identity documents and their verification.",
  "Foreign exchange": "Quotes of exchange rates.",
  KYC: "Verification sessions with a vendor.",
  Ledger: "Accounts, entries and proofs of the books.",
  Metadata: "What this API is.",
  "OAuth clients": "Clients that exchange a secret for tokens.",
  Operations: "Health of the gateway.",
  Participants: "People and companies of a tenant.",
  Payments: "Collecting, paying out, or both in one payment.",
  Payouts: "Quotes with fees, and accounts that agents keep of their participants.",
  Persons: "People and companies that pay or are paid.",
  Providers: "Where providers call back.",
  "Reference data": "Countries, currencies, banks and methods.",
  Reviews: "Payments and persons that a human decides on.",
  Schemas: "The JSON Schema of each country.",
  "Signing keys": "The keys that sign access tokens.",
  Tenants: "Customers of the platform.",
  Transactions: "Payments as agents see them.",
  Wallets: "Balances on the ledger, holds and transfers.",
  Webhooks: "Subscriptions to events, their deliveries, and the feed.",
};

const header = (description: string, type = "string") => ({ description, schema: { type } });

const responseHeaders = {
  RequestId: header("Id of the request: the caller's own x-request-id where it is fit, else a new one."),
  RateLimitLimit: header("Most requests of this kind at once.", "integer"),
  RateLimitRemaining: header("Requests that are left of them.", "integer"),
  RateLimitReset: header("Seconds until all of them are there again.", "integer"),
  RetryAfter: header("Seconds after which to try again.", "integer"),
  Authenticate: header("How to prove who calls (RFC 9110 section 11.6.1)."),
  EntityTag: header("Version of the object, between quotes (RFC 9110 section 8.8.3)."),
  Replayed: header("`true` when this is the answer that the first request had."),
};

const titledHeaders = Object.fromEntries(
  Object.entries(responseHeaders).map(([name, { description, schema }]) => [
    name,
    { description, schema: withTitles(schema, fieldTitle(name)) },
  ]),
);

const headerRef = (name: keyof typeof responseHeaders): object => ({ $ref: `#/components/headers/${name}` });

/** The OpenAPI 3.1 document of a route table. */
export function makeOpenApi(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  const components = makeComponents();
  for (const route of routes) {
    const item = paths[route.path] ?? {};
    item[route.method.toLowerCase()] = operation(route, components);
    paths[route.path] = item;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Corridor",
      version: "0.1.0",
      description: `Cross-border payments, payouts, FX, wallets and identity. ${reasonCodeWords}`,
      contact: { name: "Operator of this installation", url: "https://corridor.example/support" },
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: "/" }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: tagWords[name] ?? "" })),
    paths,
    ...(routes.some(({ tag }) => tag === "Webhooks") ? { webhooks: webhookOperations } : {}),
    components: {
      securitySchemes: usedSchemes(routes),
      schemas: titledComponents({ Error: errorSchema, OauthError: oauthErrorSchema, ...components.schemas() }),
      headers: titledHeaders,
    },
  };
}

/** The name of a component is the title of its schema. */
const titledComponents = (schemas: Readonly<Record<string, DocumentSchema>>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withTitles(schema, name)]));

function operation(route: Route, { refer }: Components): object {
  const { success } = route;
  const mediaType = success.mediaType ?? "application/json";
  const shown = (answer: DocumentSchema) => withTitles(refer(answer), "Answer");
  const schema = success.schema === undefined ? undefined : shown(success.schema);
  const { also } = success;
  const other = also === undefined ? {} : { [also.mediaType]: { schema: shown(also.schema) } };
  const content = schema === undefined ? {} : { content: { [mediaType]: { schema }, ...other } };
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: describe(route),
    tags: [route.tag],
    "x-repeat": repeatOf(route),
    security: security(route),
    ...parameters(route, refer),
    ...requestBody(route, refer),
    responses: {
      [success.status]: { description: success.description, headers: headersOf(route, success.status), ...content },
      ...(route.isConditional === true ? { 304: notModified(route) } : {}),
      ...errorResponses(route),
    },
  };
}

const notModified = (route: Route): object => ({
  description: "The caller's entity tag in If-None-Match is that of the present document.",
  headers: headersOf(route, 304),
});

const credentialWords: Record<Route["scheme"], string> = {
  none: "Needs no credential.",
  bearer: "Needs an access token",
  tenant: "Needs the tenant's API key in `x-api-key`.",
  agent: "Needs the tenant's API key in `x-api-key`, and `x-agent-id` with `x-agent-api-key` of an approved agent.",
  person: "Needs the session of one of the tenant's people, or their token of the identity provider.",
  operator: "Needs the session or token of an operator.",
};

/** What a caller has to know beside the summary, from the facts that the gateway itself goes by. */
function describe(route: Route): string {
  const proofs = {
    signature: "The provider's signature is the credential.",
    client: "The client proves itself.",
    login: "The login proves itself.",
  };
  const needs = needsScope(route);
  return [
    route.proof === undefined ? `${credentialWords[route.scheme]}${needs}` : proofs[route.proof],
    ...(route.limit === undefined ? [] : [`Counts against the share of ${routeLimits[route.limit].of}.`]),
    ...(route.isReplayed === true ? ["May be sent again: it is done once, and answered alike."] : []),
    ...(route.isPrivileged === true ? ["Each call is in the audit log."] : []),
  ].join(" ");
}

function needsScope(route: Route): string {
  if (!("scope" in route)) return "";
  const scope = `\`${route.scope}\``;
  return route.scheme === "bearer" ? ` with the scope ${scope}.` : ` A key that is bound to scopes needs ${scope}.`;
}

/** True where the same request may still be running. */
const isKeyed = ({ refusals }: Route): boolean => refusals.includes("REQUEST_RUNNING");

const isTagged = (route: Route): boolean => route.isTagged === true || route.isConditional === true;

/** The headers that an answer may have. */
function headersOf(route: Route, status: number): object {
  const shares = {
    "RateLimit-Limit": "Limit",
    "RateLimit-Remaining": "Remaining",
    "RateLimit-Reset": "Reset",
  } as const;
  const share = Object.entries(shares).map(([name, part]) => [name, headerRef(`RateLimit${part}`)]);
  return {
    "x-request-id": headerRef("RequestId"),
    ...(route.scheme === "none" ? {} : (Object.fromEntries(share) as object)),
    ...(isTagged(route) && status < 400 ? { ETag: headerRef("EntityTag") } : {}),
    ...(route.isReplayed === true && status < 300 ? { "Idempotency-Replayed": headerRef("Replayed") } : {}),
    ...(status === 401 || (status === 403 && "scope" in route)
      ? { "WWW-Authenticate": headerRef("Authenticate") }
      : {}),
    ...(status === 429 || status === 503 || (status === 409 && isKeyed(route))
      ? { "Retry-After": headerRef("RetryAfter") }
      : {}),
  };
}

/** `POST /v2/payment` is postV2Payment. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/**
 * What a client may do that got no answer: send the same again `always`; `byId`, since the caller's own id in it makes it one
 * operation permanently; or `never`, because it might be done twice.
 */
function repeatOf({ method, isReplayed, isRepeatable }: Route): "always" | "byId" | "never" {
  if (isReplayed === true) return "byId";
  return isRepeatable === true || (method !== "POST" && method !== "PATCH") ? "always" : "never";
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
    case "person":
      return [{ person: [] }];
    case "operator":
      return [{ operator: [] }];
  }
}

function parameters(route: Route, refer: Components["refer"]): object {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const schema: DocumentSchema = { type: "string", minLength: 1 };
  const rows = names.map((name) => ({
    name,
    in: "path",
    required: true,
    description: route.params?.[name] ?? "",
    schema: withTitles(schema, fieldTitle(name)),
  }));
  const query = Object.entries(route.query ?? {}).map(([name, parameter]) => ({
    name,
    in: "query",
    ...parameter,
    schema: withTitles(refer(parameter.schema), fieldTitle(name)),
  }));
  return rows.length + query.length === 0 ? {} : { parameters: [...rows, ...query] };
}

function requestBody(route: Route, refer: Components["refer"]): object {
  if (route.requestSchema === undefined) return {};
  const content = { [mediaTypes[route.body]]: { schema: withTitles(refer(route.requestSchema), "Body") } };
  return { requestBody: { required: route.body !== "optionalJson", content } };
}

/** Every refusal that a route can answer: its own, and those that follow from how it is called. */
function refusalsOf(route: Route): readonly ErrorReason[] {
  const reasons = new Set<ErrorReason>(route.refusals);
  if (route.scheme !== "none") reasons.add("UNAUTHENTICATED").add("RATE_LIMITED").add("UNAVAILABLE");
  if (route.scheme !== "none" && route.scheme !== "operator") reasons.add("ADDRESS_REFUSED");
  if (route.scheme !== "none") reasons.add("ROLE_MISSING").add("SECOND_FACTOR_MISSING");
  if ("scope" in route) reasons.add("SCOPE_MISSING");
  if (route.scheme === "agent") reasons.add("AGENT_REFUSED");
  if (route.errorForm === "oauth") return [...reasons.add("UNAVAILABLE").add("INTERNAL")];
  // A request that can be read in two ways is refused on every route.
  reasons.add("INVALID_ARGUMENT");
  if (route.scheme === "none" && route.isQuiet !== true) reasons.add("RATE_LIMITED").add("UNAVAILABLE");
  if (route.body !== "none") reasons.add("BODY_TOO_LARGE").add("MEDIA_TYPE_UNSUPPORTED").add("UNAVAILABLE");
  return [...reasons.add("INTERNAL")];
}

function shownError(route: Route, reason: ErrorReason): PublicError {
  if (route.errorForm !== "oauth") return publicErrors[reason];
  const { error: code, status } = oauthError(reason);
  return { code, status };
}

function errorResponses(route: Route): Record<string, object> {
  const schema = route.errorForm === "oauth" ? "OauthError" : "Error";
  const content = { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } };
  const codesByStatus = new Map<number, Set<string>>();
  for (const reason of refusalsOf(route)) {
    const { status, code } = shownError(route, reason);
    codesByStatus.set(status, (codesByStatus.get(status) ?? new Set<string>()).add(code));
  }
  const responses: Record<string, object> = {};
  for (const [status, codes] of codesByStatus) {
    const description = `${[...codes].toSorted().join(", ")}.`;
    responses[status] = { description, headers: headersOf(route, status), content };
  }
  return responses;
}
