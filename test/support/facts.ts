import { applyFact } from "../../services/payment/domain/apply-fact";
import {
  type Fact,
  movesMoney,
  type PayoutFact,
  type PayoutFactKind,
  type PullFact,
  type PullFactKind,
} from "../../services/payment/domain/fact";
import { type Change, type Payment, unchanged } from "../../services/payment/domain/payment";
import { refusePayout } from "../../services/payment/domain/payout-facts";
import { refusePull } from "../../services/payment/domain/pull-facts";
import { runningRefund } from "../../services/payment/domain/reversal";
import { applyScreening, type ScreeningReport } from "../../services/payment/domain/screening";
import { awaited, roleOf } from "../../services/payment/domain/steps";
import { money } from "../../services/shared/kernel/money";

/** An event of a payment: a fact, a refusal of its step, or the decision about it. */
export type Told =
  | { role: "pull"; kind: PullFactKind; minor?: bigint; movementId?: string }
  | { role: "payout"; kind: PayoutFactKind; minor?: bigint; movementId?: string }
  | { role: "refusal"; code: string }
  | { role: "screening"; status: ScreeningReport["status"]; blockedCase?: string };

/** A fact about a collection; one that moves money has the requested amount by default. */
export function pullFact(
  payment: Payment,
  kind: PullFactKind,
  facts: Partial<PullFact> & { minor?: bigint } = {},
): PullFact {
  const { pull, refunds, amount, id } = payment;
  const { minor, ...others } = facts;
  const running = runningRefund(refunds);
  const asked = kind === "REFUNDED" ? (running?.minor ?? pull?.captureMinor ?? 0n) : (pull?.captureMinor ?? 0n);
  return {
    role: "pull",
    kind,
    provider: pull?.provider ?? "acquirer",
    reference: id,
    ...(movesMoney({ kind }) ? { amount: money(minor ?? asked, amount.currency) } : {}),
    movementId:
      kind === "REFUNDED"
        ? `movement-${running?.id ?? "none"}`
        : kind === "SETTLED"
          ? "movement-CAPTURED"
          : `movement-${kind}`,
    ...(kind === "REFUNDED" && running !== undefined ? { stepReference: running.id } : {}),
    ...others,
  };
}

/** A fact about a payout; one that moves money has the whole amount by default. */
export function payoutFact(
  payment: Payment,
  kind: PayoutFactKind,
  facts: Partial<PayoutFact> & { minor?: bigint } = {},
): PayoutFact {
  const { payout, id } = payment;
  const { minor, ...others } = facts;
  return {
    role: "payout",
    kind,
    provider: payout?.rail ?? "pix",
    reference: id,
    railId: "x",
    ...(movesMoney({ kind })
      ? { amount: money(minor ?? payout?.amount.minor ?? 0n, payout?.amount.currency ?? "BRL") }
      : {}),
    movementId: `movement-${kind}`,
    ...others,
  };
}

const factOf = (payment: Payment, told: Extract<Told, { kind: string }>): Fact => {
  const { minor, movementId } = told;
  const facts = { ...(minor === undefined ? {} : { minor }), ...(movementId === undefined ? {} : { movementId }) };
  return told.role === "pull" ? pullFact(payment, told.kind, facts) : payoutFact(payment, told.kind, facts);
};

/** The change with one more event applied. */
export function tell(change: Change, told: Told, at: Date): Change {
  if (told.role === "screening") return applyScreening(change, { ...told, reason: undefined }, at);
  if (told.role === "refusal") {
    const refusal = { code: told.code, reason: { code: "MS03", text: undefined }, evidence: undefined };
    const step = change.next.execution.step ?? awaited[change.next.state];
    const isPayout = change.next.payout !== undefined && step !== undefined && roleOf[step] === "payout";
    return (isPayout ? refusePayout(change, refusal, at) : refusePull(change, refusal, at)) ?? change;
  }
  return applyFact(change, factOf(change.next, told), at);
}

/** Applies events one after the other, each in its own write; returns the change of the last one. */
export const tellAll = (payment: Payment, at: Date, ...all: readonly Told[]): Change =>
  all.reduce((change, told) => tell(unchanged(change.next), told, at), unchanged(payment));
