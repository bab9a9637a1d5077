import type {
  GetDailyProofResponse,
  ReconcileProvidersResponse,
  StatementBreak,
} from "../../proto/gen/corridor/wallet/v1/statement";
import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { readQuery } from "../query-reader";
import { jsonAnswer, type OperatorCall, type Route, readJson, requireParam } from "../route";
import { arrayOf, instantSchema, integerSchema, nullable, objectSchema, textSchema } from "../schemas/document-schema";
import { pageLimit, pageQuery } from "./page";

const common = { scheme: "operator", tag: "Ledger" } as const;

const sideSchema = nullable(
  objectSchema({
    currency: textSchema("Currency of ISO 4217 or another asset code."),
    minor: textSchema("Minor units."),
  }),
);
const breakSchema = objectSchema({
  breakId: textSchema("Id of the break."),
  class: textSchema("MISSING_HERE, MISSING_THERE, AMOUNT, CURRENCY, DOUBLED, GAP or SUSPENSE."),
  provider: textSchema("Provider; empty for suspense."),
  reference: textSchema("Our reference as the statement has it, or the payment."),
  paymentIds: arrayOf(textSchema("Id of a payment.")),
  ours: sideSchema,
  theirs: sideSchema,
  detail: textSchema("What was seen, with the ids of lines and entries."),
  foundAt: nullable(instantSchema("When it was found.")),
  caseId: nullable(textSchema("The case that was opened for it.")),
  resolvedAt: nullable(instantSchema("When it was resolved.")),
  resolution: nullable(textSchema("How it was resolved.")),
});

const sideOf = (side: StatementBreak["ours"]) =>
  side === undefined ? null : { currency: side.currency, minor: String(side.minor) };

const renderBreak = (one: StatementBreak): object => ({
  ...one,
  ours: sideOf(one.ours),
  theirs: sideOf(one.theirs),
  foundAt: one.foundAt?.toISOString() ?? null,
  caseId: one.caseId ?? null,
  resolvedAt: one.resolvedAt?.toISOString() ?? null,
  resolution: one.resolution ?? null,
});

const proofSchema = objectSchema({
  day: textSchema("YYYY-MM-DD, UTC."),
  madeAt: nullable(instantSchema("When the proof was made.")),
  lines: arrayOf(
    objectSchema({
      currency: textSchema("Currency of ISO 4217 or another asset code."),
      customersMinor: textSchema("Wallets and tenants' funding, minor units."),
      heldMinor: textSchema("What providers and tenants' banks hold."),
      ownMinor: textSchema("Fx, margin, fees and write-offs."),
      unassignedMinor: textSchema("Suspense and blocked money."),
      differenceMinor: textSchema("All of these together; 0 in a sound ledger."),
    }),
  ),
  accounts: arrayOf(
    objectSchema({
      account: textSchema("Path in the chart of accounts."),
      currency: textSchema("Currency."),
      minor: textSchema("Minor units."),
    }),
  ),
  unresolvedBreaks: integerSchema("Breaks that nobody had resolved then."),
});

const renderProof = ({ day, madeAt, lines, accounts, unresolvedBreaks }: GetDailyProofResponse): object => ({
  day,
  madeAt: madeAt?.toISOString() ?? null,
  lines: lines.map((line) => Object.fromEntries(Object.entries(line).map(([name, value]) => [name, String(value)]))),
  accounts: accounts.map((account) => ({ ...account, minor: String(account.minor) })),
  unresolvedBreaks: Number.parseInt(String(unresolvedBreaks), 10),
});

/** The proof as rows: the sums of each currency, then each account. Paths and codes hold no commas. */
function proofCsv({ day, lines, accounts }: GetDailyProofResponse): string {
  const sums = lines.flatMap((line) => [
    [day, "customers", line.currency, line.customersMinor],
    [day, "held", line.currency, line.heldMinor],
    [day, "own", line.currency, line.ownMinor],
    [day, "unassigned", line.currency, line.unassignedMinor],
    [day, "difference", line.currency, line.differenceMinor],
  ]);
  const parts = accounts.map(({ account, currency, minor }) => [day, account, currency, minor]);
  return `${[["day", "account", "currency", "minor"], ...sums, ...parts].map((row) => row.join(",")).join("\n")}\n`;
}

const count = (value: bigint): number => Number.parseInt(String(value), 10);

const reconciliationSchema = objectSchema({
  statements: arrayOf(
    objectSchema({
      provider: textSchema("Provider, for example pix or acquirer."),
      lastLine: integerSchema("Number of the last line that was read; 0: none yet."),
      openItems: integerSchema("Movements that one of the books has not, or not yet, or otherwise."),
      readAt: nullable(instantSchema("When the statement was read to its end.")),
    }),
  ),
  classes: arrayOf(objectSchema({ class: textSchema("Class of breaks."), count: integerSchema("All of them.") })),
  breaks: arrayOf(breakSchema),
});

const renderReconciliation = ({ statements, classes, breaks }: ReconcileProvidersResponse): object => ({
  statements: statements.map(({ provider, lastLine, openItems, readAt }) => ({
    provider,
    lastLine: count(lastLine),
    openItems: count(openItems),
    readAt: readAt?.toISOString() ?? null,
  })),
  classes: classes.map((one) => ({ ...one, count: count(one.count) })),
  breaks: breaks.map(renderBreak),
});

const reconciliationRoute = ({ wallet }: Pick<Upstreams, "wallet">): Route => ({
  ...common,
  method: "POST",
  path: "/ledger/reconciliations",
  summary: "Read what is new in the providers' statements, and compare; lists the first 200 breaks.",
  body: "none",
  success: { status: 200, description: "How the books stand.", schema: reconciliationSchema },
  refusals: ["UNAVAILABLE"],
  handle: async () => jsonAnswer(renderReconciliation(await wallet.reconcileProviders({}))),
});

/** Where our books and the providers' statements differ, and the proof of each day, for operators. */
export const breakRoutes = ({ wallet }: Pick<Upstreams, "wallet">): readonly Route[] => [
  reconciliationRoute({ wallet }),
  {
    ...common,
    method: "GET",
    path: "/ledger/breaks",
    summary: "List the differences to providers' statements that nobody has resolved.",
    body: "none",
    query: pageQuery,
    success: {
      status: 200,
      description: "A page.",
      schema: objectSchema({ breaks: arrayOf(breakSchema), next: nullable(textSchema("For the next page.")) }),
    },
    refusals: ["INVALID_ARGUMENT"],
    async handle(call: OperatorCall) {
      const query = readQuery(call);
      const after = query.optionalText("after");
      const limit = query.wholeNumber("limit", pageLimit);
      query.finish();
      const { breaks, next } = await wallet.listBreaks({ after, limit });
      return jsonAnswer({ breaks: breaks.map(renderBreak), next: next ?? null });
    },
  },
  {
    ...common,
    method: "POST",
    path: "/ledger/break-resolutions",
    summary: "End a break that no later line or entry will end.",
    body: "json",
    requestSchema: objectSchema({ breakId: textSchema("Id of the break."), note: textSchema("Why.") }),
    success: { status: 200, description: "The break. May be repeated.", schema: objectSchema({ break: breakSchema }) },
    refusals: ["INVALID_ARGUMENT", "RECORD_NOT_FOUND"],
    async handle(call: OperatorCall) {
      const fields = readFields(readJson(call).value);
      const [breakId, note] = [fields.text("breakId"), fields.text("note")];
      fields.finish();
      const { break: ended } = await wallet.resolveBreak({ breakId, note, operator: call.operator });
      return jsonAnswer(ended === undefined ? {} : { break: renderBreak(ended) });
    },
  },
  {
    ...common,
    method: "GET",
    path: "/ledger/proofs/{day}",
    summary: "The proof that customers' money equalled the money held at the end of a day, as JSON or CSV.",
    body: "none",
    params: { day: "YYYY-MM-DD, UTC." },
    query: {
      format: { description: "json or csv.", schema: { type: "string", enum: ["json", "csv"], default: "json" } },
    },
    success: { status: 200, description: "The proof.", schema: proofSchema },
    refusals: ["INVALID_ARGUMENT", "RECORD_NOT_FOUND"],
    async handle(call: OperatorCall) {
      const query = readQuery(call);
      const format = query.optionalText("format") ?? "json";
      query.check(format === "json" || format === "csv", "format", "must be json or csv");
      query.finish();
      const proof = await wallet.getDailyProof({ day: requireParam(call, "day") });
      if (format === "json") return jsonAnswer(renderProof(proof));
      return { status: 200, headers: { "content-type": "text/csv" }, body: Buffer.from(proofCsv(proof)) };
    },
  },
];
