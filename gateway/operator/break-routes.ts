import type {
  GetDailyProofResponse,
  ReconcileProvidersResponse,
  StatementBreak,
} from "../../proto/gen/corridor/wallet/v1/statement";
import type { Upstreams } from "../clients";
import { knownWord } from "../codec/known-word";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import {
  answer,
  answerWith,
  closedQuery,
  instant,
  integer,
  listOf,
  oneOf,
  orNull,
  request,
  text,
  words,
} from "../contract/parts";
import type { Route } from "../route";
import { pageMembers } from "./page";

const common = { scheme: "operator", tag: "Ledger" } as const;

const sideShape = orNull(
  answer("BreakSide", "What one side has; null for nothing.", {
    currency: text("Currency of ISO 4217 or another asset code."),
    minor: text("Minor units."),
  }),
);

const breakClasses = ["MISSING_HERE", "MISSING_THERE", "AMOUNT", "CURRENCY", "DOUBLED", "GAP", "SUSPENSE"] as const;

const breakShape = answer("StatementBreak", "A difference between our books and a provider's statement.", {
  breakId: text("Id of the break."),
  class: oneOf("What differs.", breakClasses),
  provider: text("Provider; empty for suspense."),
  reference: text("Our reference as the statement has it, or the payment."),
  paymentIds: listOf("The payments that it is about.", text("Id of a payment.")),
  ours: sideShape,
  theirs: sideShape,
  detail: text("What was seen, with the ids of lines and entries."),
  foundAt: orNull(instant("When it was found.")),
  caseId: orNull(text("The case that was opened for it.")),
  resolvedAt: orNull(instant("When it was resolved.")),
  resolution: orNull(text("How it was resolved.")),
});

const breakPage = answer("StatementBreakPage", "A page of breaks.", {
  breaks: listOf("The breaks.", breakShape),
  next: orNull(text("For the next page.")),
});

const resolutionRequest = request("BreakResolution", "The end of a break.", {
  breakId: words("Id of the break."),
  note: words("Why."),
});

const resolutionAnswer = answerWith("ResolvedBreak", "A break that was ended.", {}, { break: breakShape });

const sideOf = (side: StatementBreak["ours"]) =>
  side === undefined ? null : { currency: side.currency, minor: String(side.minor) };

const renderBreak = (one: StatementBreak): Answered<typeof breakShape> => ({
  ...one,
  class: knownWord(breakClasses, one.class),
  ours: sideOf(one.ours),
  theirs: sideOf(one.theirs),
  foundAt: one.foundAt ?? null,
  caseId: one.caseId ?? null,
  resolvedAt: one.resolvedAt ?? null,
  resolution: one.resolution ?? null,
});

const proofLine = answer("ProofLine", "The sums of a currency.", {
  currency: text("Currency of ISO 4217 or another asset code."),
  customersMinor: text("Wallets and tenants' funding, minor units."),
  heldMinor: text("What providers and tenants' banks hold."),
  ownMinor: text("Fx, margin, fees and write-offs."),
  unassignedMinor: text("Suspense."),
  blockedMinor: text("Money of payments that are blocked."),
  differenceMinor: text("All of these together; 0 in a sound ledger."),
});

const proofAccount = answer("ProofAccount", "What an account held.", {
  account: text("Path in the chart of accounts."),
  currency: text("Currency."),
  minor: text("Minor units."),
});

const proofShape = answer("DailyProof", "The proof that customers' money equalled the money held.", {
  day: text("YYYY-MM-DD, UTC."),
  madeAt: orNull(instant("When the proof was made.")),
  lines: listOf("The sums by currency.", proofLine),
  accounts: listOf("Each account.", proofAccount),
  unresolvedBreaks: integer("Breaks that were unresolved then."),
});

const renderProof = ({ day, madeAt, lines, accounts, unresolvedBreaks }: GetDailyProofResponse) => ({
  day,
  madeAt: madeAt ?? null,
  lines: lines.map((line) => ({
    currency: line.currency,
    customersMinor: String(line.customersMinor),
    heldMinor: String(line.heldMinor),
    ownMinor: String(line.ownMinor),
    unassignedMinor: String(line.unassignedMinor),
    blockedMinor: String(line.blockedMinor),
    differenceMinor: String(line.differenceMinor),
  })),
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
    [day, "blocked", line.currency, line.blockedMinor],
    [day, "difference", line.currency, line.differenceMinor],
  ]);
  const parts = accounts.map(({ account, currency, minor }) => [day, account, currency, minor]);
  return `${[["day", "account", "currency", "minor"], ...sums, ...parts].map((row) => row.join(",")).join("\n")}\n`;
}

const count = (value: bigint): number => Number.parseInt(String(value), 10);

const reconciliationShape = answer("Reconciliation", "How our books and the providers' statements stand.", {
  statements: listOf(
    "What was read of each statement.",
    answer("StatementPosition", "How far a provider's statement was read.", {
      provider: text("Provider, for example pix or acquirer."),
      lastLine: integer("Number of the last line that was read; 0: none yet."),
      openItems: integer("Movements that one of the books has not, or not yet, or otherwise."),
      readAt: orNull(instant("When the statement was read to its end.")),
    }),
  ),
  classes: listOf(
    "How many breaks there are of each class.",
    answer("BreakCount", "Breaks of a class.", { class: text("Class of breaks."), count: integer("All of them.") }),
  ),
  breaks: listOf("The first 200 breaks.", breakShape),
});

const renderReconciliation = ({
  statements,
  classes,
  breaks,
}: ReconcileProvidersResponse): Answered<typeof reconciliationShape> => ({
  statements: statements.map(({ provider, lastLine, openItems, readAt }) => ({
    provider,
    lastLine: count(lastLine),
    openItems: count(openItems),
    readAt: readAt ?? null,
  })),
  classes: classes.map((one) => ({ ...one, count: count(one.count) })),
  breaks: breaks.map(renderBreak),
});

const breakQuery = closedQuery("Which page is meant.", pageMembers);
const proofQuery = closedQuery("How it is written.", {
  format: { ...oneOf("json or csv.", ["json", "csv"]), default: "json" },
});

/** Breaks between our books and the providers' statements, and the proof of each day, for operators. */
export const breakRoutes = ({ wallet }: Pick<Upstreams, "wallet">): readonly Route[] => [
  defineRoute({
    ...common,
    method: "POST",
    path: "/ledger/reconciliations",
    summary: "Read what is new in the providers' statements, and compare; lists the first 200 breaks.",
    response: { status: 200, description: "How the books stand.", schema: reconciliationShape },
    refusals: ["UNAVAILABLE"],
    handle: async () => renderReconciliation(await wallet.reconcileProviders({})),
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/ledger/breaks",
    summary: "List the unresolved differences to providers' statements.",
    query: breakQuery,
    response: { status: 200, description: "A page.", schema: breakPage },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ query: { after, limit } }) {
      const { breaks, next } = await wallet.listBreaks({ after, limit });
      return { breaks: breaks.map(renderBreak), next: next ?? null };
    },
  }),
  defineRoute({
    ...common,
    method: "POST",
    path: "/ledger/break-resolutions",
    summary: "End a break that no later line or entry will end.",
    request: resolutionRequest,
    response: { status: 200, description: "The break. May be repeated.", schema: resolutionAnswer },
    refusals: ["INVALID_ARGUMENT", "RECORD_NOT_FOUND"],
    async handle({ operator, body }) {
      const { break: ended } = await wallet.resolveBreak({ ...body, operator });
      return ended === undefined ? {} : { break: renderBreak(ended) };
    },
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/ledger/proofs/{day}",
    summary: "The proof that customers' money equalled the money held at the end of a day, as JSON or CSV.",
    params: { day: "YYYY-MM-DD, UTC." },
    query: proofQuery,
    response: { status: 200, description: "The proof.", schema: proofShape },
    refusals: ["INVALID_ARGUMENT", "RECORD_NOT_FOUND"],
    async handle({ params: { day }, query: { format } }) {
      const proof = await wallet.getDailyProof({ day });
      if (format === "json") return renderProof(proof);
      const body = Buffer.from(proofCsv(proof));
      return { madeElsewhere: { status: 200, headers: { "content-type": "text/csv" }, body } };
    },
  }),
];
