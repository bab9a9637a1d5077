import {
  BegunStep,
  type Case,
  CaseKind,
  CaseState,
  type CommandCaseRequest,
  FactKind,
} from "../../proto/gen/corridor/payment/v1/case_service";
import { DomainError } from "../../services/shared/kernel/errors";
import { exactMinor, parseDecimal, requireDigits } from "../../services/shared/kernel/money";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { amount, answer, closedQuery, instant, listOf, oneOf, orNull, text } from "../contract/parts";
import { unknownMember } from "../contract/violations";
import { readFields } from "../field-reader";
import { amountJson } from "../render-amount";
import { jsonAnswer, type OperatorCall, type Route, readJson, requireParam } from "../route";
import { arrayOf, enumSchema, objectSchema, textSchema } from "../schemas/document-schema";
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
const factByName = namesOf(FactKind);
const stepByName = namesOf(BegunStep);
const kinds = [...kindByName.keys()];
const states = [...stateByName.keys()];
const factKinds = [...factByName.keys()];
const steps = [...stepByName.keys()];
const commands = ["settleStep", "askProvider", "beginStep", "postCorrection", "repointFact", "assign", "close"];

const rowMembers = {
  caseId: text("UUID."),
  state: oneOf("OPEN: somebody must act.", [...states, "UNKNOWN"]),
  kinds: listOf(
    "What went wrong; the runbook says what to do.",
    oneOf("What went wrong; the runbook says what to do.", [...kinds, "UNKNOWN"]),
  ),
  tenant: orNull(text("Slug of the tenant; null when none is concerned or known.")),
  provider: orNull(text("Name of the provider; null when none is concerned.")),
  paymentIds: listOf("The payments that it is about.", text("UUID of a payment that it is about.")),
  amounts: listOf("The amounts that it is about.", amount),
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
const rowShape = answer("CaseSummary", "What a person must put right.", rowMembers);
const caseShape = answer("Case", "What a person must put right, with its whole story.", { ...rowMembers, notes });
const casePage = answer("CasePage", "A page of cases.", {
  cases: listOf("The oldest first.", rowShape),
  next: orNull(text("Cursor of the next page.")),
});
const instantOf = (at: Date | undefined): string | null => at?.toISOString() ?? null;
const givenOf = (given: string): string | null => (given === "" ? null : given);

const renderRow = ({ notes: _notes, ...row }: Case): Answered<typeof rowShape> => ({
  ...row,
  state: nameIn(stateByName, row.state),
  kinds: row.kinds.map((kind) => nameIn(kindByName, kind)),
  tenant: givenOf(row.tenant),
  provider: givenOf(row.provider),
  owner: givenOf(row.owner),
  amounts: row.amounts.map(amountJson),
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
  return { ...renderRow(found), notes: told };
}

/** Cases: what a person must put right, and the commands that do it. */
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
      return { cases: cases.map(renderRow), next: next ?? null };
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

const amountField = objectSchema({
  total: textSchema("Exact amount as decimal text, for example 10.50."),
  currency: textSchema("ISO 4217 code."),
});

const commandSchema = objectSchema(
  {
    commandId: textSchema("The operator's own id of the decision, a UUID; the same again changes nothing."),
    command: enumSchema(
      "settleStep: take a fact as told. askProvider: ask again. beginStep: void, refund, cancel or release. postCorrection: a linked entry. repointFact: give the facts to a payment. assign: name who works on it. close: end it.",
      commands,
    ),
    note: textSchema("Why, 1 to 2000 characters."),
    evidence: textSchema("What proves it, at most 16000 characters; required by settleStep."),
    paymentId: textSchema("Payment; needed where the case is not about one payment, and by repointFact."),
    kind: enumSchema("What happened, for settleStep.", factKinds),
    movementId: textSchema("The provider's own id of the movement, for settleStep."),
    step: enumSchema("What to begin, for beginStep.", steps),
    amount: amountField,
    postings: arrayOf(
      objectSchema({
        account: textSchema("For example tenant/demo/funding, provider/pix/clearing or platform/write-offs."),
        currency: textSchema("ISO 4217 code."),
        total: textSchema("Signed decimal text; what enters the account is positive."),
      }),
    ),
    owner: textSchema("The operator who works on it, for assign; empty for nobody."),
  },
  ["evidence", "paymentId", "kind", "movementId", "step", "amount", "postings", "owner"],
);

const commandRoute = ({ upstreams: { payment } }: CaseRouteDeps): Route => ({
  ...common,
  method: "POST",
  path: "/cases/{caseId}/commands",
  summary: "Carry out a command on a case.",
  body: "json",
  isPrivileged: true,
  params: { caseId: "Id of the case, a UUID." },
  requestSchema: commandSchema,
  success: {
    status: 200,
    description: "The case after the command.",
    schema: caseShape,
  },
  refusals: ["RECORD_NOT_FOUND", "PAYMENT_NOT_FOUND", "STATE_CONFLICT", "IDEMPOTENCY_CONFLICT", "RECORD_CONFLICT"],
  async handle(call: OperatorCall) {
    const body = readJson(call).value;
    const request = readCommand(body, requireParam(call, "caseId"));
    const { operator: author, approver } = call;
    const { case: found } = await payment.commandCase({ ...request, author, approver });
    return jsonAnswer(renderCase(found));
  },
});

type Request = Omit<CommandCaseRequest, "author" | "approver">;

function readCommand(body: ReturnType<typeof readJson>["value"], caseId: string): Request {
  const fields = readFields(body);
  const commandId = fields.text("commandId");
  const name = fields.text("command");
  const note = fields.text("note");
  fields.check(name === "" || commands.includes(name), "command", `must be one of ${commands.join(", ")}`);
  const given = {
    evidence: fields.optionalText("evidence") ?? "",
    paymentId: fields.optionalText("paymentId") ?? "",
    kind: fields.optionalText("kind"),
    movementId: fields.optionalText("movementId") ?? "",
    step: fields.optionalText("step"),
    owner: fields.optionalText("owner") ?? "",
  };
  const kind = factByName.get(given.kind ?? "");
  const step = stepByName.get(given.step ?? "");
  fields.check(name !== "settleStep" || kind !== undefined, "kind", `must be one of ${factKinds.join(", ")}`);
  fields.check(name !== "beginStep" || step !== undefined, "step", `must be one of ${steps.join(", ")}`);
  const { amount: total, postings, problems } = readAmounts(body);
  for (const member of unknownMembers(body, commandMembers)) problems.push(member);
  for (const { field, message } of problems) fields.check(false, field, message);
  fields.finish();
  const common = { caseId, commandId, note, evidence: given.evidence };
  const { paymentId, movementId, owner } = given;
  switch (name) {
    case "settleStep":
      return {
        ...common,
        command: { $case: name, value: { kind: kind ?? FactKind.UNSPECIFIED, amount: total, movementId, paymentId } },
      };
    case "askProvider":
      return { ...common, command: { $case: name, value: { paymentId } } };
    case "beginStep": {
      const begun = step ?? BegunStep.UNSPECIFIED;
      return { ...common, command: { $case: name, value: { step: begun, amount: total, paymentId } } };
    }
    case "postCorrection":
      return { ...common, command: { $case: name, value: { postings } } };
    case "repointFact":
      return { ...common, command: { $case: name, value: { paymentId } } };
    case "assign":
      return { ...common, command: { $case: name, value: { owner } } };
    case "close":
      return { ...common, command: { $case: name, value: {} } };
    default:
      throw new DomainError("INTERNAL", "a command was not read");
  }
}

interface Problem {
  field: string;
  message: string;
}

/** Amounts are texts here, so that no digit is lost on the way. */
function readAmounts(body: ReturnType<typeof readJson>["value"]) {
  const problems: Problem[] = [];
  const root = objectOf(body);
  const given = objectOf(root["amount"]);
  const hasAmount = root["amount"] !== undefined;
  const amount = hasAmount
    ? { amountMinor: minorOf(given, "amount", problems), currency: textOf(given["currency"]) }
    : undefined;
  const list = Array.isArray(root["postings"]) ? root["postings"] : [];
  const postings = list.map((one, index) => {
    const posting = objectOf(one);
    const minor = minorOf(posting, `postings.${index}`, problems);
    return { account: textOf(posting["account"]), currency: textOf(posting["currency"]), minor };
  });
  return { amount, postings, problems };
}

const commandMembers = Object.keys(Object(commandSchema["properties"]) as object);
const amountMembers = ["total", "currency"];
const postingMembers = ["account", ...amountMembers];

/** What is misspelt in a command that moves money must not be left out of it. */
function unknownMembers(body: ReturnType<typeof readJson>["value"], known: readonly string[]): readonly Problem[] {
  const of = (value: unknown, names: readonly string[], path = ""): readonly Problem[] =>
    Object.keys(objectOf(value))
      .filter((name) => !names.includes(name))
      .map((name) => ({ field: `${path}${name}`, message: unknownMember(name, names) }));
  const { amount: given, postings } = body;
  const list = Array.isArray(postings) ? postings : [];
  return [
    ...of(body, known),
    ...of(given, amountMembers, "amount."),
    ...list.flatMap((posting, index) => of(posting, postingMembers, `postings.${index}.`)),
  ];
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function minorOf(value: Readonly<Record<string, unknown>>, path: string, problems: Problem[]): bigint {
  const text = textOf(value["total"]);
  const isNegative = text.startsWith("-");
  const decimal = parseDecimal(isNegative ? text.slice(1) : text);
  try {
    const minor = decimal && exactMinor(decimal, requireDigits(textOf(value["currency"])));
    if (minor !== undefined) return isNegative ? -minor : minor;
    problems.push({ field: `${path}.total`, message: "must be decimal text of the currency" });
  } catch {
    problems.push({ field: `${path}.currency`, message: "must be an ISO 4217 code" });
  }
  return 0n;
}
