import { Decimal128, Double, Int32, Long, ObjectId } from "bson";
import { CommandError } from "../errors";
import { type BsonNumber, isDate, isDouble, isNumber, isObjectId, typeOf } from "../values/bson";
import { asDecimal, toInteger, toNumber } from "../values/numbers";
import { requireDate } from "./dates";
import type { Operator } from "./scope";

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
  const number = typeof value === "string" ? Long.fromString("0") : numberOf(target, value);
  if (isDouble(number) && !Number.isFinite(number.value)) throw failure(target, value);
  const integer = typeof value === "string" ? BigInt(value) : integerPart(number);
  if (BigInt.asIntN(bits, integer) !== integer) throw failure(target, value);
  return integer;
}

function integerPart(number: BsonNumber): bigint {
  if (number._bsontype !== "Decimal128") return toInteger(number);
  const [whole = "0", exponent = "0"] = number.toString().split("E");
  if (!/^-?[\d.]+$/.test(whole)) throw failure("an integer", number);
  const [digits = "0", fraction = ""] = whole.split(".");
  const shift = Number(exponent) - fraction.length;
  const mantissa = BigInt(`${digits}${fraction}`);
  return shift >= 0 ? mantissa * 10n ** BigInt(shift) : mantissa / 10n ** BigInt(-shift);
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (isDate(value)) return value.toISOString();
  if (isObjectId(value)) return value.toHexString();
  if (isNumber(value) || typeof value === "boolean") return value.toString();
  throw failure("string", value);
}

function dateOf(value: unknown): Date | null {
  if (typeof value === "string") {
    const date = new Date(value);
    if (Number.isNaN(date.getTime())) throw failure("date", value);
    return date;
  }
  return isNumber(value) ? new Date(toNumber(value)) : requireDate("$toDate", value);
}

function objectIdOf(value: unknown): ObjectId {
  if (isObjectId(value)) return value;
  if (typeof value === "string" && ObjectId.isValid(value)) return ObjectId.createFromHexString(value);
  throw failure("objectId", value);
}

const conversion = (apply: (value: unknown) => unknown): Operator => ({
  least: 1,
  most: 1,
  apply: ([value]) => (value === undefined || value === null ? null : apply(value)),
});

export const conversionOperators: Record<string, Operator> = {
  $type: { least: 1, most: 1, apply: ([value]) => typeOf(value) },
  $toString: conversion(textOf),
  $toInt: conversion((value) => new Int32(Number(integerOf("int", value, 32)))),
  $toLong: conversion((value) => Long.fromBigInt(integerOf("long", value, 64))),
  $toDouble: conversion((value) => new Double(toNumber(numberOf("double", value)))),
  $toDecimal: conversion((value) => asDecimal(numberOf("decimal", value))),
  $toBool: conversion((value) => (isNumber(value) ? toNumber(value) !== 0 : value !== false)),
  $toDate: conversion(dateOf),
  $toObjectId: conversion(objectIdOf),
};
