import type { Clock } from "../../shared/kernel/clock";
import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import type { CaseKind, StatementDifference } from "../domain/case-note";
import { openCase } from "../domain/cases";
import type { Fact } from "../domain/fact";
import { type Payment, unchanged, update } from "../domain/payment";
import type { NewCase, StoryLine } from "../store/case-record";
import type { Case, CaseStore } from "../store/case-store";
import type { PaymentStore } from "../store/payment-store";

export interface OpenReportedCaseDeps {
  cases: Pick<CaseStore, "open" | "findReported" | "knownKeys">;
  payments: Pick<PaymentStore, "find" | "save">;
  clock: Clock;
}

/** What another service found. */
export type Report = NewCase & {
  kind: CaseKind;
  line: StoryLine;
  /** What a provider calls the movement: the payment's id, where it is a payment's. */
  reference: string;
};

/**
 * Opens a case for what another service found. What concerns one payment joins that payment's case, so that the payment has one open
 * case at a time and is put right once. Repeating it with the same key changes nothing, and returns the same case. Throws UNAVAILABLE
 * while others keep changing the payment.
 */
export type OpenReportedCase = (key: string, report: Report) => Promise<Case>;

export const makeOpenReportedCase =
  (deps: OpenReportedCaseDeps): OpenReportedCase =>
  (key, { reference, ...report }) =>
    retryOnConflict("payment", async () => {
      const payment = await concerned(deps, report.paymentIds, reference);
      if (payment === undefined) return deps.cases.open(key, report);
      const known = await deps.cases.findReported(payment.id, key);
      if (known !== undefined) return known;
      // The report may have opened a case alone, before the payment could be found.
      const isAlone = (await deps.cases.knownKeys([key])).has(key);
      return isAlone ? deps.cases.open(key, report) : join(deps, payment, key, report);
    });

/** Returns the one payment that a report concerns; undefined when it concerns none, or several. */
async function concerned(
  { payments }: Pick<OpenReportedCaseDeps, "payments">,
  [only, ...others]: readonly string[],
  reference: string,
): Promise<Payment | undefined> {
  const id = only ?? reference;
  return others.length > 0 || id === "" ? undefined : payments.find(id);
}

async function join(
  { payments, cases, clock }: OpenReportedCaseDeps,
  payment: Payment,
  key: string,
  { kind, provider, line, difference: found }: Omit<Report, "reference">,
): Promise<Case | typeof conflict> {
  const role = legOf(payment, provider, found);
  const difference = found && { ...found, leg: role };
  const change = openCase(unchanged(payment), kind, line.text, { role, evidence: line.evidence, key, difference });
  const result = await payments.save(payment, update(change, { updatedAt: clock.now() }));
  return result.kind === "saved" ? ((await cases.findReported(payment.id, key)) ?? conflict) : conflict;
}

/**
 * Returns the leg that a report concerns. A provider may serve both, so the statement's lines decide, then the fact that an entry of ours
 * has posted, and only then the leg that the provider serves.
 */
function legOf({ facts, pull, payout }: Payment, provider: string, found?: StatementDifference): Fact["role"] {
  const posted = facts.find(({ id }) => found?.entryIds.includes(id));
  return found?.leg ?? posted?.role ?? (payout?.rail === provider && pull?.provider !== provider ? "payout" : "pull");
}
