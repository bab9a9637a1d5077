import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFileRegistry, type DescField, type DescMessage, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { makeOperatorTable } from "../../gateway/operator/operator-table";
import type { Call, Route } from "../../gateway/route";
import { makeRouteTable } from "../../gateway/route-table";
import { systemClock } from "../../services/shared/kernel/clock";
import { DomainError, type FieldViolation, invalid } from "../../services/shared/kernel/errors";
import { paymentVariants } from "../support/payment-variants";
import { exampleBody } from "../support/request-fields";
import { makeNamesMember } from "../support/request-members";

const image = readFileSync(join(__dirname, "../../proto/gen/image.binpb"));
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
const requests = new Map(
  [...registry].flatMap((type) =>
    type.kind === "service" ? type.methods.map(({ localName, input }) => [localName, input] as const) : [],
  ),
);

/** The path of every field of a message, as a service names it: lists by their first element. */
function fieldsOf(message: DescMessage, depth = 0): readonly string[] {
  if (depth > 5) return [];
  return message.fields.flatMap((field: DescField) => {
    const { localName, message: inner } = field;
    const place = field.fieldKind === "list" ? `${localName}.0` : localName;
    const isOurs = inner?.typeName.startsWith("corridor.") === true;
    return [localName, ...(isOurs ? fieldsOf(inner, depth + 1).map((name) => `${place}.${name}`) : [])];
  });
}

const strange = ["nowhere", "nowhere.at.all", "0", "", "settleStep.amount"];

interface Outside {
  /** The calls that a route has made. */
  asked: string[];
  refuse(fields: readonly string[], request: object): DomainError;
}

const refusals: Record<string, Outside["refuse"]> = {
  "with the fields of its message": (fields) => invalid(fields.map((field) => ({ field, message: "is refused" }))),
  "for another content under the same id": (fields) =>
    new DomainError("IDEMPOTENCY_CONFLICT", "differs", { details: { fields } }),
};

/** A service that refuses every call for every field that its message has, and for some that it lacks. */
function startRefuser(outside: Outside) {
  const service: unknown = new Proxy(
    {},
    {
      get: (_target, name: string) => (request: object) => {
        const message = requests.get(name);
        if (message === undefined) throw new Error(`no service has ${name}`);
        outside.asked.push(name);
        return Promise.reject(outside.refuse([...fieldsOf(message), ...strange], request));
      },
    },
  );
  const names = ["auth", "schema", "fx", "payment", "wallet", "identity", "documents", "webhook"];
  return Object.fromEntries(names.map((name) => [name, service]));
}

const unused: unknown = new Proxy(() => unused, {
  get: (_target, name) => (name === "then" ? undefined : unused),
  apply: () => unused,
});

function tablesUpon(outside: Outside): readonly (readonly Route[])[] {
  const deps = {
    upstreams: startRefuser(outside),
    keySet: unused,
    limiter: unused,
    limits: unused,
    readiness: unused,
    waiters: unused,
    strangers: unused,
    clock: systemClock,
    linkerSegment: "linker",
    isDraining: () => false,
  } as never;
  return [makeRouteTable(deps), makeOperatorTable(deps)];
}

const id = randomUUID();
const commandOf = (command: string, rest: object) => ({
  commandId: id,
  note: "why",
  evidence: "letter",
  command,
  ...rest,
});
const posting = { account: "tenant/demo/funding", currency: "USD", total: "1" };
const transfer = { amount: 1, externalTransferId: "t", externalId: "t", fromWallet: id, toWallet: id };

/** Bodies that pass their route's schema, where the example of the schema does not. */
const bodies: Record<string, readonly object[]> = {
  "POST /v2/payment": paymentVariants.map(([, body]) => body),
  "POST /fx/transactions": paymentVariants.map(([, body]) => body),
  "POST /cases/{caseId}/commands": [
    commandOf("settleStep", { kind: "PAID", amount: { total: "1", currency: "USD" }, movementId: "m", paymentId: id }),
    commandOf("askProvider", { paymentId: id }),
    commandOf("beginStep", { step: "REFUND", amount: { total: "1", currency: "USD" }, paymentId: id }),
    commandOf("postCorrection", { postings: [posting, { ...posting, total: "-1" }] }),
    commandOf("repointFact", { paymentId: id }),
    commandOf("assign", { owner: "ada" }),
    commandOf("close", {}),
  ],
  "POST /wallets/transfer": [transfer],
  "POST /login/answer": [{ login: `login_${"a".repeat(43)}`, code: "code", state: "state" }],
  "POST /v1/sessions": [{ countryCode: "BRA", personId: id, userRef: "u" }],
  "POST /organizations/{tenant}/webhooks/{webhookId}/recover": [{ since: "2026-11-20T00:00:00Z" }],
  "POST /ledger/corrections": [
    {
      entryId: id,
      kind: "correction",
      reason: "why",
      postings: ["1", "-1"].map((minor) => ({ account: "a/b", currency: "USD", minor })),
    },
  ],
  "PUT /fx/exposure/{currency}/limit": [{ note: "why", limitMinor: "1" }],
  "PUT /ledger/floors": [{ account: "tenant/demo/funding", currency: "USD", floorMinor: "-1" }],
};

const bodiesOf = (route: Route): readonly object[] =>
  bodies[`${route.method} ${route.path}`] ?? [exampleBody(route.requestSchema as never)];

const damages = [null, [], {}, 1.5, "\u0001", "x"];

/**
 * The body, and the body with one of its fields damaged: another type, an unknown name, nothing at all. Among the many bodies of one
 * route, which have most of their fields in common, each field of a body takes one damage, and the next body's the next one.
 */
function damaged(body: object, nth: number, { length }: readonly object[]): readonly object[] {
  const damagesOf = (at: number) => (length < damages.length ? damages : [damages[(nth + at) % damages.length]]);
  const places = placesOf(body);
  return [body, ...places.flatMap((place, at) => damagesOf(at).map((value) => withValue(body, place, value)))];
}

type Place = readonly (string | number)[];

function placesOf(value: unknown, place: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [place];
  const inner = Array.isArray(value)
    ? value.flatMap((item, index) => placesOf(item, [...place, index]))
    : Object.entries(value).flatMap(([name, item]) => placesOf(item, [...place, name]));
  return place.length === 0 ? inner : [place, ...inner];
}

function withValue(body: object, place: Place, value: unknown): object {
  const copy = structuredClone(body);
  const holder = place.slice(0, -1).reduce<unknown>((inner, name) => Reflect.get(Object(inner) as object, name), copy);
  Reflect.set(Object(holder) as object, place.at(-1) ?? "", value);
  return copy;
}

const namesInPath = ({ path }: Route): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** The tenant of the caller, a service that the bus has, or what names its parameter. */
const valueOfParam = (name: string): string => ({ tenant: "demo", service: "payment" })[name] ?? `the-${name}`;

const callOf = (route: Route, body: object): Call =>
  ({
    tenant: "demo",
    agentId: "agent",
    operator: "ada",
    approver: "",
    roles: new Set(),
    scopes: new Set(),
    person: { userId: id, roles: ["ADMIN"], expiresAt: undefined },
    params: Object.fromEntries(namesInPath(route).map((name) => [name, valueOfParam(name)])),
    headers: { "if-match": '"1"' },
    peer: { address: "127.0.0.1" },
    query: "",
    body: Buffer.from(JSON.stringify(body)),
    patience: { standAside: () => {}, onGone: () => () => {} },
  }) as unknown as Call;

/** The fields that a call is refused for, in its list of errors and in its details. */
async function refusedFields(route: Route, body: object): Promise<readonly string[]> {
  const handle = route.handle as (call: Call) => Promise<{ body?: Buffer }>;
  try {
    const answer = await handle(callOf(route, body));
    // The preflight of a payment answers what it has found.
    const { errors = [] } = JSON.parse(answer.body?.toString() ?? "{}") as { errors?: FieldViolation[] };
    return errors.map(({ field }) => field);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { fields } = error.details;
    return [...error.violations.map(({ field }) => field), ...(Array.isArray(fields) ? fields.map(String) : [])];
  }
}

/** True for a member that the caller has sent, known or not. */
const isOwn = (body: object, field: string): boolean => placesOf(body).some((place) => place.join(".") === field);

describe.each(Object.entries(refusals))("a route whose service refuses a call %s", (_how, refuse) => {
  const outside: Outside = { asked: [], refuse };
  const rows = tablesUpon(outside).flatMap((table) => {
    const namesMember = makeNamesMember(table);
    const withBody = table.filter(({ body }) => body.toLowerCase().endsWith("json"));
    return withBody.map((route) => [`${route.method} ${route.path}`, route, namesMember] as const);
  });

  it("is each row of both tables that takes a body", () => {
    expect(rows.length).toBeGreaterThan(50);
  });

  it.each(rows)("%s names fields of its request alone", async (_name, route, namesMember) => {
    outside.asked = [];
    const strangers = new Set<string>();
    for (const body of bodiesOf(route).flatMap(damaged)) {
      for (const field of await refusedFields(route, body)) {
        if (!namesMember(route, field) && !isOwn(body, field)) strangers.add(field);
      }
    }

    expect({ strangers: [...strangers], isAsked: outside.asked.length > 0 }).toEqual({ strangers: [], isAsked: true });
  });
});

describe("a route whose service refuses what the path says", () => {
  /** Refuses the members of a request that have come from the path. */
  const refuse: Outside["refuse"] = (_fields, request) =>
    invalid(
      Object.entries(request)
        .filter(([, value]) => typeof value === "string" && /^the-\w+$/.test(value))
        .map(([field, value]) => ({ field, message: `${String(value)} ${field}` })),
    );
  const rows = tablesUpon({ asked: [], refuse }).flatMap((table) =>
    table
      .filter((route) => namesInPath(route).length > 0)
      .map((route) => [`${route.method} ${route.path}`, route] as const),
  );

  it.each(rows)("%s names the parameter of its path", async (_name, route) => {
    const handle = route.handle as (call: Call) => Promise<unknown>;
    const [body = {}] = route.body.toLowerCase().endsWith("json") ? bodiesOf(route) : [];
    const refusal: unknown = await handle(callOf(route, body)).catch((error: unknown) => error);
    const fields = refusal instanceof DomainError ? refusal.violations : [];
    const misnamed = fields.filter(
      ({ field, message }) => message.startsWith("the-") && !message.startsWith(`the-${field} `),
    );

    expect(misnamed).toEqual([]);
  });
});
