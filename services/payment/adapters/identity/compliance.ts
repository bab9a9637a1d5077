import type { DecisionServiceService } from "../../../../proto/gen/corridor/identity/v1/decision_service";
import { DecisionStatus } from "../../../../proto/gen/corridor/identity/v1/decision_status";
import type { Rpc } from "../../../shared/rpc/rpc";
import type { Payment } from "../../domain/payment";
import type { ScreeningReport } from "../../domain/screening";
import type { Screening } from "../../ports";

export type DecisionClient = Pick<Rpc<typeof DecisionServiceService>, "decidePayment">;

const statuses: Readonly<Record<DecisionStatus, ScreeningReport["status"] | undefined>> = {
  [DecisionStatus.UNSPECIFIED]: undefined,
  [DecisionStatus.APPROVED]: "APPROVED",
  [DecisionStatus.REVIEW]: "REVIEW",
  [DecisionStatus.BLOCKED]: "BLOCKED",
  [DecisionStatus.REJECTED]: "REJECTED",
  [DecisionStatus.UNRECOGNIZED]: undefined,
};

/**
 * The identity service as the one that decides whether a payment may go on. It decides a payment's id once, and to be asked
 * again changes nothing, so asking and telling are the same call. While it is away nothing is known, and nothing goes on.
 */
export const makeScreening =
  (client: DecisionClient): Screening =>
  async (payment) => {
    try {
      const { status: wire, reason } = await client.decidePayment(toRequest(payment));
      const status = statuses[wire];
      return status === undefined ? undefined : { status, reason };
    } catch {
      return undefined;
    }
  };

function toRequest({ id, tenant, amount, payer, payout }: Payment) {
  const { minor, currency } = payout?.amount ?? amount;
  const recipient = payout && {
    name: payout.recipientName,
    countryCode: payout.countryCode,
    narrative: payout.narrative,
  };
  return {
    tenant,
    paymentId: id,
    amount: { amountMinor: minor, currency },
    sender: { firstName: payer.firstName, lastName: payer.lastName },
    recipient,
  };
}
