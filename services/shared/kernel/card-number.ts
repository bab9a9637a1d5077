/** Lengths and prefixes by brand: Visa, Mastercard, American Express, Diners, JCB, Discover and Maestro of six, UnionPay. */
const cardNumber =
  /^(?:4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35\d{14}|6(?:011|5\d\d)\d{12}|62\d{14,17})$/;
/** Separators that people write between the groups of a number: spaces, dashes, underscores, slashes and dots. */
const separator = String.raw`[ _/.\p{Pd}\u2212]`;
const onlySeparators = new RegExp(`^${separator}+$`, "u");
const rowOfDigits = new RegExp(`[0-9](?:${separator}{0,3}[0-9]){13,}`, "gu");
const mayHoldNumber = new RegExp(String.raw`\d(?:${separator}*\d){13}`, "u");
const shortestNumber = 14;
const longestNumber = 19;
/** The longest telephone number, by ITU-T E.164. */
const longestPhoneNumber = 15;
/** Random ids sometimes contain long runs of digits. */
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const otherCharacters = /[^\x20-\x7e]/;

/** The rule of `holdsCardNumber`, for refusals, which never repeat the text. */
export const cardRule = "must not hold a card number";

/**
 * True for text that contains digits, in any script and grouped or not, with a card brand's prefix and length and a correct
 * check digit (ISO/IEC 7812-1). Every run of neighbouring groups is checked, so that neither an expiry date after the number
 * nor a number before it hides it. Digits after a decimal point count as an amount, and a number that begins with a plus
 * as a telephone number.
 */
export function holdsCardNumber(text: string): boolean {
  const plain = otherCharacters.test(text) ? withPlainDigits(text) : text;
  if (!hasDigits(plain, shortestNumber) || !mayHoldNumber.test(plain)) return false;
  return rowsOf(plain.replaceAll(uuid, "x")).some((row) => !isPhoneNumber(row) && rowHoldsCardNumber(row));
}

/** Returns a text with each of its card numbers, grouped or not, replaced by a word. */
export const withoutCardNumbers = (text: string): string =>
  text.replace(rowOfDigits, (row) => (holdsCardNumber(row) ? "[card number]" : row));

/** Whether a text has so many digits, wherever they stand. */
function hasDigits(text: string, count: number): boolean {
  let missing = count;
  for (let at = 0; at < text.length && missing > 0; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) missing -= 1;
  }
  return missing === 0;
}

interface Group {
  digits: string;
  /** The text between the previous group of its row, if any, and this one. */
  before: string;
}

/** Groups of digits with only separators between them. */
function rowsOf(text: string): Group[][] {
  const rows: Group[][] = [];
  let end = 0;
  for (const { 0: digits, index } of text.matchAll(/\d+/g)) {
    const before = text.slice(end, index);
    const row = onlySeparators.test(before) ? rows.at(-1) : undefined;
    if (row === undefined) rows.push([{ digits, before }]);
    else row.push({ digits, before });
    end = index + digits.length;
  }
  return rows;
}

const isPhoneNumber = (row: readonly Group[]): boolean =>
  row[0]?.before.endsWith("+") === true &&
  row.reduce((sum, { digits }) => sum + digits.length, 0) <= longestPhoneNumber;

const rowHoldsCardNumber = (row: readonly Group[]): boolean => row.some((_first, from) => isCardNumberAt(row, from));

/** True when a card number begins with this group. At most as many groups are read as a number can have, however long the row is. */
function isCardNumberAt(row: readonly Group[], from: number): boolean {
  let digits = "";
  for (let at = from; at < row.length && digits.length <= longestNumber; at += 1) {
    const isFraction = isFractionIn(row, at);
    // Nor does it continue the digits before the point.
    if (isFraction && at > from) return false;
    digits += row[at]?.digits ?? "";
    const isLong = digits.length >= shortestNumber;
    if (isLong && !isFraction && cardNumber.test(digits) && passesLuhn(digits)) return true;
  }
  return false;
}

/** True for digits after the only point of their number. */
function isFractionIn(row: readonly Group[], at: number): boolean {
  return at > 0 && row[at]?.before === "." && row[at - 1]?.before !== "." && row[at + 1]?.before !== ".";
}

/** Replaces digits of every script by 0 to 9. The digits of a script have consecutive code points. */
function withPlainDigits(text: string): string {
  const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));
  return text.normalize("NFKC").replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let value = 0;
    while (value < 9 && isDigit(code - value - 1)) value += 1;
    return String(value);
  });
}

/** A loop over character codes: hostile text has it run for tens of thousands of numbers. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const value = (digits.charCodeAt(at) - 0x30) * ((digits.length - at) % 2 === 1 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
