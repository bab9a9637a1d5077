import { CommandError } from "../errors";
import { isArray, isBinary, isNumber } from "../values/bson";
import { toInteger, toSafeInteger } from "../values/numbers";

type BitsOperator = "$bitsAllSet" | "$bitsAnySet" | "$bitsAllClear" | "$bitsAnyClear";

/** Tests bits of integers; values that are no integers never match. */
export function bitsTest(operator: BitsOperator, operand: unknown): (value: unknown) => boolean {
  const mask = maskOf(operator, operand);
  return (value) => {
    const bits = bitsOf(value);
    if (bits === undefined) return false;
    if (operator === "$bitsAllSet") return (bits & mask) === mask;
    if (operator === "$bitsAnySet") return (bits & mask) !== 0n;
    return operator === "$bitsAllClear" ? (bits & mask) === 0n : (bits & mask) !== mask;
  };
}

function maskOf(operator: string, operand: unknown): bigint {
  if (isArray(operand)) {
    return operand.reduce<bigint>(
      (mask, position: unknown) => mask | (1n << BigInt(positionOf(operator, position))),
      0n,
    );
  }
  const mask = bitsOf(operand);
  if (mask === undefined || mask < 0n)
    throw new CommandError("BadValue", `${operator} takes a mask or an array of positions`);
  return mask;
}

function positionOf(operator: string, position: unknown): number {
  const number = toSafeInteger(position);
  if (number === undefined || number < 0) throw new CommandError("BadValue", `${operator} bit positions must be >= 0`);
  return number;
}

function bitsOf(value: unknown): bigint | undefined {
  if (isBinary(value)) {
    return value.value().reduce<bigint>((bits, byte, at) => bits | (BigInt(byte) << BigInt(8 * at)), 0n);
  }
  return isNumber(value) && toSafeInteger(value) !== undefined ? toInteger(value) : longBits(value);
}

/** Longs past 2^53 are integers too, though no safe JavaScript ones. */
const longBits = (value: unknown): bigint | undefined =>
  isNumber(value) && value._bsontype === "Long" ? toInteger(value) : undefined;
