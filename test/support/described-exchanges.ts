import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { makeOpenApi, operatorWords, type TableWords } from "../../gateway/openapi";
import type { Route } from "../../gateway/route";
import { uncalledOperatorTable, uncalledTable } from "./declared-access";
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
  parameters?: readonly { name: string; in: string; schema: { type?: string } }[];
}

/** A published document with the look-up of its routes. */
interface Published {
  name: string;
  document: { paths: Record<string, Record<string, Operation>>; webhooks?: Record<string, unknown> };
  findRoute: ReturnType<typeof makeFindRoute>;
}

const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true, discriminator: false }));
const validators = new Map<string, ValidateFunction>();

function publish(name: string, table: readonly Route[], words?: TableWords): Published {
  const document = JSON.parse(JSON.stringify(makeOpenApi(table, words))) as Published["document"];
  ajv.addSchema(document, name);
  return { name, document, findRoute: makeFindRoute(table) };
}

/** A platform of tests links accounts at the default provider, which a setting could replace. */
const linking = uncalledTable.map((route) =>
  route.path === "/providers/linker" ? { ...route, path: "/providers/plaid" } : route,
);
const tenants = publish("openapi", linking);
const operators = publish("operators", uncalledOperatorTable, operatorWords);

/** Returns why a schema of a document rejects a value; undefined when it accepts it. */
function faultOf(value: unknown, { name: document }: Published, ...place: (string | number)[]): string | undefined {
  const pointer = place.map((word) => String(word).replaceAll("~", "~0").replaceAll("/", "~1")).map(encodeURIComponent);
  const name = `${document}#/${pointer.join("/")}`;
  const validate = validators.get(name) ?? ajv.compile({ $ref: name });
  validators.set(name, validate);
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  return `${first?.instancePath} ${first?.message}${first?.params === undefined ? "" : ` ${JSON.stringify(first.params)}`}`;
}

/** Our headers; those of HTTP itself and of every server need no description. */
const ownHeaders = /^(x-|ratelimit-|idempotency-|retry-after$|www-authenticate$|etag$)/;
const common = new Set(["x-content-type-options", "x-frame-options"]);

/** Returns the document for an exchange, and the path in it. The console serves both documents under prefixes of its own. */
function placeOf({ listener, path }: Exchange): { published: Published; path: string } | undefined {
  if (listener === "OPERATOR_PORT") return { published: operators, path };
  if (listener !== "CONSOLE_PORT") return { published: tenants, path };
  const [prefix = "", side] = /^\/api\/(?:(o)|t\/[^/]+)(?=\/)/.exec(path) ?? [];
  if (prefix === "") return undefined;
  return { published: side === "o" ? operators : tenants, path: path.slice(prefix.length) };
}

function faultsOf(exchange: Exchange): readonly string[] {
  const asked = placeOf(exchange);
  const { method, sent, status, headers, text } = exchange;
  const [path = "", query = ""] = asked?.path.split("?") ?? [];
  const route = asked?.published.findRoute(method, path);
  if (asked === undefined || route === undefined) return [];
  const { published } = asked;
  const place = ["paths", route.path, route.method.toLowerCase()];
  const operation = published.document.paths[route.path]?.[route.method.toLowerCase()];
  const name = `${route.method} ${route.path}`;
  const response = operation?.responses[status];
  if (response === undefined) return [`${name}: answers ${status}: ${text.slice(0, 200)}`];
  const faults: (string | undefined)[] = [];
  const type = (headers["content-type"] ?? "").split(";")[0] ?? "";
  if (type.endsWith("json") && text !== "") {
    const fault =
      response.content?.[type] === undefined
        ? `has no ${type}`
        : faultOf(JSON.parse(text), published, ...place, "responses", status, "content", type, "schema");
    faults.push(fault && `${name}: ${status} ${fault}`);
  }
  const known = new Set(Object.keys(response.headers ?? {}).map((header) => header.toLowerCase()));
  for (const header of Object.keys(headers)) {
    if (ownHeaders.test(header) && !common.has(header) && !known.has(header))
      faults.push(`${name}: ${status} ${header}`);
  }
  const isTaken = status < 300 && !isFoundWrong(route.path, text);
  if (isTaken && route.body.toLowerCase().endsWith("json") && sent !== undefined && sent !== "") {
    const fault = faultOf(
      JSON.parse(sent),
      published,
      ...place,
      "requestBody",
      "content",
      "application/json",
      "schema",
    );
    faults.push(fault && `${name}: takes ${fault}`);
  }
  if (isTaken)
    faults.push(...queryFaults(query, operation, published, place).map((fault) => `${name}: takes ${fault}`));
  return faults.filter((fault) => fault !== undefined);
}

function queryFaults(
  query: string,
  operation: Operation | undefined,
  published: Published,
  place: readonly string[],
): readonly string[] {
  return [...new URLSearchParams(query)].flatMap(([name, text]) => {
    const at = operation?.parameters?.findIndex((one) => one.in === "query" && one.name === name) ?? -1;
    const schema = operation?.parameters?.[at]?.schema;
    // A parameter that a route does not have is refused if the route reads a query, and ignored otherwise.
    if (schema === undefined) return [];
    const isPlain = schema.type === undefined || schema.type === "string";
    const fault = faultOf(isPlain ? text : JSON.parse(text), published, ...place, "parameters", at, "schema");
    return fault === undefined ? [] : [`?${name}=${text} ${fault}`];
  });
}

/** Problems of a payment that the preflight reports without refusing. */
const isFoundWrong = (path: string, text: string): boolean =>
  path === "/v2/payment/validate" && !(JSON.parse(text) as { valid: boolean }).valid;

function webhookFaults(body: string): readonly string[] {
  const parsed = JSON.parse(body) as { event?: string; isBatch?: boolean };
  const names = Object.keys(tenants.document.webhooks ?? {});
  const said = parsed.isBatch === true ? "EventBatch" : (parsed.event ?? "");
  const name = names.find((one) => one.toLowerCase() === said.toLowerCase());
  if (name === undefined) return [`webhook ${said}: is not described`];
  const place = ["webhooks", name, "post", "requestBody", "content", "application/json", "schema"];
  const fault = faultOf(parsed, tenants, ...place);
  return fault === undefined ? [] : [`webhook ${name}: ${fault}`];
}

const folder = mkdtempSync(join(tmpdir(), "corridor-exchanges-"));
const file = join(folder, "exchanges.jsonl");
/** Webhooks of this test file. */
const wrongWebhooks = new Set<string>();

/** The exchanges of this test file. The last line is incomplete where a gateway was killed. */
const exchanges = (): readonly Exchange[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Exchange)
    : [];

/** Compares the exchanges of a test file with the published documents. */
export const describedExchanges: DescribedExchanges = {
  file,
  seeWebhook(body) {
    for (const fault of webhookFaults(body)) wrongWebhooks.add(fault);
  },
  requireDescribed() {
    const faults = new Set([...exchanges().flatMap(faultsOf), ...wrongWebhooks]);
    rmSync(folder, { recursive: true, force: true });
    if (faults.size > 0) throw new Error(`the OpenAPI documents do not allow:\n${[...faults].join("\n")}`);
  },
};
