import type { FieldViolation } from "../../shared/kernel/errors";
import { externalIdRule, isExternalId } from "../../shared/kernel/external-id";
import { type PaymentIntent, type PayoutIntent, typeOfIntent } from "./payment-intent";

const alpha3 = /^[A-Z]{3}$/;
const countryRule = "must be an ISO 3166-1 alpha-3 code, three capital letters";

/**
 * Checks the rules that hold for every caller and that no published schema contains: the form of ids, that there is something to do and a
 * way to do it, and what prices it. Fields are named as in the published schemas.
 */
export function intentViolations(intent: PaymentIntent, agentId: string | undefined): readonly FieldViolation[] {
  const { externalTransactionId, sender, payout } = intent;
  const violations = [...idViolations(intent), ...collectionViolations(intent)];
  if (typeOfIntent(intent) === undefined) {
    violations.push({ field: "paymentType", message: "must be a collection, a payout or both" });
  }
  if (externalTransactionId !== "" && agentId === undefined) {
    violations.push({ field: "externalId", message: "is for agents only" });
  } else if (externalTransactionId !== "" && !isExternalId(externalTransactionId)) {
    violations.push({ field: "externalId", message: externalIdRule });
  }
  if (sender !== undefined && sender.countryCode !== "" && !alpha3.test(sender.countryCode)) {
    violations.push({ field: "sender.countryCode", message: countryRule });
  }
  return payout === undefined ? violations : [...violations, ...payoutViolations(intent, payout)];
}

function idViolations({ externalId }: PaymentIntent): FieldViolation[] {
  if (isExternalId(externalId)) return [];
  return [{ field: "externalPaymentId", message: externalId === "" ? "is required" : externalIdRule }];
}

function collectionViolations({ amount, collection, payout }: PaymentIntent): FieldViolation[] {
  if (collection === undefined) return [];
  const violations: FieldViolation[] = [];
  if (amount?.minor === 0n) violations.push({ field: "amount.total", message: "must be more than 0" });
  if (collection.source === undefined) {
    const place = payout === undefined ? "paymentMethod" : "source";
    violations.push({ field: `sender.${place}`, message: "is required" });
  }
  return violations;
}

function payoutViolations({ amount }: PaymentIntent, payout: PayoutIntent): FieldViolation[] {
  const { countryCode, method, quoteId, pricing, profile } = payout;
  const violations: FieldViolation[] = [];
  if (!alpha3.test(countryCode)) {
    const message = countryCode === "" ? "is required" : countryRule;
    violations.push({ field: "recipient.paymentMethod.countryCode", message });
  }
  if (method === undefined) violations.push({ field: "recipient.paymentMethod.type", message: "is required" });
  const currenciesDiffer =
    amount !== undefined && payout.amount !== undefined && amount.currency !== payout.amount.currency;
  if (pricing === "QUOTED" && quoteId === "" && currenciesDiffer) {
    violations.push({ field: "fxId", message: "is required" });
  }
  if (pricing === "AT_ACCEPTANCE" && quoteId !== "") {
    violations.push({ field: "fxId", message: "must not be given where the platform prices the payment" });
  }
  if (pricing === "AT_ACCEPTANCE" && profile === "COUNTRY") {
    violations.push({ field: "pricing", message: "must be QUOTED where the country's rules hold" });
  }
  return violations;
}
