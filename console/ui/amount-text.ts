import { digitsOf } from "../../sdk/src/money";

/** Formats an exact amount for people: grouped, with the digits of its currency. It never becomes a float. */
export function amountText(total: string, currency: string): string {
  const sign = total.startsWith("-") ? "−" : "";
  const [whole = "0", rest = ""] = total.replace(/^-/, "").split(".");
  const digits = Math.max(digitsKnown(currency), rest.replace(/0+$/, "").length);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${sign}${grouped}${digits === 0 ? "" : `.${rest.slice(0, digits).padEnd(digits, "0")}`}`;
}

/** Two for an unknown currency, as most have two. */
function digitsKnown(currency: string): number {
  try {
    return digitsOf(currency);
  } catch {
    return 2;
  }
}
