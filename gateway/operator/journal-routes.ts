import type { JournalEntry, LedgerPosting } from "../../proto/gen/corridor/wallet/v1/ledger";
import { parseInstant } from "../../services/shared/clock";
import type { JsonValue } from "../../services/shared/json";
import type { Upstreams } from "../clients";
import { type FieldReader, readFields } from "../field-reader";
import { type QueryReader, readQuery } from "../query-reader";
import { jsonAnswer, type OperatorCall, type Route, readJson, requireParam } from "../route";
import { arrayOf, instantSchema, nullable, objectSchema, textSchema } from "../schemas/document-schema";
import { pageLimit, pageQuery } from "./page";

export interface JournalRouteDeps {
  upstreams: Pick<Upstreams, "wallet">;
}

const common = { scheme: "operator", tag: "Ledger" } as const;
const minorSchema = (description: string) => textSchema(description, { pattern: "^-?[0-9]{1,18}$" });

const moveSchema = objectSchema({
  account: textSchema("Path in the chart of accounts; the wallet's id follows for a wallet."),
  currency: textSchema("Currency of ISO 4217 or another asset code."),
  line: textSchema("settled, debitHolds, creditHolds or status."),
  minor: minorSchema("Signed minor units."),
});

const entrySchema = objectSchema({
  entryId: textSchema("Id of the entry."),
  kind: textSchema("What it does."),
  label: nullable(textSchema("What moved it; null when nobody said.")),
  tenant: textSchema("Slug of the tenant; empty for the platform's own."),
  at: nullable(instantSchema("When it was posted.")),
  paymentId: nullable(textSchema("The payment that the money moved for.")),
  parent: nullable(textSchema("The entry that it ends or reverses.")),
  reason: nullable(textSchema("Why an operator posted it.")),
  links: arrayOf(textSchema("What an operator linked it to.")),
  moves: arrayOf(moveSchema),
});

const renderEntry = ({ label, at, paymentId, parent, reason, moves, ...entry }: JournalEntry): object => ({
  ...entry,
  label: label ?? null,
  at: at?.toISOString() ?? null,
  paymentId: paymentId ?? null,
  parent: parent ?? null,
  reason: reason ?? null,
  moves: moves.map((move) => ({ ...move, minor: String(move.minor) })),
});

/** Whole minor units as text; undefined for anything else. */
const minorOf = (value: JsonValue | undefined): bigint | undefined =>
  typeof value === "string" && /^-?\d{1,18}$/.test(value) ? BigInt(value) : undefined;

function readPostings(fields: FieldReader, value: JsonValue | undefined): LedgerPosting[] {
  const list = Array.isArray(value) ? value : [];
  const postings = list.flatMap((one): LedgerPosting[] => {
    if (typeof one !== "object" || one === null || Array.isArray(one)) return [];
    const { account, currency } = one;
    const minor = minorOf(one["minor"]);
    return typeof account === "string" && typeof currency === "string" && minor !== undefined
      ? [{ account, currency, minor }]
      : [];
  });
  const isWhole = postings.length >= 2 && postings.length === list.length;
  fields.check(
    isWhole,
    "postings",
    "must be two or more of {account, currency, minor}, minor as text of a whole number",
  );
  return postings;
}

const correctionRoute = ({ upstreams: { wallet } }: JournalRouteDeps): Route => ({
  ...common,
  method: "POST",
  path: "/ledger/corrections",
  summary: "Post a correction or a write-off between accounts.",
  body: "json",
  requestSchema: objectSchema({
    entryId: textSchema("Id of the entry; the same again is posted once."),
    kind: textSchema("What it is, for example correction or write-off."),
    reason: textSchema("Why; no data of persons."),
    links: arrayOf(textSchema("Ids of entries, payments or cases that it is about.")),
    postings: arrayOf(
      objectSchema({
        account: textSchema("Path of an account of the platform."),
        currency: textSchema("Currency of ISO 4217 or another asset code."),
        minor: minorSchema("Signed minor units."),
      }),
    ),
  }),
  success: {
    status: 200,
    description: "The entry. May be repeated.",
    schema: objectSchema({ entry: entrySchema }, ["entry"]),
  },
  refusals: ["INVALID_ARGUMENT", "IDEMPOTENCY_CONFLICT", "RECORD_CONFLICT"],
  async handle(call: OperatorCall) {
    const { value } = readJson(call);
    const fields = readFields(value);
    const [entryId, kind, reason] = [fields.text("entryId"), fields.text("kind"), fields.text("reason")];
    const links = fields.optionalTexts("links") ?? [];
    const postings = readPostings(fields, value["postings"]);
    fields.finish();
    const { entry } = await wallet.postCorrection({ entryId, kind, reason, links, postings });
    return jsonAnswer(entry === undefined ? {} : { entry: renderEntry(entry) });
  },
});

function readTime(query: QueryReader, name: string): Date | undefined {
  const text = query.optionalText(name);
  const at = text === undefined ? undefined : parseInstant(text);
  query.check(text === undefined || at !== undefined, name, "must be an ISO 8601 time with its offset");
  return at;
}

const entryRoutes = ({ upstreams: { wallet } }: JournalRouteDeps): readonly Route[] => [
  {
    ...common,
    method: "GET",
    path: "/ledger/entries",
    summary: "List the entries of a payment or on an account, the oldest first.",
    body: "none",
    query: {
      account: { description: "Path of an account; or give paymentId.", schema: { type: "string" } },
      currency: { description: "With account: only this currency.", schema: { type: "string" } },
      paymentId: { description: "Id of a payment.", schema: { type: "string" } },
      from: { description: "First instant.", schema: { type: "string", format: "date-time" } },
      until: { description: "Last instant, exclusive.", schema: { type: "string", format: "date-time" } },
      ...pageQuery,
    },
    success: {
      status: 200,
      description: "A page.",
      schema: objectSchema({ entries: arrayOf(entrySchema), next: nullable(textSchema("Cursor of the next page.")) }),
    },
    refusals: ["INVALID_ARGUMENT"],
    async handle(call: OperatorCall) {
      const query = readQuery(call);
      const request = {
        account: query.optionalText("account"),
        currency: query.optionalText("currency"),
        paymentId: query.optionalText("paymentId"),
        after: query.optionalText("after"),
        from: readTime(query, "from"),
        until: readTime(query, "until"),
        limit: query.wholeNumber("limit", pageLimit),
      };
      query.finish();
      const { entries, next } = await wallet.listEntries(request);
      return jsonAnswer({ entries: entries.map(renderEntry), next: next ?? null });
    },
  },
  {
    ...common,
    method: "GET",
    path: "/ledger/entries/{entryId}",
    summary: "One entry of the journal.",
    body: "none",
    params: { entryId: "Id of the entry." },
    success: { status: 200, description: "The entry.", schema: objectSchema({ entry: entrySchema }) },
    refusals: ["RECORD_NOT_FOUND"],
    async handle(call: OperatorCall) {
      const { entry } = await wallet.getEntry({ entryId: requireParam(call, "entryId") });
      return jsonAnswer(entry === undefined ? {} : { entry: renderEntry(entry) });
    },
  },
];

const promiseFields = {
  settledMinor: minorSchema("What the account holds."),
  promisedMinor: minorSchema("What is promised to payments."),
  releasedMinor: minorSchema("What was released so far."),
  floorMinor: nullable(minorSchema("The floor that counts; null where there is none.")),
  availableMinor: nullable(minorSchema("What can still be promised; null where there is no floor.")),
};

const textOf = (minor: bigint | undefined): string | null => (minor === undefined ? null : String(minor));

const floorRoutes = ({ upstreams: { wallet } }: JournalRouteDeps): readonly Route[] => [
  {
    ...common,
    method: "GET",
    path: "/ledger/promises",
    summary: "What an account holds, has promised and may still promise.",
    body: "none",
    query: {
      account: { description: "tenant/<slug>/funding or provider/<name>/clearing.", schema: { type: "string" } },
      currency: { description: "ISO 4217 code.", schema: { type: "string" } },
    },
    success: { status: 200, description: "How it stands.", schema: objectSchema(promiseFields) },
    refusals: ["INVALID_ARGUMENT"],
    async handle(call: OperatorCall) {
      const query = readQuery(call);
      const [account, currency] = [query.text("account"), query.text("currency")];
      query.finish();
      const found = await wallet.getPromises({ account, currency });
      return jsonAnswer({
        settledMinor: String(found.settledMinor),
        promisedMinor: String(found.promisedMinor),
        releasedMinor: String(found.releasedMinor),
        floorMinor: textOf(found.floorMinor),
        availableMinor: textOf(found.availableMinor),
      });
    },
  },
  {
    ...common,
    method: "PUT",
    path: "/ledger/floors",
    summary: "Set how far promises may take a tenant's funding.",
    body: "json",
    requestSchema: objectSchema(
      {
        account: textSchema("tenant/<slug>/funding."),
        currency: textSchema("ISO 4217 code."),
        floorMinor: minorSchema("Minor units, negative for a credit line; absent: none of its own."),
      },
      ["floorMinor"],
    ),
    success: {
      status: 200,
      description: "It is set. May be repeated.",
      schema: objectSchema({}),
    },
    refusals: ["INVALID_ARGUMENT", "RECORD_CONFLICT"],
    async handle(call: OperatorCall) {
      const { value } = readJson(call);
      const fields = readFields(value);
      const [account, currency] = [fields.text("account"), fields.text("currency")];
      const given = value["floorMinor"];
      const floorMinor = minorOf(given);
      fields.check(given === undefined || floorMinor !== undefined, "floorMinor", "must be text of a whole number");
      fields.finish();
      await wallet.setFloor({ account, currency, floorMinor });
      return jsonAnswer({});
    },
  },
];

/** The journal itself, corrections of it, and what may be promised, for operators. */
export const journalRoutes = (deps: JournalRouteDeps): readonly Route[] => [
  ...entryRoutes(deps),
  correctionRoute(deps),
  ...floorRoutes(deps),
];
