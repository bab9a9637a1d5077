import { requireMinor } from "../amounts";
import { type Answer, notFound, referenceConflict } from "../answer";
import { contentHash, openShelf } from "../shelf";
import { notNow, refuseStep, repeated, type Step } from "../steps";
import type { World } from "../world";

/** What the bank network knows of one debit. Times are ISO 8601, amounts decimal text. */
export interface Debit {
  reference: string;
  debitId: string;
  contentHash: string;
  status: "ACCEPTED" | "REJECTED" | "SETTLED" | "RETURNED" | "VOIDED";
  amount: string;
  currency: string;
  /** ACH return code and its words. */
  reasonCode: string | null;
  reason: string | null;
  /** Decided when it came, told when it settles. */
  comesBack: boolean;
  refunds: Step[];
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

/** Account numbers at banks of this world that do something else than settle. */
export const debitAccounts = [
  { accountNumber: "000000003", effect: "the debit is rejected: no such account" },
  { accountNumber: "000000001", effect: "the debit comes back instead of settling: insufficient funds" },
] as const;
const [unknownAccount, emptyAccount] = debitAccounts;
const noAccount = { reasonCode: "R03", reason: "no account or unable to locate account" };
const noFunds = { reasonCode: "R01", reason: "insufficient funds" };
const settleMs = 100;

/** Debits of bank accounts. Each call is on disk before it answers. */
export interface DebitBook {
  debit(request: DebitRequest, body: unknown, isRefused: boolean): Promise<Answer>;
  cancel(reference: string, step: string): Promise<Answer>;
  refund(reference: string, step: { reference: string; amount: string }): Promise<Answer>;
  query(reference: string): Answer;
  list(): Debit[];
}

export function openDebitBook({ database, clock, ids, callbacks, duties }: World): DebitBook {
  const shelf = openShelf<Debit>(database, "debits");
  const save = (debit: Debit): void => shelf.save(debit.reference, debit);
  const at = (): string => clock.now().toISOString();
  duties.on("debit-settlement", (reference) => {
    const found = shelf.find(reference);
    if (found?.status !== "ACCEPTED") return;
    const occurredAt = at();
    const next: Debit = found.comesBack
      ? { ...found, status: "RETURNED", ...noFunds }
      : { ...found, status: "SETTLED", settledAt: occurredAt };
    save(next);
    callbacks.report("debits", { ...render(next), occurredAt });
  });

  const debit = (request: DebitRequest, body: unknown, isRefused: boolean): Answer => {
    const found = shelf.find(request.reference);
    if (found !== undefined) {
      save({ ...found, calls: found.calls + 1 });
      return found.contentHash === contentHash(body) ? { status: 200, body: render(found) } : referenceConflict;
    }
    const next = fresh(request, contentHash(body), { debitId: `DEB-${ids.uuid()}`, createdAt: at(), isRefused });
    save(next);
    if (next.status === "ACCEPTED") duties.add("debit-settlement", next.reference, settleMs);
    return { status: 201, body: render(next) };
  };
  const cancel = (found: Debit, step: string): Answer => {
    const body = { reference: step, status: "VOIDED", at: found.voidedAt ?? at() };
    if (found.voidReference === step) return { status: 200, body };
    if (found.status !== "ACCEPTED") return notNow("not_voidable", found.status);
    save({ ...found, status: "VOIDED", voidReference: step, voidedAt: body.at });
    return { status: 201, body };
  };
  const refund = (found: Debit, { reference, amount }: { reference: string; amount: string }): Answer => {
    const again = repeated(found.refunds, reference, amount, "REFUNDED");
    if (again !== undefined) return again;
    if (found.status !== "SETTLED" && found.status !== "ACCEPTED") return notNow("not_refundable", found.status);
    const limit = requireMinor(found.amount, found.currency);
    const refusal = refuseStep(found.refunds, amount, { currency: found.currency, limit });
    if (refusal !== undefined) return refusal;
    const step: Step = { reference, amount, at: at() };
    save({ ...found, refunds: [...found.refunds, step] });
    return { status: 201, body: { ...step, status: "REFUNDED" } };
  };
  const onKnown = (reference: string, work: (found: Debit) => Answer): Promise<Answer> =>
    database.write(() => {
      const found = shelf.find(reference);
      return found === undefined ? notFound : work(found);
    });

  return {
    debit: (request, body, isRefused) => database.write(() => debit(request, body, isRefused)),
    cancel: (reference, step) => onKnown(reference, (found) => cancel(found, step)),
    refund: (reference, step) => onKnown(reference, (found) => refund(found, step)),
    query(reference) {
      const found = shelf.find(reference);
      return found === undefined ? notFound : { status: 200, body: render(found) };
    },
    list: () => shelf.list(),
  };
}

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
    refunds: [],
    voidReference: null,
    voidedAt: null,
    settledAt: null,
    calls: 1,
    createdAt,
  };
}

const render = ({ reference, debitId, status, amount, currency, reasonCode, reason, refunds, voidedAt }: Debit) => ({
  reference,
  debitId,
  status,
  amount,
  currency,
  ...(reasonCode === null ? {} : { reasonCode, reason }),
  ...(voidedAt === null ? {} : { voidedAt }),
  refunds,
});
