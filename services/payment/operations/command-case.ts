import { hash } from "node:crypto";
import type { Clock } from "../../shared/kernel/clock";
import { DomainError, invalid } from "../../shared/kernel/errors";
import { derivedUuid } from "../../shared/kernel/ids";
import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import { applyFact } from "../domain/apply-fact";
import { applyCaseCommand, type CaseCommand } from "../domain/case-commands";
import { type Evidence, factId } from "../domain/fact";
import { type Change, type Payment, type Posting, unchanged } from "../domain/payment";
import { correctedFacts, suspensePostings } from "../domain/unknown-fact";
import type { Case, CaseStep, CaseStore } from "../store/case-store";
import type { PaymentStore } from "../store/payment-store";

export interface CommandCaseDeps {
  cases: Pick<CaseStore, "find" | "step">;
  payments: Pick<PaymentStore, "find" | "save">;
  clock: Clock;
  /** Carries on a payment whose step was begun. */
  proceed(payment: Payment, approach: "send" | "ask"): Promise<void>;
  /** Asks the providers of a payment for everything that they know. */
  inquire(payment: Payment): Promise<void>;
  nudgeRelay(): void;
}

/** A decision of an operator; `paymentId` is empty where the case concerns one payment. */
export type Decision =
  | CaseCommand
  | { kind: "askProvider" }
  | { kind: "repoint"; paymentId: string }
  | { kind: "assign"; owner: string };

export interface CommandCaseOrder {
  caseId: string;
  commandId: string;
  author: string;
  approver: string;
  note: string;
  evidence: Evidence | undefined;
  paymentId: string;
  decision: Decision;
}

/**
 * Carries out a command on a case and its payment, in one write. Repeating it changes nothing. Throws RECORD_NOT_FOUND,
 * IDEMPOTENCY_CONFLICT, PAYMENT_NOT_FOUND, STATE_CONFLICT, INVALID_ARGUMENT, and UNAVAILABLE when others keep changing either.
 */
export type CommandCase = (order: CommandCaseOrder) => Promise<Case>;

export const makeCommandCase =
  (deps: CommandCaseDeps): CommandCase =>
  (order) => {
    const content = contentOf(order);
    return retryOnConflict("case", async () => {
      const found = await requireCase(deps, order.caseId);
      const known = found.commands.find(({ id }) => id === order.commandId);
      if (known !== undefined) {
        if (known.hash === content) return found;
        throw new DomainError("IDEMPOTENCY_CONFLICT", "commandId was used with different content", {
          details: { fields: ["command"] },
        });
      }
      if (found.state === "CLOSED") throw closed();
      return (await carryOut(deps, found, order, content)) ? requireCase(deps, order.caseId) : conflict;
    });
  };

const closed = (): DomainError =>
  new DomainError("STATE_CONFLICT", "the case is closed", { details: { status: "CLOSED", allowed: [] } });

async function requireCase({ cases }: Pick<CommandCaseDeps, "cases">, id: string): Promise<Case> {
  const found = await cases.find(id);
  if (found === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no such case");
  return found;
}

/** Returns the command's content, which is the same however often the command is sent. */
const contentOf = ({ decision, note, paymentId, evidence }: CommandCaseOrder): string =>
  hash(
    "sha256",
    JSON.stringify([decision, note, paymentId, evidence?.hash], (_name, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    ),
  );

/** Returns false when another writer changed the case or the payment first. */
async function carryOut(
  deps: CommandCaseDeps,
  found: Case,
  order: CommandCaseOrder,
  content: string,
): Promise<boolean> {
  const { decision } = order;
  const at = deps.clock.now();
  const step = stepOf(order, content, at);
  switch (decision.kind) {
    case "assign":
      return deps.cases.step(found, { ...step, owner: decision.owner }, at);
    case "askProvider": {
      const payment = await requirePayment(deps, found, order.paymentId);
      if (!(await deps.cases.step(found, step, at))) return false;
      await deps.inquire(payment);
      return true;
    }
    case "repoint":
      return repoint(deps, found, { ...step, paymentId: decision.paymentId }, at);
    case "postCorrection":
    case "close":
      if (found.paymentIds.length === 0 || order.paymentId === "") return onCase(deps, found, decision, step, at);
      return onPayment(deps, found, order, decision, step, at);
    default:
      return onPayment(deps, found, order, decision, step, at);
  }
}

const stepOf = (order: CommandCaseOrder, content: string, at: Date): CaseStep => ({
  commandId: order.commandId,
  hash: content,
  closes: order.decision.kind === "close",
  line: {
    at,
    author: order.author,
    approver: order.approver,
    text: order.note,
    command: order.decision.kind,
    evidence: order.evidence,
  },
});

async function requirePayment(
  { payments }: Pick<CommandCaseDeps, "payments">,
  found: Case,
  named: string,
): Promise<Payment> {
  const [only, ...others] = found.paymentIds;
  const id = named === "" ? only : named;
  if (id === undefined || (named === "" && others.length > 0)) {
    throw invalid([{ field: "paymentId", message: "is required for a case that is not about one payment" }]);
  }
  const payment = await payments.find(id);
  if (payment === undefined) throw new DomainError("PAYMENT_NOT_FOUND", "there is no such payment");
  return payment;
}

/** Changes the payment and its case together, or neither. */
async function onPayment(
  deps: CommandCaseDeps,
  found: Case,
  order: CommandCaseOrder,
  decision: CaseCommand,
  step: CaseStep,
  at: Date,
): Promise<boolean> {
  const payment = await requirePayment(deps, found, order.paymentId);
  const change = applyCaseCommand(payment, idOf(found, order.commandId), decision, at);
  return saveBoth(deps, { payment, change, found, step }, at);
}

/**
 * Returns an id that depends on the case: the same command id in another case is another command, and what it begins has an id of its
 * own.
 */
const idOf = ({ id }: Case, commandId: string): string => derivedUuid("command", id, commandId);

interface Both {
  payment: Payment;
  change: Change;
  found: Case;
  step: CaseStep;
}

async function saveBoth(deps: CommandCaseDeps, { payment, change, found, step }: Both, at: Date): Promise<boolean> {
  const others = change.caseNotes.filter(({ caseId }) => caseId !== found.id);
  const own = change.caseNotes.filter(({ caseId }) => caseId === found.id);
  const kinds = own.flatMap(({ kind }) => kind ?? []);
  const said = own.map(({ text }) => text).filter((text) => text !== "closed");
  const line = { ...step.line, text: [step.line.text, ...said].join("; ") };
  const timely = { ...change, next: { ...change.next, updatedAt: at }, caseNotes: others };
  const result = await deps.payments.save(payment, timely, [], (tx) =>
    deps.cases.step(found, { ...step, line, kinds, of: payment }, at, tx),
  );
  if (result.kind !== "saved") return false;
  deps.nudgeRelay();
  const { step: begun } = result.payment.execution;
  if (begun !== undefined) void deps.proceed(result.payment, begun === payment.execution.step ? "ask" : "send");
  return true;
}

/**
 * Applies a decision to a case. What belongs to one payment is that payment's: its correction is posted as the payment's entry, so that
 * the statement's line of that payment matches it. Any other case has its own entries.
 */
async function onCase(
  deps: CommandCaseDeps,
  found: Case,
  decision: Extract<CaseCommand, { kind: "postCorrection" | "close" }>,
  step: CaseStep,
  at: Date,
): Promise<boolean> {
  const payment = await ownPayment(deps, found);
  if (payment !== undefined) {
    const change = applyCaseCommand(payment, idOf(found, step.commandId), decision, at);
    return saveBoth(deps, { payment, change, found, step }, at);
  }
  const isSaved = await deps.cases.step(found, { ...step, ...onCaseAlone(found, step.commandId, decision) }, at);
  if (isSaved) deps.nudgeRelay();
  return isSaved;
}

/** Returns the payment that the case belongs to: a case that only names payments, however many, is closed without them. */
async function ownPayment({ payments }: Pick<CommandCaseDeps, "payments">, found: Case): Promise<Payment | undefined> {
  const [only, ...others] = found.paymentIds;
  const payment = only === undefined || others.length > 0 ? undefined : await payments.find(only);
  return payment?.openCase?.id === found.id ? payment : undefined;
}

/** Decides about the case alone. Money that a person has corrected by hand, or closed as it is, cannot be given to a payment afterwards. */
function onCaseAlone(
  { id, facts }: Case,
  commandId: string,
  decision: Extract<CaseCommand, { kind: "postCorrection" | "close" }>,
): Pick<CaseStep, "entries" | "settles"> {
  if (decision.kind === "close") return { settles: facts };
  const postings = requireBalanced(decision.postings);
  const entries = [{ id: derivedUuid("correction", id, commandId), postings }];
  return { entries, settles: correctedFacts(facts, postings) };
}

function requireBalanced(postings: readonly Posting[]): readonly Posting[] {
  for (const [currency, own] of Map.groupBy(postings, (posting) => posting.currency)) {
    const sum = own.reduce((total, { minor }) => total + minor, 0n);
    if (sum !== 0n) throw invalid([{ field: "postings", message: `must add up to zero in ${currency}` }]);
  }
  return postings;
}

/** Gives the case's waiting facts to the payment, once: what waited in suspense is undone, and the payment posts the facts as its own. */
async function repoint(
  deps: CommandCaseDeps,
  found: Case,
  step: CaseStep & { paymentId: string },
  at: Date,
): Promise<boolean> {
  const payment = await deps.payments.find(step.paymentId);
  if (payment === undefined) throw new DomainError("PAYMENT_NOT_FOUND", "there is no such payment");
  if (found.facts.length === 0) {
    throw new DomainError("STATE_CONFLICT", "the case has no facts that wait for a payment", {
      details: { status: "OPEN", allowed: [] },
    });
  }
  const strange = found.facts.find(
    ({ role, provider }) =>
      provider !== (role === "pull" ? payment.pull : payment.payout && { provider: payment.payout.rail })?.provider,
  );
  if (strange !== undefined)
    throw invalid([{ field: "repointFact.paymentId", message: `has no leg at ${strange.provider}` }]);
  const change = found.facts.reduce(
    (so, fact) => applyFact(so, { ...fact, reference: payment.id }, at),
    unchanged(payment),
  );
  const entries = found.facts.map((fact) => ({
    id: derivedUuid("repoint", factId(fact)),
    postings: suspensePostings(fact).map((posting) => ({ ...posting, minor: -posting.minor })),
  }));
  return saveBoth(deps, { payment, change, found, step: { ...step, entries, settles: found.facts, closes: true } }, at);
}
