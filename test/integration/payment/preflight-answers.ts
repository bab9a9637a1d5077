import { publicErrors } from "../../../gateway/render-error";
import { DomainError, errorReasons } from "../../../services/shared/kernel/errors";
import { formatMoney, money } from "../../../services/shared/kernel/money";
import { askPreflight, type Preflight } from "../../support/payment-door";
import { insistent } from "./looks";
import { demo, type PaymentRpc, type PaymentWorld } from "./payment-world";

/** What the preflight answers for a body of the demo tenant. */
export async function preflightOf(replica: Pick<PaymentRpc, "acceptPayment" | "validatePayment">, body: object) {
  const { errors, price } = await insistent(() => askPreflight(replica, demo, body)).catch(refusedByGateway);
  return { codes: errors.map(({ code }) => code), fields: errors.map(({ field }) => field), price };
}

/** The gateway itself refuses what no JSON text may hold. */
function refusedByGateway(error: unknown): Pick<Preflight, "errors" | "price"> {
  if (!(error instanceof DomainError) || error.reason !== "INVALID_ARGUMENT") throw error;
  return { errors: error.violations.map((violation) => ({ code: "VE_001", ...violation })), price: null };
}

/** The public code of a reason. */
export const codeOf = (reason: string | undefined): string =>
  publicErrors[errorReasons.find((known) => known === reason) ?? "INTERNAL"].code;

/** What a stored payment pays out; undefined where there is none, or it pays no one out. */
export async function storedPayout({ mongo }: Pick<PaymentWorld, "mongo">, externalId: unknown) {
  const stored = await mongo.connection
    .collection<{ tenant: string; externalId: string; payoutMinor?: bigint; payoutCurrency?: string }>("payments")
    .findOne({ tenant: demo, externalId: String(externalId) });
  const { payoutMinor, payoutCurrency } = stored ?? {};
  if (payoutMinor === undefined || payoutCurrency === undefined) return undefined;
  return { total: Number(formatMoney(money(payoutMinor, payoutCurrency))), currency: payoutCurrency };
}
