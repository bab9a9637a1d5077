import { formatDecimal } from "../../services/shared/kernel/money";
import type { Act } from "../acts";
import { digitsOf, requireMinor } from "../amounts";
import { type Answer, notFound, referenceConflict } from "../answer";
import type { Environment } from "../environment";
import type { Effect } from "../fault-rule";
import type { MovementKind } from "../movements";
import { contentHash, openRecordStore } from "../record-store";
import { bookSteps, notNow, refuseStep, repeated, type Step, shownSteps, stepAnswer, totalOf } from "../steps";

/** The bank network's record of one debit. Times are ISO 8601, amounts decimal text. */
export interface Debit {
  reference: string;
  debitId: string;
  contentHash: string;
  status: "ACCEPTED" | "REJECTED" | "SETTLED" | "RETURNED" | "VOIDED";
  amount: string;
  currency: string;
  /** ACH return code and its text. */
  reasonCode: string | null;
  reason: string | null;
  /** Decided on arrival, reported when the debit would settle. */
  comesBack: boolean;
  /** Collected amounts; more than one only where a rule made the network collect twice. */
  captures: Step[];
  refunds: Step[];
  /** Amounts that the payer's bank took back. */
  returns: Step[];
  voidReference: string | null;
  voidedAt: string | null;
  settledAt: string | null;
  calls: number;
  createdAt: string;
}

export interface DebitRequest {
  reference: string;
  amount: string;
  currency: string;
  accountNumber: string;
}

/** Account numbers with debits that do not settle. */
export const debitAccounts = [
  { accountNumber: "000000003", effect: "the debit is rejected: no such account" },
  { accountNumber: "000000001", effect: "the debit comes back instead of settling: insufficient funds" },
] as const;
const [unknownAccount, emptyAccount] = debitAccounts;
const noAccount = { reasonCode: "R03", reason: "no account or unable to locate account" };
const noFunds = { reasonCode: "R01", reason: "insufficient funds" };
const notAuthorised = { reasonCode: "R10", reason: "the customer says that the debit was not authorised" };
const settleMs = 100;

/** Debits of bank accounts. Each call is on disk before it answers. */
export interface DebitBook {
  debit(request: DebitRequest, body: unknown, isRefused: boolean, effect?: Effect): Promise<Answer>;
  cancel(reference: string, step: string): Promise<Answer>;
  refund(reference: string, step: { reference: string; amount: string }, effect?: Effect): Promise<Answer>;
  query(reference: string): Answer;
  find(reference: string): Debit | undefined;
  list(): Debit[];
}

export function openDebitBook(environment: Environment): DebitBook {
  const { database, clock, ids, callbacks, jobs } = environment;
  const records = openRecordStore<Debit>(database, "debits");
  const save = (debit: Debit): void => records.save(debit.reference, debit);
  const at = (): string => clock.now().toISOString();
  const moveOut = mover(environment);
  jobs.on("debit-settlement", (reference) => {
    const found = records.find(reference);
    if (found?.status !== "ACCEPTED") return;
    const next: Debit = found.comesBack
      ? { ...moveOut(found, "returns", "RETURN", left(found)), status: "RETURNED", ...noFunds }
      : { ...found, status: "SETTLED", settledAt: at() };
    save(next);
    callbacks.report("debits", { ...render(next), occurredAt: at() });
  });
  environment.acts.on(
    "debits",
    debitActs(environment, (reference) => records.find(reference), save),
  );
  callbacks.onNotify("debits", (reference) => {
    const found = records.find(reference);
    return found && { ...render(found), occurredAt: at() };
  });

  const debit = (request: DebitRequest, body: unknown, isRefused: boolean, effect: Effect | undefined): Answer => {
    const found = records.find(request.reference);
    if (found !== undefined) {
      save({ ...found, calls: found.calls + 1 });
      return found.contentHash === contentHash(body) ? { status: 200, body: render(found) } : referenceConflict;
    }
    const first = fresh(request, contentHash(body), { debitId: `DEB-${ids.uuid()}`, createdAt: at(), isRefused });
    const next = first.status === "ACCEPTED" ? collect(environment, first, effect) : first;
    save(next);
    if (next.status === "ACCEPTED") jobs.add("debit-settlement", next.reference, settleMs);
    return { status: 201, body: render(next) };
  };
  const cancel = (found: Debit, step: string): Answer => {
    const body = { reference: step, status: "VOIDED", at: found.voidedAt ?? at() };
    if (found.voidReference === step) return { status: 200, body };
    if (found.status !== "ACCEPTED") return notNow("not_voidable", found.status);
    const voided = moveOut(found, "returns", "RETURN", left(found));
    save({ ...voided, status: "VOIDED", voidReference: step, voidedAt: body.at });
    return { status: 201, body };
  };
  const refund = (found: Debit, step: StepOrder, effect: Effect | undefined): Answer => {
    const { next, answer } = refundNow(environment, found, step, effect);
    if (next !== undefined) save(next);
    return answer;
  };
  const onKnown = (reference: string, work: (found: Debit) => Answer): Promise<Answer> =>
    database.write(() => {
      const found = records.find(reference);
      return found === undefined ? notFound : work(found);
    });

  return {
    debit: (request, body, isRefused, effect) => database.write(() => debit(request, body, isRefused, effect)),
    cancel: (reference, step) => onKnown(reference, (found) => cancel(found, step)),
    refund: (reference, step, effect) => onKnown(reference, (found) => refund(found, step, effect)),
    query(reference) {
      const found = records.find(reference);
      return found === undefined ? notFound : { status: 200, body: render(found) };
    },
    find: (reference) => records.find(reference),
    list: () => records.list(),
  };
}

interface StepOrder {
  reference: string;
  amount: string;
}

/** Refunds, several times up to the amount, while the debit stands. */
function refundNow(
  { movements }: Environment,
  found: Debit,
  step: StepOrder,
  effect: Effect | undefined,
): { next?: Debit; answer: Answer } {
  const again = repeated(found.refunds, step.reference, step.amount, "REFUNDED");
  if (again !== undefined) return { answer: again };
  const isStanding = found.status === "SETTLED" || found.status === "ACCEPTED";
  if (!isStanding) return { answer: notNow("not_refundable", found.status) };
  const { currency } = found;
  const limit = requireMinor(found.amount, currency);
  const refusal = refuseStep(found.refunds, step.amount, { currency, limit });
  if (refusal !== undefined) return { answer: refusal };
  const order = { ...orderOf(found, "REFUND"), amount: step.amount };
  const made = bookSteps(movements, { order, step: step.reference, effect });
  const [first] = made;
  const body = first === undefined ? {} : stepAnswer(first, "REFUNDED");
  return { next: { ...found, refunds: [...found.refunds, ...made] }, answer: { status: 201, body } };
}

const orderOf = ({ reference, amount, currency }: Debit, kind: MovementKind) => ({
  provider: "debits",
  reference,
  kind,
  amount,
  currency,
});

/** Collects the requested amount, or what a rule says instead. */
function collect({ movements }: Environment, debit: Debit, effect: Effect | undefined): Debit {
  const order = orderOf(debit, "CAPTURE");
  const captures = bookSteps(movements, { order, step: debit.reference, effect });
  const [first] = captures;
  return { ...debit, captures, amount: first?.amount ?? debit.amount, currency: first?.currency ?? debit.currency };
}

/** The collected amount that has not gone back, as decimal text. */
function left({ captures, refunds, returns, currency }: Debit): string {
  const minor = totalOf(captures, currency) - totalOf(refunds, currency) - totalOf(returns, currency);
  return formatDecimal({ digits: minor < 0n ? 0n : minor, scale: digitsOf(currency) });
}

const mover =
  ({ movements }: Environment) =>
  (debit: Debit, list: "captures" | "refunds" | "returns", kind: MovementKind, amount: string): Debit => {
    if (requireMinor(amount, debit.currency) <= 0n) return debit;
    const step = { reference: debit.reference, ...movements.book({ ...orderOf(debit, kind), amount }) };
    return { ...debit, [list]: [...debit[list], step] };
  };

/** Spontaneous acts of the network and of its banks. */
function debitActs(
  environment: Environment,
  find: (reference: string) => Debit | undefined,
  save: (debit: Debit) => void,
): Readonly<Record<string, Act>> {
  const { clock, callbacks } = environment;
  const move = mover(environment);
  const act =
    (change: (debit: Debit, amount: string | undefined) => Debit): Act =>
    (reference, { amount, isSilent }) => {
      const found = find(reference);
      if (found === undefined) return false;
      const next = change(found, amount);
      save(next);
      if (isSilent !== true) callbacks.report("debits", { ...render(next), occurredAt: clock.now().toISOString() });
      return true;
    };
  return {
    SETTLE: act((debit) => ({
      ...move(debit, "captures", "CAPTURE", isEmpty(debit) ? debit.amount : "0"),
      status: "SETTLED",
      reasonCode: null,
      reason: null,
      settledAt: clock.now().toISOString(),
    })),
    RETURN: act((debit, amount) => ({
      ...move(debit, "returns", "RETURN", amount ?? left(debit)),
      status: "RETURNED",
      ...notAuthorised,
    })),
    REJECT: act((debit) => ({ ...move(debit, "returns", "RETURN", left(debit)), status: "REJECTED", ...noAccount })),
    VOID: act((debit) => ({
      ...move(debit, "returns", "RETURN", left(debit)),
      status: "VOIDED",
      voidedAt: clock.now().toISOString(),
    })),
    REFUND: act((debit, amount) => move(debit, "refunds", "REFUND", amount ?? left(debit))),
  };
}

const isEmpty = (debit: Debit): boolean => requireMinor(left(debit), debit.currency) === 0n;

function fresh(
  { reference, amount, currency, accountNumber }: DebitRequest,
  contentHash: string,
  { debitId, createdAt, isRefused }: { debitId: string; createdAt: string; isRefused: boolean },
): Debit {
  const isRejected = isRefused || accountNumber === unknownAccount.accountNumber;
  return {
    reference,
    debitId,
    contentHash,
    status: isRejected ? "REJECTED" : "ACCEPTED",
    amount,
    currency,
    reasonCode: isRejected ? noAccount.reasonCode : null,
    reason: isRejected ? noAccount.reason : null,
    comesBack: accountNumber === emptyAccount.accountNumber,
    captures: [],
    refunds: [],
    returns: [],
    voidReference: null,
    voidedAt: null,
    settledAt: null,
    calls: 1,
    createdAt,
  };
}

const render = ({ reference, debitId, status, amount, currency, ...debit }: Debit) => ({
  reference,
  debitId,
  status,
  amount,
  currency,
  ...(debit.reasonCode === null ? {} : { reasonCode: debit.reasonCode, reason: debit.reason }),
  ...(debit.voidedAt === null ? {} : { voidedAt: debit.voidedAt }),
  captures: shownSteps(debit.captures),
  refunds: shownSteps(debit.refunds),
  returns: shownSteps(debit.returns),
});
