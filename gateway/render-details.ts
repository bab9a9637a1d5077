import { formatMinor } from "../services/shared/kernel/assets";
import { type ExactNumber, exactNumber } from "../services/shared/kernel/exact-number";
import type { Money } from "../services/shared/kernel/money";
import type { RefusalDetails } from "../services/shared/kernel/refusal-details";

/** Members of the details in the REST API, of which the document describes each. */
export type DetailName = Exclude<Extract<keyof RefusalDetails, string>, "mostRefunds" | "methods"> | "currency";

const inNumbers = ({ minor, currency }: Money): ExactNumber => exactNumber(formatMinor(minor, currency));

/** Renders the facts of a refusal. The order of the members is part of the form. */
export function renderDetails(details: RefusalDetails): Partial<Record<DetailName, unknown>> {
  if (details.methods !== undefined) return { allowed: details.methods };
  if (details.allowed !== undefined) {
    const { status, allowed, mostRefunds } = details;
    return { status, allowed, limit: mostRefunds };
  }
  if (details.window !== undefined) {
    const { window, limit, used, left } = details;
    return { currency: limit.currency, window, limit: inNumbers(limit), used: inNumbers(used), left: inNumbers(left) };
  }
  if (details.available !== undefined) return renderShortfall(details);
  return details;
}

function renderShortfall(shortfall: Extract<RefusalDetails, { available: Money }>) {
  const [available, required] = [inNumbers(shortfall.available), inNumbers(shortfall.required)];
  const { currency } = shortfall.available;
  if (shortfall.account === "wallet") return { available, required, currency };
  return { account: shortfall.account, currency, available, required };
}
