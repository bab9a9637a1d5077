import { cardRule, holdsCardNumber } from "./card-number";
import { readText, textRule } from "./text";

/**
 * Fields whose numbers are those of accounts and documents: a corridor's pattern judges them, they are sealed and shown masked, and
 * many of them cannot be told from card numbers.
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

/** Reads text that a caller sent: as it is kept, or the rule that it breaks. `path` says where in a body it stood. */
export function readCallerText(text: string, path = ""): { value: string } | { problem: string } {
  const value = readText(text);
  if (value === undefined) return { problem: textRule };
  return holdsCardNumber(value) && !isOwnNumber(path) ? { problem: cardRule } : { value };
}
