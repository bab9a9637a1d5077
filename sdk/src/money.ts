import { digitsOfAssets } from "./gen/facts.ts";

/** An exact number as a text of digits: `"100.10"`. It is never represented by a float. */
export type Decimal = `${number}`;

/** An exact amount. */
export interface Money<Currency extends string = string> {
  readonly total: Decimal;
  readonly currency: Currency;
}

const plain = /^-?\d+(?:\.\d+)?$/;

const digitsByAsset: ReadonlyMap<string, number> = new Map(
  Object.entries(digitsOfAssets).flatMap(([digits, codes]) =>
    codes.split(" ").map((code): [string, number] => [code, Number(digits)]),
  ),
);

/** True for a text of plain digits: no exponent, no blank, no group separator. */
const isDecimal = (text: unknown): text is Decimal => typeof text === "string" && plain.test(text);

/** Returns a text as an exact number. Throws a TypeError if it is not one. */
export function decimal(text: string): Decimal {
  if (!isDecimal(text)) throw new TypeError(`${JSON.stringify(text)} is no plain decimal number`);
  return text;
}

/** Returns the number of decimals of a currency or another asset. Throws a TypeError for one that the platform does not know. */
export function digitsOf(currency: string): number {
  const digits = digitsByAsset.get(currency);
  if (digits === undefined) throw new TypeError(`${currency} is no currency that is known`);
  return digits;
}

/** Returns an amount of a currency. Throws a TypeError if it has more decimals than the currency. */
export function money<const Currency extends string>(total: string, currency: Currency): Money<Currency> {
  return fromMinor(minorOf(total, digitsOf(currency)), currency);
}

/** Returns the minor units of an amount: `toMinor({ total: "100.1", currency: "USD" })` is `10010n`. */
export const toMinor = ({ total, currency }: Money): bigint => minorOf(total, digitsOf(currency));

/** Returns the amount for a number of minor units. */
export function fromMinor<const Currency extends string>(minor: bigint, currency: Currency): Money<Currency> {
  const digits = digitsOf(currency);
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, "0");
  const [whole, rest] = [text.slice(0, text.length - digits), text.slice(text.length - digits)];
  return { total: decimal(`${minor < 0n ? "-" : ""}${whole}${digits === 0 ? "" : `.${rest}`}`), currency };
}

/** Converts an amount to another currency at a rate, rounded once, half to even, as the platform rounds. */
export function convert<const Currency extends string>(
  amount: Money,
  rate: Decimal,
  currency: Currency,
): Money<Currency> {
  const { units: rateUnits, scale } = unitsOf(rate);
  const product = toMinor(amount) * rateUnits;
  const shift = digitsOf(currency) - digitsOf(amount.currency) - scale;
  return fromMinor(
    shift >= 0 ? product * 10n ** BigInt(shift) : divideHalfEven(product, 10n ** BigInt(-shift)),
    currency,
  );
}

function unitsOf(text: string): { units: bigint; scale: number } {
  const [whole = "", rest = ""] = decimal(text).split(".");
  return { units: BigInt(whole + rest), scale: rest.length };
}

function minorOf(total: string, digits: number): bigint {
  const { units, scale } = unitsOf(total);
  if (scale <= digits) return units * 10n ** BigInt(digits - scale);
  const surplus = 10n ** BigInt(scale - digits);
  if (units % surplus !== 0n) throw new TypeError(`${total} has more decimals than the ${digits} of its currency`);
  return units / surplus;
}

function divideHalfEven(amount: bigint, by: bigint): bigint {
  const negative = amount < 0n;
  const [quotient, rest] = negative ? [-amount / by, -amount % by] : [amount / by, amount % by];
  const isUp = rest * 2n > by || (rest * 2n === by && quotient % 2n === 1n);
  const rounded = quotient + (isUp ? 1n : 0n);
  return negative ? -rounded : rounded;
}
