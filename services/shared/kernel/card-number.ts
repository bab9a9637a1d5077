/** Lengths and prefixes by brand: Visa, Mastercard, American Express, Diners, JCB, Discover and Maestro of six, UnionPay. */
const cardNumber =
  /^(?:4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35\d{14}|6(?:011|5\d\d)\d{12}|62\d{14,17})$/;
const run = /(?<![\d+])\d(?:[ .-]?\d){12,18}(?!\d)/g;
const mayHoldRun = /\d(?:[ .-]?\d){12}/;
/** Ids made at random hold long runs of digits now and then. */
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const otherCharacters = /[^\x20-\x7e]/;

/** The rule that `holdsCardNumber` goes by, for refusals. They never repeat the text. */
export const cardRule = "must not hold a card number";

/**
 * True for text with a run of digits, in whatever script and with spaces, dots or hyphens between them, that is of a card brand's
 * prefix and length and whose check digit is right (ISO/IEC 7812-1).
 */
export function holdsCardNumber(text: string): boolean {
  const plain = otherCharacters.test(text) ? withPlainDigits(text) : text;
  if (!mayHoldRun.test(plain)) return false;
  const runs = plain.replaceAll(uuid, " ").match(run) ?? [];
  return runs
    .map((found) => found.replaceAll(/[ .-]/g, ""))
    .some((digits) => cardNumber.test(digits) && passesLuhn(digits));
}

/** Digits of every script as 0 to 9. Those of one script follow each other. */
function withPlainDigits(text: string): string {
  const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));
  return text.normalize("NFKC").replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let value = 0;
    while (value < 9 && isDigit(code - value - 1)) value += 1;
    return String(value);
  });
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number.parseInt(digit, 10) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
