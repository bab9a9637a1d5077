import { Ajv2020, type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { makeOpenApi } from "../../gateway/openapi";
import { uncalledTable } from "./declared-access";
import type { Exchange, ExchangeObserver } from "./exchange-observer";
import { makeFindRoute } from "./find-route";

interface DescribedExchanges extends ExchangeObserver {
  /** Throws for exchanges that the document does not allow, naming each kind once. */
  requireDescribed(): void;
}

interface Media {
  content?: Record<string, unknown>;
  headers?: Record<string, unknown>;
}

interface Operation {
  requestBody?: Media;
  responses: Record<string, Media>;
}

const document = JSON.parse(JSON.stringify(makeOpenApi(uncalledTable))) as {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, unknown>;
};
const findRoute = makeFindRoute(uncalledTable);
const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true, discriminator: false }));
ajv.addSchema(document, "openapi");
const validators = new Map<string, ValidateFunction>();

/** Why a schema of the document rejects a value; undefined when it accepts it. */
function faultOf(value: unknown, ...place: string[]): string | undefined {
  const pointer = place.map((word) => word.replaceAll("~", "~0").replaceAll("/", "~1")).map(encodeURIComponent);
  const name = `openapi#/${pointer.join("/")}`;
  const validate = validators.get(name) ?? ajv.compile({ $ref: name });
  validators.set(name, validate);
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  return `${first?.instancePath} ${first?.message}${first?.params === undefined ? "" : ` ${JSON.stringify(first.params)}`}`;
}

/** Our headers; those of HTTP itself and of every server need no description. */
const ownHeaders = /^(x-|ratelimit-|idempotency-|retry-after$|www-authenticate$|etag$)/;
const common = new Set(["x-content-type-options", "x-frame-options"]);

function faultsOf({ method, path, sent, status, headers, text }: Exchange): readonly string[] {
  const route = findRoute(method, path.split("?")[0] ?? "");
  if (route === undefined) return [];
  const place = ["paths", route.path, route.method.toLowerCase()];
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  const name = `${route.method} ${route.path}`;
  const response = operation?.responses[status];
  if (response === undefined) return [`${name}: answers ${status}: ${text.slice(0, 200)}`];
  const faults: (string | undefined)[] = [];
  const type = String(headers["content-type"] ?? "").split(";")[0] ?? "";
  if (type.endsWith("json") && text !== "") {
    const fault =
      response.content?.[type] === undefined
        ? `has no ${type}`
        : faultOf(JSON.parse(text), ...place, "responses", String(status), "content", type, "schema");
    faults.push(fault && `${name}: ${status} ${fault}`);
  }
  const known = new Set(Object.keys(response.headers ?? {}).map((header) => header.toLowerCase()));
  for (const header of Object.keys(headers)) {
    if (ownHeaders.test(header) && !common.has(header) && !known.has(header))
      faults.push(`${name}: ${status} ${header}`);
  }
  const isTaken = status < 300 && !isFoundWrong(route.path, text);
  if (isTaken && route.body.toLowerCase().endsWith("json") && sent !== undefined && sent !== "") {
    const fault = faultOf(JSON.parse(sent), ...place, "requestBody", "content", "application/json", "schema");
    faults.push(fault && `${name}: takes ${fault}`);
  }
  return faults.filter((fault) => fault !== undefined);
}

/** Problems of a payment that the preflight reports without refusing. */
const isFoundWrong = (path: string, text: string): boolean =>
  path === "/v2/payment/validate" && !(JSON.parse(text) as { valid: boolean }).valid;

function webhookFaults(body: string): readonly string[] {
  const parsed = JSON.parse(body) as { event?: string; isBatch?: boolean };
  const names = Object.keys(document.webhooks);
  const said = parsed.isBatch === true ? "EventBatch" : (parsed.event ?? "");
  const name = names.find((one) => one.toLowerCase() === said.toLowerCase());
  if (name === undefined) return [`webhook ${said}: is not described`];
  const place = ["webhooks", name, "post", "requestBody", "content", "application/json", "schema"];
  const fault = faultOf(parsed, ...place);
  return fault === undefined ? [] : [`webhook ${name}: ${fault}`];
}

/** Exchanges of this test file. */
const faults = new Set<string>();

/** Compares the exchanges of a test file with the published document. */
export const describedExchanges: DescribedExchanges = {
  see(exchange) {
    for (const fault of faultsOf(exchange)) faults.add(fault);
  },
  seeWebhook(body) {
    for (const fault of webhookFaults(body)) faults.add(fault);
  },
  requireDescribed() {
    if (faults.size > 0) throw new Error(`the OpenAPI document does not allow:\n${[...faults].join("\n")}`);
  },
};
