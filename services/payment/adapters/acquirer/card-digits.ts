import { textOf } from "../../../shared/crypto/callback-signature";
import type { JsonObject } from "../../../shared/kernel/json";

/** Most leading digits of a card number that may be kept and shown (PCI DSS 4.0, 3.4.1). */
const longestBin = 8;
const lastDigits = 4;

/** Reads the leading digits of a card number; empty for anything that is more than those. */
export const binOf = (card: JsonObject, name: string): string => digitsOf(card, name, longestBin);

/** Reads the last four digits of a card number; empty for anything that is more than those. */
export const lastFourOf = (card: JsonObject): string => digitsOf(card, "lastFour", lastDigits);

function digitsOf(card: JsonObject, name: string, most: number): string {
  const text = textOf(card, name) ?? "";
  return text.length <= most && /^[0-9]+$/.test(text) ? text : "";
}
