import { Readable } from "node:stream";
import { DomainError, invalid } from "../../services/shared/kernel/errors";
import type { TenantCall } from "../route";
import { defineRoute, replyWith } from "./define-route";
import type { Schema } from "./schema";

const request = {
  title: "ColourRequest",
  type: "object",
  description: "A colour.",
  properties: {
    name: { type: "string", description: "Its name.", minLength: 1 },
    share: { type: "number", description: "Its share.", exactDecimal: "plain", maximum: 100 },
  },
  required: ["name"],
  additionalProperties: false,
} as const satisfies Schema;

const query = {
  type: "object",
  description: "How many are shown.",
  properties: {
    limit: { type: "integer", description: "How many.", minimum: 1, maximum: 200, default: 50 },
    isNew: { type: "boolean", description: "Only new ones." },
    state: { type: "string", description: "Only these.", enum: ["OPEN", "CLOSED"] },
  },
} as const satisfies Schema;

const response = {
  title: "Colour",
  type: "object",
  description: "A colour.",
  properties: { name: { type: "string", description: "Its name." } },
  required: ["name"],
} as const satisfies Schema;

const facts = {
  method: "POST",
  summary: "Mix.",
  tag: "Colours",
  scheme: "tenant",
  scope: "agents",
  refusals: [],
} as const;
const seen: unknown[] = [];
const route = defineRoute({
  ...facts,
  path: "/colours/{colourId}",
  params: { colourId: "Id of the colour." },
  query,
  request,
  response: { status: 200, description: "The colour.", schema: response },
  handle({ tenant, params: { colourId }, query: { limit, isNew }, body: { name, share } }) {
    seen.push({ tenant, colourId, limit, isNew, share });
    return Promise.resolve(replyWith({ name }, { "Idempotency-Replayed": "true" }));
  },
});

const callOf = (body: string, queryText = ""): TenantCall => ({
  tenant: "acme",
  params: { colourId: "7" },
  headers: {},
  peer: { address: "127.0.0.1" } as TenantCall["peer"],
  query: queryText,
  body: Buffer.from(body),
  stream: Readable.from([]),
  patience: { standAside: () => {}, arrived: () => {}, onGone: () => () => {} },
});

/** Returns the fields for which a call is refused. */
async function refusedFields(body: string, queryText = ""): Promise<unknown> {
  if (route.scheme !== "tenant") throw new Error("the row has another scheme");
  return route.handle(callOf(body, queryText)).then(
    () => undefined,
    (error: { violations?: unknown }) => error.violations,
  );
}

describe("defineRoute", () => {
  it("hands on what was read, and answers what the handler tells", async () => {
    if (route.scheme !== "tenant") throw new Error("the row has another scheme");
    const answer = await route.handle(callOf('{"name":"red","share":0.10}', "limit=7&isNew=true"));

    expect(seen).toEqual([{ tenant: "acme", colourId: "7", limit: 7, isNew: true, share: { digits: 1n, scale: 1 } }]);
    expect(answer.status).toBe(200);
    expect(answer.headers).toEqual({ "content-type": "application/json", "Idempotency-Replayed": "true" });
    expect(answer.body).toEqual(Buffer.from('{"name":"red"}'));
  });

  it("makes a row of the table", () => {
    expect(route).toMatchObject({ body: "json", requestSchema: request, success: { schema: response } });
    expect(route.query).toEqual({
      limit: { description: "How many.", schema: { type: "integer", minimum: 1, maximum: 200, default: 50 } },
      isNew: { description: "Only new ones.", schema: { type: "boolean" } },
      state: { description: "Only these.", schema: { type: "string", enum: ["OPEN", "CLOSED"] } },
    });
  });

  it("hands on the bytes of a body that it only describes", async () => {
    const sent: Buffer[] = [];
    const raw = defineRoute({
      ...facts,
      path: "/reports",
      request: { kind: "bytes", schema: { description: "The mixer's own format." } },
      response: { status: 204, description: "It is kept." },
      handle: ({ body }) => Promise.resolve(sent.push(body)),
    });
    if (raw.scheme !== "tenant") throw new Error("the row has another scheme");

    expect(await raw.handle(callOf("{ not json"))).toEqual({ status: 204 });
    expect(sent).toEqual([Buffer.from("{ not json")]);
    expect(raw).toMatchObject({ body: "bytes", requestSchema: { description: "The mixer's own format." } });
  });

  it("names everything that is wrong of query and body at once", async () => {
    expect(await refusedFields('{"nmae":"red","share":"1"}', "limit=0&isNew=yes")).toEqual([
      { field: "limit", message: "must be a whole number from 1 to 200" },
      { field: "isNew", message: "must be true or false" },
      { field: "name", message: "is required and must be a string" },
      { field: "share", message: "must be a number" },
      { field: "nmae", message: "is not known; did you mean name?" },
    ]);
  });

  it("refuses a parameter that is given twice, and one that is no such number", async () => {
    const twice = await refusedFields('{"name":"red"}', "limit=1&limit=2");
    const fractions = await refusedFields('{"name":"red"}', "limit=1.5");

    expect(twice).toEqual([{ field: "limit", message: "must be given once" }]);
    expect(fractions).toEqual([{ field: "limit", message: "must be a whole number from 1 to 200" }]);
  });

  it("refuses a parameter that it does not name, and says which one is near", async () => {
    expect(await refusedFields('{"name":"red"}', "lmit=1&colour=red")).toEqual([
      { field: "lmit", message: "is not known; did you mean limit?" },
      { field: "colour", message: "is not known" },
    ]);
  });

  it("refuses every parameter of a route that has none", async () => {
    const bare = defineRoute({
      ...facts,
      path: "/colours",
      response: { status: 204, description: "Done." },
      handle: () => Promise.resolve(),
    });
    if (bare.scheme !== "tenant") throw new Error("the row has another scheme");

    await expect(bare.handle(callOf("", "limit=1"))).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
      violations: [{ field: "limit", message: "is not known" }],
    });
    expect(await bare.handle(callOf(""))).toEqual({ status: 204 });
  });

  it("takes any parameter where the schema says so", async () => {
    const asked: unknown[] = [];
    const open = defineRoute({
      ...facts,
      path: "/mixes",
      query: { ...query, additionalProperties: true },
      response: { status: 204, description: "It is mixed." },
      handle: ({ query: given }) => Promise.resolve(asked.push(given)),
    });
    if (open.scheme !== "tenant") throw new Error("the row has another scheme");

    expect(await open.handle(callOf("", "limit=7&other=1"))).toEqual({ status: 204 });
    expect(asked).toEqual([{ limit: 7 }]);
  });

  it("says line and column of a text that is no JSON", async () => {
    expect(await refusedFields('{\n  "name": red\n}')).toEqual([
      { field: "name", message: "is not valid JSON at line 2, column 11" },
    ]);
  });

  it("answers without a body where there is none to show", async () => {
    const removal = defineRoute({
      ...facts,
      path: "/colours",
      isRequestOptional: true,
      request: { ...request, required: [] },
      response: { status: 204, description: "It is gone." },
      handle: () => Promise.resolve(undefined),
    });
    if (removal.scheme !== "tenant") throw new Error("the row has another scheme");

    expect(removal.body).toBe("optionalJson");
    expect(await removal.handle(callOf("{}"))).toEqual({ status: 204 });
  });

  it("tells beside it what the service finds in the rest of a refused request", async () => {
    const drafts: unknown[] = [];
    const asking = defineRoute({
      ...facts,
      path: "/colours/{colourId}",
      request,
      response: { status: 200, description: "The colour.", schema: response },
      whenRefused({ body }) {
        drafts.push(body);
        return Promise.reject(
          invalid([
            { field: "name", message: "is no colour" },
            { field: "share", message: "is not known here" },
            { field: "share.unit", message: "is not known here" },
          ]),
        );
      },
      handle: () => Promise.reject(new Error("a refused request is not handled")),
    });
    if (asking.scheme !== "tenant") throw new Error("the row has another scheme");
    const refusal = asking.handle(callOf('{"name":"grue","share":"1","shade":7}'));

    await expect(refusal).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
      violations: [
        { field: "share", message: "must be a number" },
        { field: "shade", message: "is not known; did you mean share?" },
        { field: "name", message: "is no colour" },
      ],
    });
    expect(drafts).toEqual([{ name: "grue" }]);
  });

  it("does not tell that an object is missing whose parts are refused", async () => {
    const amount = {
      type: "object",
      description: "How much.",
      properties: { total: { type: "number", description: "How much.", minimum: 0 } },
      required: ["total"],
    } as const;
    const asking = defineRoute({
      ...facts,
      path: "/paints",
      request: { type: "object", description: "Paint.", properties: { amount, amounts: amount }, required: ["amount"] },
      response: { status: 204, description: "Mixed." },
      whenRefused: () =>
        Promise.reject(
          invalid([
            { field: "amount", message: "is required" },
            { field: "amounts", message: "are few" },
          ]),
        ),
      handle: () => Promise.reject(new Error("a refused request is not handled")),
    });
    if (asking.scheme !== "tenant") throw new Error("the row has another scheme");

    await expect(asking.handle(callOf('{"amount":{"total":-1}}'))).rejects.toMatchObject({
      violations: [{ field: "amount.total" }, { field: "amounts" }],
    });
  });

  it("tells what is known when the service cannot be asked", async () => {
    const asking = defineRoute({
      ...facts,
      path: "/colours",
      request,
      response: { status: 204, description: "Mixed." },
      whenRefused: () => Promise.reject(new Error("away")),
      handle: () => Promise.reject(new Error("a refused request is not handled")),
    });
    if (asking.scheme !== "tenant") throw new Error("the row has another scheme");

    await expect(asking.handle(callOf("{}"))).rejects.toMatchObject({ violations: [{ field: "name" }] });
  });

  it("refuses what the schema cannot say, and asks the service without it", async () => {
    const drafts: unknown[] = [];
    const asking = defineRoute({
      ...facts,
      path: "/colours",
      request,
      response: { status: 204, description: "Mixed." },
      alsoRefuses: ({ name }) => (name === "grue" ? [{ field: "name", message: "is no colour" }] : []),
      whenRefused: ({ body }, violations) => {
        drafts.push(body, violations.length);
        return Promise.resolve();
      },
      handle: () => Promise.resolve(undefined),
    });
    if (asking.scheme !== "tenant") throw new Error("the row has another scheme");

    expect(await asking.handle(callOf('{"name":"red"}'))).toEqual({ status: 204 });
    await expect(asking.handle(callOf('{"name":"grue","shade":7}'))).rejects.toMatchObject({
      violations: [{ field: "shade" }, { field: "name", message: "is no colour" }],
    });
    expect(drafts).toEqual([{}, 2]);
  });

  it("refuses an id that was used before it refuses the form", async () => {
    const asking = defineRoute({
      ...facts,
      path: "/colours",
      request,
      response: { status: 204, description: "Mixed." },
      whenRefused: () => Promise.reject(new DomainError("IDEMPOTENCY_CONFLICT", "used")),
      handle: () => Promise.resolve(undefined),
    });
    if (asking.scheme !== "tenant") throw new Error("the row has another scheme");

    await expect(asking.handle(callOf("{}"))).rejects.toMatchObject({ reason: "IDEMPOTENCY_CONFLICT" });
  });

  it("admits before it reads", async () => {
    const guarded = defineRoute({
      ...facts,
      path: "/colours/{colourId}",
      request,
      response: { status: 204, description: "Mixed." },
      admit({ tenant, params }) {
        if (params.colourId !== tenant) throw new DomainError("RECORD_NOT_FOUND", "there is no such colour");
      },
      handle: () => Promise.resolve(),
    });
    if (guarded.scheme !== "tenant") throw new Error("the row has another scheme");

    await expect(guarded.handle(callOf("no JSON"))).rejects.toMatchObject({ reason: "RECORD_NOT_FOUND" });
  });

  it("holds the handler to the schemas", () => {
    const shared = { ...facts, path: "/colours/{colourId}", request } as const;
    const told = { status: 200, description: "The colour.", schema: response } as const;

    defineRoute({
      ...shared,
      response: told,
      // @ts-expect-error a name is a text
      handle: () => Promise.resolve({ name: 7 }),
    });
    defineRoute({
      ...shared,
      response: told,
      // @ts-expect-error the body has no such member
      handle: ({ body: { nmae } }) => Promise.resolve({ name: nmae }),
    });
    defineRoute({
      ...shared,
      response: told,
      // @ts-expect-error the path has no such parameter
      handle: ({ params: { colorId } }) => Promise.resolve({ name: colorId }),
    });
    defineRoute({
      ...shared,
      response: told,
      // @ts-expect-error an exact number is no float
      handle: ({ body: { share = 1 } }) => Promise.resolve({ name: String(share * 2) }),
    });

    expect(route.path).toBe("/colours/{colourId}");
  });
});
