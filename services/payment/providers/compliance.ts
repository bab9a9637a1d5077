import type { DecisionServiceService } from "../../../proto/gen/corridor/identity/v1/decision_service";
import { DomainError } from "../../shared/errors";
import type { Rpc } from "../../shared/rpc";
import type { Payment } from "../domain/payment";
import type { ScreeningReport } from "../domain/report";
import type { Outcome, Provider } from "../ports";

export type DecisionClient = Pick<Rpc<typeof DecisionServiceService>, "decidePayment">;

const statuses: readonly ScreeningReport["status"][] = ["APPROVED", "REVIEW", "BLOCKED", "REJECTED"];
const unknown: Outcome = { kind: "unknown" };

/**
 * The identity service as the one that decides whether a payment may go on. It decides a payment's id once, and to be asked
 * again changes nothing, so asking and telling are the same call. While it is away nothing is known, and nothing goes on.
 */
export function makeCompliance(client: DecisionClient): Provider {
  const decide = async (payment: Payment): Promise<Outcome> => {
    try {
      const { status: word, reason } = await client.decidePayment(toRequest(payment));
      const status = statuses.find((candidate) => candidate === word);
      if (status === undefined) return unknown;
      return { kind: "report", report: { role: "screening", reference: payment.id, status, reason } };
    } catch {
      return unknown;
    }
  };
  return {
    finalityWindowMs: 0,
    perform: decide,
    ask: decide,
    readCallback() {
      throw new DomainError("ROUTE_NOT_FOUND", "identity calls nobody back; it tells its decisions on the bus");
    },
  };
}

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
