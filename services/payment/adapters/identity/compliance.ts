import type { DecisionServiceService } from "../../../../proto/gen/corridor/identity/v1/decision_service";
import type { Rpc } from "../../../shared/rpc/rpc";
import type { Payment } from "../../domain/payment";
import type { ScreeningReport } from "../../domain/screening";
import type { Screening } from "../../ports";

export type DecisionClient = Pick<Rpc<typeof DecisionServiceService>, "decidePayment">;

const statuses: readonly ScreeningReport["status"][] = ["APPROVED", "REVIEW", "BLOCKED", "REJECTED"];

/**
 * The identity service as the one that decides whether a payment may go on. It decides a payment's id once, and to be asked
 * again changes nothing, so asking and telling are the same call. While it is away nothing is known, and nothing goes on.
 */
export const makeScreening =
  (client: DecisionClient): Screening =>
  async (payment) => {
    try {
      const { status: word, reason } = await client.decidePayment(toRequest(payment));
      const status = statuses.find((candidate) => candidate === word);
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
