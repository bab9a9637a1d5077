import { cardRule, holdsCardNumber } from "./card-number";
import { brokenRule, readText } from "./text";

/**
 * Fields with account and document numbers: a corridor's pattern checks them, they are sealed and shown masked, and many
 * cannot be distinguished from card numbers.
 */
const ownNumbers = [
  /^recipient\.paymentMethod\.(?:accountNumber|key)$/,
  /^recipient\.destination\.pix\.key$/,
  /^sender\.(?:paymentMethod|source)\.accountNumber$/,
  /^(?:sender|recipient)\.customer\.documentNumber$/,
  /^(?:(?:sender|recipient)\.)?documents\.\d+\.document$/,
  /^(?:(?:sender|recipient)\.)?identification$/,
  /^documentNumber$/,
];

/** True for the dotted path of such a field. */
const isOwnNumber = (path: string): boolean => ownNumbers.some((pattern) => pattern.test(path));

/** Reads a caller's text. Returns it as stored, or the rule that it breaks. `path` is its dotted path in the body. */
export function readCallerText(text: string, path = ""): { value: string } | { problem: string } {
  const value = readText(text);
  if (value === undefined) return { problem: brokenRule(text) };
  return holdsCardNumber(value) && !isOwnNumber(path) ? { problem: cardRule } : { value };
}
