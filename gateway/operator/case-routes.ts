import type { Money } from "../../proto/gen/corridor/common/v1/money";
import {
  type Case,
  CaseKind,
  CaseState,
  DifferenceClass,
  PaymentLeg,
  type StatementDifference,
} from "../../proto/gen/corridor/payment/v1/case_service";
import { formatMinor } from "../../services/shared/kernel/assets";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import type { Upstreams } from "../clients";
import { toCommand, wrongDigits } from "../codec/case-command-codec";
import { caseCommand } from "../contract/case-commands";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { amount, answer, closedQuery, exact, instant, listOf, oneOf, orNull, text, uuid } from "../contract/parts";
import { amountJson } from "../render-amount";
import type { Route } from "../route";
import { pageMembers } from "./page";

export interface CaseRouteDeps {
  upstreams: Pick<Upstreams, "payment">;
}

const common = { scheme: "operator", tag: "Cases" } as const;
/** Names of an enum as people read them, without its zero. */
const namesOf = <T extends string>(wire: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries(wire).filter(([name]) => name !== "UNSPECIFIED" && name !== "UNRECOGNIZED"));
const nameIn = <T extends string>(names: ReadonlyMap<string, T>, value: T): string =>
  [...names].find(([, known]) => known === value)?.[0] ?? "UNKNOWN";

const kindByName = namesOf(CaseKind);
const stateByName = namesOf(CaseState);
const kinds = [...kindByName.keys()];
const states = [...stateByName.keys()];

const classByName = namesOf(DifferenceClass);
const legByName = namesOf(PaymentLeg);

const sideShape = orNull(
  answer("SignedAmount", "What one side has, signed as on our account; null for nothing.", {
    total: exact("Exact amount; negative for what the provider holds for us."),
    currency: text("Currency of ISO 4217 or another asset code."),
  }),
);
const differenceShape = answer("StatementDifference", "A difference between a provider's statement and our account.", {
  breakId: text("Id of the break, as `GET /ledger/breaks` has it."),
  class: oneOf("What differs; the runbook says what to do.", [...classByName.keys(), "UNKNOWN"]),
  provider: orNull(text("Provider; null for suspense.")),
  reference: text("Our reference as the statement has it, or the payment; the numbers of a gap."),
  leg: orNull(oneOf("The half of the payment whose money it is; null where none is known.", [...legByName.keys()])),
  ours: sideShape,
  theirs: sideShape,
  lineIds: listOf("The statement's lines.", text("Id of a line.")),
  entryIds: listOf("Our entries.", text("Id of an entry.")),
  foundAt: orNull(instant("When it was found.")),
});

const rowMembers = {
  caseId: uuid("Id."),
  state: oneOf("OPEN: an operator must act.", [...states, "UNKNOWN"]),
  kinds: listOf(
    "What went wrong; the runbook says what to do.",
    oneOf("What went wrong; the runbook says what to do.", [...kinds, "UNKNOWN"]),
  ),
  tenant: orNull(text("Slug of the tenant; null when none is concerned or known.")),
  provider: orNull(text("Name of the provider; null when none is concerned.")),
  paymentIds: listOf("The payments that it is about.", uuid("Id of a payment that it is about.")),
  amounts: listOf("The amounts that it is about.", amount),
  differences: listOf("Differences to providers' statements, the oldest first.", differenceShape),
  owner: orNull(text("The operator who works on it.")),
  openedAt: orNull(instant("When it was opened.")),
  updatedAt: orNull(instant("When it changed last.")),
  closedAt: orNull(instant("When it was closed; null while it is open.")),
} as const;
const noteShape = answer("CaseNote", "What was noticed or done.", {
  at: orNull(instant("When it was written.")),
  author: text("Name of the operator, or `platform`."),
  approver: orNull(text("Name of the second operator.")),
  text: text("What was noticed or done."),
  command: orNull(text("The command that was carried out; null for what the platform noticed.")),
  evidence: orNull(text("What a provider wrote, or what the operator gave as proof.")),
  evidenceHash: orNull(text("SHA-256 of the evidence as it came, 64 hex digits.")),
});
const notes = listOf("Its whole story.", noteShape);
export const caseSummary = answer("CaseSummary", "What a person must put right.", rowMembers);
const caseShape = answer("Case", "What a person must put right, with its whole story.", { ...rowMembers, notes });
const casePage = answer("CasePage", "A page of cases.", {
  cases: listOf("The oldest first.", caseSummary),
  next: orNull(text("Cursor of the next page.")),
});
const instantOf = (at: Date | undefined): string | null => at?.toISOString() ?? null;
const givenOf = (given: string): string | null => (given === "" ? null : given);

const sideOf = (side: Money | undefined) =>
  side === undefined
    ? null
    : { total: exactNumber(formatMinor(side.amountMinor, side.currency)), currency: side.currency };

const renderDifference = (one: StatementDifference): Answered<typeof differenceShape> => ({
  ...one,
  class: nameIn(classByName, one.class),
  provider: givenOf(one.provider),
  leg: [...legByName].find(([, known]) => known === one.leg)?.[0] ?? null,
  ours: sideOf(one.ours),
  theirs: sideOf(one.theirs),
  foundAt: instantOf(one.foundAt),
});

export const renderCaseSummary = ({ notes: _notes, ...row }: Case): Answered<typeof caseSummary> => ({
  ...row,
  state: nameIn(stateByName, row.state),
  kinds: row.kinds.map((kind) => nameIn(kindByName, kind)),
  tenant: givenOf(row.tenant),
  provider: givenOf(row.provider),
  owner: givenOf(row.owner),
  amounts: row.amounts.map(amountJson),
  differences: row.differences.map(renderDifference),
  openedAt: instantOf(row.openedAt),
  updatedAt: instantOf(row.updatedAt),
  closedAt: instantOf(row.closedAt),
});

function renderCase(found: Case | undefined): Answered<typeof caseShape> {
  if (found === undefined) throw new Error("the payment service sent no case");
  const told = found.notes.map((note) => ({
    at: instantOf(note.at),
    author: note.author,
    approver: givenOf(note.approver),
    text: note.text,
    command: givenOf(note.command),
    evidence: givenOf(note.evidence),
    evidenceHash: givenOf(note.evidenceHash),
  }));
  return { ...renderCaseSummary(found), notes: told };
}

/** Cases: problems that a person must resolve, and the commands that resolve them. */
export const caseRoutes = (deps: CaseRouteDeps): readonly Route[] => [
  listRoute(deps),
  showRoute(deps),
  commandRoute(deps),
];

const caseQuery = closedQuery("Which cases are meant.", {
  state: {
    ...oneOf("OPEN, CLOSED, or ALL.", [...states, "ALL"]),
    default: "OPEN",
    rule: "must be OPEN, CLOSED or ALL",
  },
  kind: oneOf("Only cases of this kind.", kinds),
  tenant: { ...text("Slug of a tenant."), default: "" },
  provider: { ...text("Name of a provider."), default: "" },
  paymentId: { ...text("UUID of a payment."), default: "" },
  ...pageMembers,
});

const listRoute = ({ upstreams: { payment } }: CaseRouteDeps): Route =>
  defineRoute({
    ...common,
    method: "GET",
    path: "/cases",
    summary: "List cases, the oldest first; those that are open unless another state is asked for.",
    query: caseQuery,
    response: { status: 200, description: "A page.", schema: casePage },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ query: { state, kind, ...rest } }) {
      const { cases, next } = await payment.listCases({
        ...rest,
        state: stateByName.get(state) ?? CaseState.UNSPECIFIED,
        kind: kindByName.get(kind ?? "") ?? CaseKind.UNSPECIFIED,
      });
      return { cases: cases.map(renderCaseSummary), next: next ?? null };
    },
  });

const showRoute = ({ upstreams: { payment } }: CaseRouteDeps): Route =>
  defineRoute({
    ...common,
    method: "GET",
    path: "/cases/{caseId}",
    summary: "Show a case with its whole story and the evidence.",
    params: { caseId: "Id of the case, a UUID." },
    response: { status: 200, description: "The case.", schema: caseShape },
    refusals: ["RECORD_NOT_FOUND"],
    handle: async ({ params }) => renderCase((await payment.getCase(params)).case),
  });

const commandRoute = ({ upstreams: { payment } }: CaseRouteDeps): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/cases/{caseId}/commands",
    summary: "Carry out a command on a case.",
    isPrivileged: true,
    params: { caseId: "Id of the case, a UUID." },
    request: caseCommand,
    response: { status: 200, description: "The case after the command.", schema: caseShape },
    refusals: ["RECORD_NOT_FOUND", "PAYMENT_NOT_FOUND", "STATE_CONFLICT", "IDEMPOTENCY_CONFLICT", "RECORD_CONFLICT"],
    alsoRefuses: wrongDigits,
    async handle({ operator: author, approver, params: { caseId }, body }) {
      const { commandId, note, evidence = "" } = body;
      const decision = { caseId, commandId, note, evidence, author, approver, command: toCommand(body) };
      return renderCase((await payment.commandCase(decision)).case);
    },
  });
