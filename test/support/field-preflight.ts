import { makeDetailsRules } from "../../services/payment/adapters/schema/details-rules";
import { validatePaymentHandler } from "../../services/payment/handlers/validate-payment";
import { makeValidatePayment } from "../../services/payment/operations/validate-payment";
import type { Schemas } from "../../services/payment/ports";
import { askPreflight, type Preflight } from "./payment-door";

const free = { bps: 0, fixedMinor: 0n };

/** The preflight of a platform where no id is used and everything can be priced and paid: only fields can be wrong. */
export function fieldPreflight(schemas: Schemas): (body: object) => Promise<Preflight> {
  const validate = makeValidatePayment({
    payments: { findAnswer: async () => undefined, findQuoteUse: async () => undefined },
    rules: makeDetailsRules(schemas),
    appraise: async () => ({
      quote: undefined,
      payoutAmount: undefined,
      funds: undefined,
      shares: [],
      terms: { fees: { PRE_AUTH: free, CAPTURE: free, REFUND: free }, reversalLimitMinor: undefined },
      at: new Date(0),
    }),
  });
  const payment = {
    validatePayment: validatePaymentHandler(validate),
    acceptPayment: () => Promise.reject(new Error("nothing is accepted here")),
  };
  return (body) => askPreflight(payment, "demo", body);
}
