import { randomUUID } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { makeOpenApi, operatorWords } from "../../gateway/openapi";
import type { Route } from "../../gateway/route";
import type { Platform } from "../../local/platform";
import { uncalledOperatorTable, uncalledTable } from "../support/declared-access";
import { fieldOf, sendTo } from "../support/log-in";
import { connectClient, type PlatformClient } from "../support/platform-client";
import { randomFrom } from "../support/random-from";
import { logInAtSandbox } from "../support/sandbox-login";
import { type Broken, makeSchemaBodies, type PublishedSchema } from "../support/schema-bodies";
import { readStoredDocuments } from "../support/stored-documents";
import { startTestPlatform } from "../support/test-platform";

/**
 * Requests that are made from the published documents alone, as a stranger makes them: some that a document allows, and some that break
 * one of its rules. That every answer is as the documents say is checked for all tests of this folder.
 */

const seed = Number(process.env["RANDOM_SEED"] ?? "20261128");
const factor = Number(process.env["RANDOM_FACTOR"] ?? "1");
/** Most broken requests of one route. */
const mostBroken = 30 * factor;
const validRounds = 2 * factor;
const atOnce = 4;

interface Parameter {
  name: string;
  in: string;
  description: string;
  required?: boolean;
  schema: PublishedSchema;
}

interface Operation {
  parameters?: readonly Parameter[];
  requestBody?: { content: Readonly<Record<string, { schema: PublishedSchema }>> };
}

interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, PublishedSchema>> };
}

interface Door {
  isOperators: boolean;
  table: readonly Route[];
  document: Document;
  allows(schema: PublishedSchema, value: unknown): boolean;
}

/** A request of a route, and the rule that it breaks, if any. */
interface Asked {
  door: Door;
  route: Route;
  path: string;
  body?: unknown;
  broken?: Broken;
}

interface Answer {
  status: number;
  json: Readonly<Record<string, unknown>>;
}

interface Violation {
  field: string;
  message: string;
}

function doorOf(isOperators: boolean, table: readonly Route[], made: object): Door {
  const document = JSON.parse(JSON.stringify(made)) as Document;
  const ajv = addFormats(new Ajv2020({ strict: false }));
  ajv.addSchema(document, "openapi");
  return {
    isOperators,
    table,
    document,
    allows: (schema, value) =>
      ajv.validate(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object, value),
  };
}

const doors: readonly Door[] = [
  doorOf(false, uncalledTable, makeOpenApi(uncalledTable)),
  doorOf(true, uncalledOperatorTable, makeOpenApi(uncalledOperatorTable, operatorWords)),
];

/** Values of parameters of paths. All others name objects that do not exist. */
const params: Readonly<Record<string, string>> = {
  tenant: "demo",
  countryCode: "BRA",
  currency: "BRL",
  service: "payment",
  rail: "pix",
  day: "2026-01-31",
  document: "passport",
};

/** Routes that end the caller's session or take no JSON. */
const isApart = ({ method, path, body, proof }: Route): boolean =>
  ["bytes", "file", "form"].includes(body) ||
  proof !== undefined ||
  path.startsWith("/docs") ||
  `${method} ${path}` === "DELETE /session";

/** Rules that no schema can hold, between members or with what is stored: the description of the member has to say them. */
const rulesInWords: readonly (readonly [message: RegExp, says: RegExp])[] = [
  [/cursor of a page|`next` of|position of this feed/, /next|cursor/i],
  [/^must be after \w+$/, /after `\w+`/],
  [/^is for owners alone$/, /owners alone/],
  [/^is for holds only$/, /of holds only/],
  [/^must be in the future/, /in the future/],
  [/^must add up to zero/, /add up to zero/],
  [/^must be the id of a person or company$/, /\bid\b.*(?:person|company|participant)/i],
  [/^must be some of/, /for a secret, of keys for a key/],
  [/^must not be given together with \w+$/, /not together with `\w+`/],
  [/^or paymentId is required, and not both$/, /either this or paymentId/],
];

/** What a country asks of a payment or a person is published at /schema, not here. */
const isOfCountry = (path: string): boolean =>
  /^\/(?:v2\/payment|fx\/transactions|person|payout\/participants)\b/.test(path);

const bodySchemaOf = (operation: Operation): PublishedSchema | undefined =>
  operation.requestBody?.content["application/json"]?.schema;

/** The query of an operation as the schema of an object. */
function querySchemaOf({ parameters = [] }: Operation): PublishedSchema {
  const query = parameters.filter((one) => one.in === "query");
  return {
    type: "object",
    properties: Object.fromEntries(query.map(({ name, description, schema }) => [name, { ...schema, description }])),
    required: query.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: false,
  };
}

function withQuery(path: string, values: unknown): string {
  const members = Object.entries(Object(values) as object);
  const texts = new URLSearchParams(members.map(([name, value]): [string, string] => [name, String(value)]));
  return members.length === 0 ? path : `${path}?${texts.toString()}`;
}

const pathOf = ({ path }: Route): string =>
  path
    .replace("/providers/linker", "/providers/plaid")
    .replaceAll(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? randomUUID());

/** The fields that an answer finds wrong, those of a preflight too. */
const violationsOf = ({ json }: Answer): readonly Violation[] => (json["errors"] as Violation[] | undefined) ?? [];

describe("requests that follow from the published documents", () => {
  const random = randomFrom(seed);
  const rows = doors.flatMap((door) =>
    door.table
      .filter((route) => !isApart(route))
      .map((route) => {
        const { paths, components } = door.document;
        const operation = paths[route.path]?.[route.method.toLowerCase()] ?? {};
        const resolve = (place: string) => components.schemas[place.split("/").at(-1) ?? ""] ?? {};
        return { door, route, operation, resolve, bodies: makeSchemaBodies(resolve, random) };
      }),
  );
  type Row = (typeof rows)[number];
  let platform: Platform;
  let client: PlatformClient;
  let person = "";

  beforeAll(async () => {
    process.stdout.write(`RANDOM_SEED=${seed}\n`);
    // Commands of operators wait for a second one, so that none of them stops the platform.
    platform = await startTestPlatform({ fourEyes: true });
    client = connectClient(platform);
    const send = sendTo(() => Number(new URL(platform.credentials.baseUrl).port));
    person = fieldOf(await logInAtSandbox(send, "demo-admin", { tenant: "demo" }), "session");
  }, 300_000);
  afterAll(async () => {
    await client?.close();
    await platform?.stop();
  });

  async function credentialOf({ scheme }: Route): Promise<Record<string, string>> {
    const [tenant] = platform.credentials.tenants;
    const [agent] = tenant?.agents ?? [];
    const key = { "x-api-key": tenant?.apiKey ?? "" };
    switch (scheme) {
      case "none":
        return {};
      case "bearer":
        return { authorization: `Bearer ${await client.token()}` };
      case "person":
        return { authorization: `Bearer ${person}` };
      case "operator":
        return { authorization: `Bearer ${platform.credentials.operatorToken}` };
      case "agent":
        return { ...key, "x-agent-id": agent?.agentId ?? "", "x-agent-api-key": agent?.apiKey ?? "" };
      case "tenant":
        return key;
    }
  }

  async function ask({ door, route, path, body }: Asked): Promise<Answer> {
    const { baseUrl, operatorUrl } = platform.credentials;
    const response = await fetch(`${door.isOperators ? operatorUrl : baseUrl}${path}`, {
      method: route.method,
      headers: {
        ...(await credentialOf(route)),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: "manual",
    });
    const text = await response.text();
    const isJson = (response.headers.get("content-type") ?? "").includes("json") && text !== "";
    return { status: response.status, json: isJson ? (JSON.parse(text) as Answer["json"]) : {} };
  }

  /** Sends requests, some at once, and returns what is wrong with their answers. */
  async function faultsOf(
    requests: readonly Asked[],
    isRight: (asked: Asked, answer: Answer) => boolean,
  ): Promise<readonly string[]> {
    const faults: string[] = [];
    const waiting = requests.values();
    const work = async () => {
      for (const asked of waiting) {
        const answer = await ask(asked);
        if (answer.status < 500 && isRight(asked, answer)) continue;
        const rule = asked.broken === undefined ? "" : ` (${asked.broken.rule} of ${asked.broken.field})`;
        const sent = `${asked.route.method} ${asked.path} ${JSON.stringify(asked.body ?? {})}`;
        faults.push(`${sent}${rule}: ${answer.status} ${JSON.stringify(answer.json)}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return faults;
  }

  /** Some of many, by the seed: each kind of rule before a second of its kind. */
  function someOf(all: readonly Broken[]): readonly Broken[] {
    const shuffled = all.map((one) => ({ one, at: random() })).toSorted((a, b) => a.at - b.at);
    const kinds = Map.groupBy(shuffled, ({ one }) => one.rule);
    const ranked = [...kinds.values()].flatMap((kind) => kind.map(({ one }, rank) => ({ one, rank })));
    return ranked
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, mostBroken)
      .map(({ one }) => one);
  }

  function brokenOf({ door, route, operation, bodies: { valid, broken } }: Row): readonly Asked[] {
    const body = bodySchemaOf(operation);
    const query = querySchemaOf(operation);
    const schema = body ?? query;
    const all = [true, false].flatMap((isFull) => broken(schema, valid(schema, isFull)));
    // A query is texts alone.
    const isSent = ({ value, field }: Broken) => body !== undefined || typeof Object(value)[field] !== "object";
    const isText = ({ rule }: Broken) => body !== undefined || rule === "additionalProperties" || rule === "enum";
    return someOf(all.filter((one) => isSent(one) && isText(one) && !door.allows(schema, one.value))).map((one) =>
      body === undefined
        ? { door, route, path: withQuery(pathOf(route), one.value), broken: one }
        : { door, route, path: pathOf(route), body: one.value, broken: one },
    );
  }

  /** The numbers of stored documents. Privileged calls are in the audit log even if they are refused. */
  async function storedCounts(): Promise<object> {
    const { counts } = await readStoredDocuments(platform);
    return Object.fromEntries(Object.entries(counts).filter(([name]) => !name.startsWith("auth.audit")));
  }

  it("are refused by the field that breaks a rule of its schema, and nothing is stored", async () => {
    const requests = rows.flatMap(brokenOf);
    const before = await storedCounts();
    const faults = await faultsOf(requests, ({ route, broken }, answer) => {
      // The preflight of a payment finds what is wrong, and refuses nothing.
      const isFound = route.path === "/v2/payment/validate" && answer.json["valid"] === false;
      const fields = violationsOf(answer).map(({ field }) => field);
      return (answer.status === 400 || isFound) && fields.includes(broken?.field ?? "");
    });

    expect(requests.length).toBeGreaterThan(1_000);
    expect(faults).toEqual([]);
    expect(await storedCounts()).toEqual(before);
  });

  /** The description of a field of a request. */
  function wordsOf({ operation, resolve }: Row, field: string): string {
    const follow = (schema: PublishedSchema): PublishedSchema =>
      schema.$ref === undefined ? schema : follow(resolve(schema.$ref));
    const memberOf = (schema: PublishedSchema, name: string): PublishedSchema => {
      const { oneOf = [schema], items = {} } = schema;
      if (/^\d+$/.test(name)) return follow(items);
      const properties = oneOf.map((variant) => follow(variant).properties?.[name]);
      return follow(properties.find((member) => member !== undefined) ?? {});
    };
    const whole = follow(bodySchemaOf(operation) ?? querySchemaOf(operation));
    return field.split(".").reduce(memberOf, whole).description ?? "";
  }

  it("are not refused for a rule that the document does not have", async () => {
    const asked = Array.from({ length: validRounds }, (_, round) => round % 2 === 0).flatMap((isFull) =>
      rows.map((row): Asked & { row: Row } => {
        const { door, route, operation, bodies } = row;
        const schema = bodySchemaOf(operation);
        const path = withQuery(pathOf(route), bodies.valid(querySchemaOf(operation), isFull));
        return { row, door, route, path, ...(schema === undefined ? {} : { body: bodies.valid(schema, isFull) }) };
      }),
    );
    const rowOf = new Map<Asked, Row>(asked.map((one) => [one, one.row]));
    const isSaid = (row: Row | undefined, { field, message }: Violation): boolean =>
      row !== undefined && rulesInWords.some(([rule, says]) => rule.test(message) && says.test(wordsOf(row, field)));
    const faults = await faultsOf(asked, (one, answer) => {
      if (answer.json["code"] !== "VE_001" || isOfCountry(one.route.path)) return true;
      return violationsOf(answer).every((violation) => isSaid(rowOf.get(one), violation));
    });

    expect(asked.length).toBeGreaterThan(300);
    expect(faults).toEqual([]);
  });
});
