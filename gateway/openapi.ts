import type { ErrorReason } from "../services/shared/kernel/errors";
import { fieldTitle, withTitles } from "../services/shared/kernel/schema-titles";
import { type Components, makeComponents } from "./contract/components";
import { operationNames, operatorOperationNames } from "./operation-names";
import { approvalHeader, askedApproval } from "./operator/asked-approval";
import { isCommand } from "./operator/operator-roles";
import { routeLimits } from "./rate-limiter";
import { oauthError, type PublicError, publicErrors } from "./render-error";
import type { BodyKind, DocumentSchema, Route } from "./route";
import { errorExamples } from "./schemas/error-examples";
import { reasonCodeWords } from "./schemas/reason-schema";
import { sampleOf } from "./schemas/sample-of";
import {
  errorCodeSchema,
  errorDetailsSchema,
  errorSchema,
  oauthErrorSchema,
  type responseHeaders,
  securitySchemes,
  tagWords,
  titledHeaders,
} from "./schemas/shared-parts";
import { usedComponents } from "./schemas/used-components";
import { webhookOperations } from "./schemas/webhook-schemas";
import { atOnce, type Steps } from "./steps";

const mediaTypes: Record<BodyKind, string> = {
  none: "",
  json: "application/json",
  optionalJson: "application/json",
  form: "application/x-www-form-urlencoded",
  bytes: "application/octet-stream",
  file: "multipart/form-data",
};

const headerRef = (name: keyof typeof responseHeaders): object => ({ $ref: `#/components/headers/${name}` });

/** Describes a route table to readers of its document. */
export interface TableWords {
  title: string;
  description: string;
}

const tenantWords: TableWords = {
  title: "Corridor",
  description: `Cross-border payments, payouts, FX, wallets and identity. ${reasonCodeWords}`,
};

export const operatorWords: TableWords = {
  title: "Corridor for operators",
  description: "Tenants, keys, reviews, cases and books of a platform, for those who run it. It has a port of its own.",
};

/** Makes the OpenAPI 3.1 document of a route table: by default of the one for tenants. */
export const makeOpenApi = (routes: readonly Route[], words?: TableWords): object =>
  atOnce(openApiSteps(routes, words));

/** Makes the same document in steps: callers are served between them. */
export function* openApiSteps(
  routes: readonly Route[],
  { title, description }: TableWords = tenantWords,
): Steps<object> {
  const paths: Record<string, Record<string, object>> = {};
  const components = makeComponents();
  for (const route of routes) {
    const item = paths[route.path] ?? {};
    item[route.method.toLowerCase()] = operation(route, components);
    paths[route.path] = item;
    yield;
  }
  const tags = [...new Set(routes.map(({ tag }) => tag))].toSorted();
  // Only tenants subscribe to events.
  const hasWebhooks = routes.some(({ tag, scheme }) => tag === "Webhooks" && scheme === "tenant");
  const shown = { paths, ...(hasWebhooks ? { webhooks: webhookOperations(components.refer) } : {}) };
  yield;
  return {
    openapi: "3.1.0",
    info: {
      title,
      version: "0.1.0",
      description,
      contact: {
        name: "Operator of this installation",
        url: "https://corridor.example/support",
        email: "support@corridor.example",
      },
      license: { name: "Proprietary", url: "https://corridor.example/license" },
    },
    servers: [{ url: "/" }],
    tags: tags.map((name) => ({ name, description: requireWords(name) })),
    ...shown,
    components: yield* usedComponents(Object.values(shown).flatMap(Object.values), {
      securitySchemes,
      schemas: titledComponents({
        Error: errorSchema,
        ErrorCode: errorCodeSchema,
        ErrorDetails: errorDetailsSchema,
        OauthError: oauthErrorSchema,
        ...components.schemas(),
      }),
      headers: titledHeaders,
      examples: errorExamples,
    }),
  };
}

function requireWords(tag: string): string {
  const words = tagWords[tag];
  if (words === undefined) throw new Error(`nothing says what the operations ${tag} are for`);
  return words;
}

/** The name of a component is the title of its schema. */
const titledComponents = (schemas: Readonly<Record<string, DocumentSchema>>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withTitles(schema, name)]));

function operation(route: Route, { refer }: Components): object {
  const { success } = route;
  const mediaType = success.mediaType ?? "application/json";
  const shown = (answer: DocumentSchema) => withTitles(refer(answer), "Answer");
  const mediaOf = (answer: DocumentSchema) => ({ schema: shown(answer), example: sampleOf(answer, "answer") });
  const { schema, also } = success;
  const other = also === undefined ? {} : { [also.mediaType]: mediaOf(also.schema) };
  const content = schema === undefined ? {} : { content: { [mediaType]: mediaOf(schema), ...other } };
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
      ...(isHeld(route) ? { 202: heldAnswer(route, mediaOf(askedApproval)) } : {}),
      ...(route.isConditional === true ? { 304: notModified(route) } : {}),
      ...errorResponses(route),
    },
  };
}

const notModified = (route: Route): object => ({
  description: "The caller's entity tag in If-None-Match is that of the present document.",
  headers: headersOf(route, 304),
});

/** True for a command of operators, which may have to wait for a second one. */
const isHeld = (route: Route): boolean => route.scheme === "operator" && isCommand(route);

const heldAnswer = (route: Route, media: object): object => ({
  description: "Where a second operator has to agree: the command waits, and nothing is done yet.",
  headers: headersOf(route, 202),
  content: { "application/json": media },
});

const credentialWords: Record<Route["scheme"], string> = {
  none: "Needs no credential.",
  bearer: "Needs an access token",
  tenant: "Needs the tenant's API key in `x-api-key`.",
  agent: "Needs the tenant's API key in `x-api-key`, and `x-agent-id` with `x-agent-api-key` of an approved agent.",
  person: "Needs the session of one of the tenant's people, or their token of the identity provider.",
  operator: "Needs the session or token of an operator.",
};

/** Describes what a caller has to know beside the summary, from the facts that the gateway itself uses. */
function describe(route: Route): string {
  const proofs = {
    signature: "The provider's signature is the credential.",
    client: "The client proves itself.",
    login: "The login proves itself.",
    device: "The secret of the login is the credential.",
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

/** True if the same request may still be running. */
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

function operationId({ method, path }: Route): string {
  // A setting determines the second part of this path.
  const key = `${method} ${path}`.replace(/^POST \/providers\/[^/]+$/, "POST /providers/linker");
  const name = operationNames[key] ?? operatorOperationNames[key];
  if (name === undefined) throw new Error(`nothing says what the operation ${key} is called`);
  return name;
}

/**
 * When a client that got no answer may send the same request again: `always`; `byId`, since the caller's own id in it makes it a single
 * operation permanently; or `never`, because it might be carried out twice.
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
    example: sampleOf(schema, name),
  }));
  const headers = Object.entries(requestHeadersOf(route)).map(([name, description]) => ({
    name,
    in: "header",
    required: route.proof === "signature",
    description,
    schema: withTitles(schema, fieldTitle(name)),
    example: headerExamples[name],
  }));
  const query = Object.entries(route.query ?? {}).map(([name, parameter]) => ({
    name,
    in: "query",
    ...parameter,
    schema: withTitles(refer(parameter.schema), fieldTitle(name)),
    example: sampleOf(parameter.schema, name),
  }));
  const all = [...rows, ...query, ...headers];
  return all.length === 0 ? {} : { parameters: all };
}

const approvalOfCommand = "Id of the approval of this command, once a second operator has agreed.";
const signatureOfProvider =
  "`t=<unix seconds>,id=<event id>,v1=<hex>`: the provider's HMAC-SHA256 over all of it and the body.";
const tagOfHeld = "Entity tag that the caller holds; answered with 304 if it is the present one.";
const tagOfChanged =
  "Entity tag of the version to change; refused if the record has another one. Any version without it.";

/** Headers that a request may have beside its credentials. */
const requestHeadersOf = (route: Route): Readonly<Record<string, string>> => ({
  ...(route.isConditional === true ? { "If-None-Match": tagOfHeld } : {}),
  ...(route.isTagged === true && route.method === "PATCH" ? { "If-Match": tagOfChanged } : {}),
  ...(route.proof === "signature" ? { "x-signature": signatureOfProvider } : {}),
  ...(isHeld(route) ? { [approvalHeader]: approvalOfCommand } : {}),
});

const headerExamples: Readonly<Record<string, string>> = {
  "If-None-Match": '"hPWBJmPvFwYqNOBqVzLFFN2aXb1cYxbKx7C0vBqYw2E"',
  "If-Match": '"3"',
  "x-signature": "t=1770177845,id=evt-1,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
  [approvalHeader]: "01a21f30-6cf5-7150-83bc-1ffa73f8cdbf",
};

function requestBody(route: Route, refer: Components["refer"]): object {
  if (route.requestSchema === undefined) return {};
  const { requestExamples: examples, requestSchema } = route;
  const shown = examples === undefined ? { example: sampleOf(requestSchema, "body") } : { examples };
  const content = { [mediaTypes[route.body]]: { schema: withTitles(refer(requestSchema), "Body"), ...shown } };
  return { requestBody: { required: route.body !== "optionalJson", content } };
}

/** Returns every refusal that a route can answer: its own, and those that follow from the way it is called. */
function refusalsOf(route: Route): readonly ErrorReason[] {
  const reasons = new Set<ErrorReason>(route.refusals);
  if (route.scheme !== "none") reasons.add("UNAUTHENTICATED").add("RATE_LIMITED").add("UNAVAILABLE");
  if (route.scheme !== "none" && route.scheme !== "operator") reasons.add("ADDRESS_REFUSED");
  if (route.scheme !== "none") reasons.add("ROLE_MISSING").add("SECOND_FACTOR_MISSING");
  if ("scope" in route) reasons.add("SCOPE_MISSING");
  if (isHeld(route)) reasons.add("RECORD_CONFLICT");
  if (route.scheme === "agent") reasons.add("AGENT_REFUSED");
  if (route.errorForm === "oauth") return [...reasons.add("UNAVAILABLE").add("INTERNAL")];
  // An ambiguous request is refused on every route.
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
  const codesByStatus = new Map<number, Set<string>>();
  for (const reason of refusalsOf(route)) {
    const { status, code } = shownError(route, reason);
    codesByStatus.set(status, (codesByStatus.get(status) ?? new Set<string>()).add(code));
  }
  const responses: Record<string, object> = {};
  for (const [status, codes] of codesByStatus) {
    const sorted = [...codes].toSorted();
    const description = `${sorted.join(", ")}.`;
    const examples = Object.fromEntries(sorted.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
    const content = { "application/json": { schema: { $ref: `#/components/schemas/${schema}` }, examples } };
    responses[status] = { description, headers: headersOf(route, status), content };
  }
  return responses;
}
