import {
  BegunStep,
  type Case,
  CaseKind,
  CaseState,
  type CommandCaseRequest,
  FactKind,
} from "../../proto/gen/corridor/payment/v1/case_service";
import { DomainError } from "../../services/shared/errors";
import { exactMinor, parseDecimal, requireDigits } from "../../services/shared/money";
import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { readQuery } from "../query-reader";
import { amountJson } from "../render-amount";
import { jsonAnswer, type OperatorCall, type Route, readJson, requireParam } from "../route";
import {
  amountSchema,
  arrayOf,
  enumSchema,
  instantSchema,
  nullable,
  objectSchema,
  textSchema,
} from "../schemas/document-schema";
import { pageLimit, pageQuery } from "./page";

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

const rowFields = {
  caseId: textSchema("UUID."),
  state: enumSchema("OPEN: somebody must act.", states),
  kinds: arrayOf(enumSchema("What went wrong; the runbook says what to do.", kinds)),
  tenant: nullable(textSchema("Slug of the tenant; null when none is concerned or known.")),
  provider: nullable(textSchema("Name of the provider; null when none is concerned.")),
  paymentIds: arrayOf(textSchema("UUID of a payment that it is about.")),
  amounts: arrayOf(amountSchema),
  owner: nullable(textSchema("The operator who works on it.")),
  openedAt: nullable(instantSchema("When it was opened.")),
  updatedAt: nullable(instantSchema("When it changed last.")),
  closedAt: nullable(instantSchema("When it was closed; null while it is open.")),
};
const noteSchema = objectSchema({
  at: nullable(instantSchema("When it was written.")),
  author: textSchema("Name of the operator, or `platform`."),
  approver: nullable(textSchema("Name of the second operator.")),
  text: textSchema("What was noticed or done."),
  command: nullable(textSchema("The command that was carried out; null for what the platform noticed.")),
  evidence: nullable(textSchema("What a provider wrote, or what the operator gave as proof.")),
  evidenceHash: nullable(textSchema("SHA-256 of the evidence as it came, 64 hex digits.")),
});
const rowSchema = objectSchema(rowFields);
const caseSchema = objectSchema({ ...rowFields, notes: arrayOf(noteSchema) });

const instant = (at: Date | undefined): string | null => at?.toISOString() ?? null;
const orNull = (text: string): string | null => (text === "" ? null : text);

const renderRow = ({ notes: _notes, ...row }: Case): object => ({
  ...row,
  state: nameIn(stateByName, row.state),
  kinds: row.kinds.map((kind) => nameIn(kindByName, kind)),
  tenant: orNull(row.tenant),
  provider: orNull(row.provider),
  owner: orNull(row.owner),
  amounts: row.amounts.map(amountJson),
  openedAt: instant(row.openedAt),
  updatedAt: instant(row.updatedAt),
  closedAt: instant(row.closedAt),
});

function renderCase(found: Case | undefined): object {
  if (found === undefined) throw new Error("the payment service sent no case");
  const notes = found.notes.map((note) => ({
    at: instant(note.at),
    author: note.author,
    approver: orNull(note.approver),
    text: note.text,
    command: orNull(note.command),
    evidence: orNull(note.evidence),
    evidenceHash: orNull(note.evidenceHash),
  }));
  return { ...renderRow(found), notes };
}

/** Cases: what a person must put right, and the commands that do it. */
export const caseRoutes = (deps: CaseRouteDeps): readonly Route[] => [
  listRoute(deps),
  showRoute(deps),
  commandRoute(deps),
];

const optionalText = (description: string) => ({ description, schema: { type: "string" } });

const listRoute = ({ upstreams: { payment } }: CaseRouteDeps): Route => ({
  ...common,
  method: "GET",
  path: "/cases",
  summary: "List cases, the oldest first; those that are open unless another state is asked for.",
  body: "none",
  query: {
    state: {
      description: "OPEN, CLOSED, or ALL.",
      schema: { type: "string", enum: [...states, "ALL"], default: "OPEN" },
    },
    kind: { description: "Only cases of this kind.", schema: { type: "string", enum: kinds } },
    tenant: optionalText("Slug of a tenant."),
    provider: optionalText("Name of a provider."),
    paymentId: optionalText("UUID of a payment."),
    ...pageQuery,
  },
  success: {
    status: 200,
    description: "A page.",
    schema: objectSchema({ cases: arrayOf(rowSchema), next: nullable(textSchema("Cursor of the next page.")) }),
  },
  refusals: ["INVALID_ARGUMENT"],
  async handle(call: OperatorCall) {
    const query = readQuery(call);
    const state = query.optionalText("state") ?? "OPEN";
    const kind = query.optionalText("kind");
    query.check([...states, "ALL"].includes(state), "state", "must be OPEN, CLOSED or ALL");
    query.check(kind === undefined || kindByName.has(kind), "kind", `must be one of ${kinds.join(", ")}`);
    const wanted = {
      state: stateByName.get(state) ?? CaseState.UNSPECIFIED,
      kind: kindByName.get(kind ?? "") ?? CaseKind.UNSPECIFIED,
      tenant: query.optionalText("tenant") ?? "",
      provider: query.optionalText("provider") ?? "",
      paymentId: query.optionalText("paymentId") ?? "",
      after: query.optionalText("after"),
      limit: query.wholeNumber("limit", pageLimit),
    };
    query.finish();
    const { cases, next } = await payment.listCases(wanted);
    return jsonAnswer({ cases: cases.map(renderRow), next: next ?? null });
  },
});

const showRoute = ({ upstreams: { payment } }: CaseRouteDeps): Route => ({
  ...common,
  method: "GET",
  path: "/cases/{caseId}",
  summary: "Show a case with its whole story and the evidence.",
  body: "none",
  params: { caseId: "Id of the case, a UUID." },
  success: { status: 200, description: "The case.", schema: caseSchema },
  refusals: ["RECORD_NOT_FOUND"],
  async handle(call: OperatorCall) {
    const { case: found } = await payment.getCase({ caseId: requireParam(call, "caseId") });
    return jsonAnswer(renderCase(found));
  },
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
    schema: caseSchema,
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
  const { amount, postings, problems } = readAmounts(body);
  for (const { field, message } of problems) fields.check(false, field, message);
  fields.finish();
  const common = { caseId, commandId, note, evidence: given.evidence };
  const { paymentId, movementId, owner } = given;
  switch (name) {
    case "settleStep":
      return {
        ...common,
        command: { $case: name, value: { kind: kind ?? FactKind.UNSPECIFIED, amount, movementId, paymentId } },
      };
    case "askProvider":
      return { ...common, command: { $case: name, value: { paymentId } } };
    case "beginStep": {
      const begun = step ?? BegunStep.UNSPECIFIED;
      return { ...common, command: { $case: name, value: { step: begun, amount, paymentId } } };
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
