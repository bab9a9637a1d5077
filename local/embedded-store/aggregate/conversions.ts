import { Decimal128, Double, Int32, Long, ObjectId } from "bson";
import { CommandError } from "../errors";
import { type BsonNumber, isDate, isNumber, isObjectId, typeOf } from "../values/bson";
import { asDecimal, exactParts, toNumber } from "../values/numbers";
import { exactly, type Operators, unary } from "./scope";

function failure(target: string, value: unknown): CommandError {
  return new CommandError("ConversionFailure", `Failed to convert ${typeOf(value)} to ${target} with no onError value`);
}

function numberOf(target: string, value: unknown): BsonNumber {
  if (isNumber(value)) return value;
  if (typeof value === "boolean") return new Int32(Number(value));
  if (isDate(value)) return Long.fromNumber(value.getTime());
  if (typeof value === "string" && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value))
    return Decimal128.fromString(value);
  throw failure(target, value);
}

function integerOf(target: string, value: unknown, bits: number): bigint {
  if (typeof value === "string" && !/^[+-]?\d+$/.test(value)) throw failure(target, value);
  const parts = exactParts(numberOf(target, value));
  if (typeof parts === "string") throw failure(target, value);
  const { mantissa, exponent } = parts;
  const integer = exponent >= 0 ? mantissa * 10n ** BigInt(exponent) : mantissa / 10n ** BigInt(-exponent);
  if (BigInt.asIntN(bits, integer) !== integer) throw failure(target, value);
  return integer;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (isDate(value)) return value.toISOString();
  if (isObjectId(value)) return value.toHexString();
  if (isNumber(value) || typeof value === "boolean") return value.toString();
  throw failure("string", value);
}

function dateOf(value: unknown): Date {
  if (isDate(value)) return value;
  if (isObjectId(value)) return value.getTimestamp();
  const date = isNumber(value) ? new Date(toNumber(value)) : new Date(typeof value === "string" ? value : Number.NaN);
  if (Number.isNaN(date.getTime())) throw failure("date", value);
  return date;
}

function objectIdOf(value: unknown): ObjectId {
  if (isObjectId(value)) return value;
  if (typeof value === "string" && ObjectId.isValid(value)) return ObjectId.createFromHexString(value);
  throw failure("objectId", value);
}

export const conversionOperators: Operators = {
  $type: exactly(1, ([value]) => typeOf(value)),
  $toString: unary(textOf),
  $toInt: unary((value) => new Int32(Number(integerOf("int", value, 32)))),
  $toLong: unary((value) => Long.fromBigInt(integerOf("long", value, 64))),
  $toDouble: unary((value) => new Double(toNumber(numberOf("double", value)))),
  $toDecimal: unary((value) => asDecimal(numberOf("decimal", value))),
  $toBool: unary((value) => (isNumber(value) ? toNumber(value) !== 0 : value !== false)),
  $toDate: unary(dateOf),
  $toObjectId: unary(objectIdOf),
};
