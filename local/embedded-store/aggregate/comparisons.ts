import { Int32 } from "bson";
import { compare } from "../values/order";
import type { Operator } from "./scope";

const comparison = (accept: (order: number) => unknown): Operator => ({
  least: 2,
  most: 2,
  apply: ([left, right]) => accept(compare(left, right)),
});

/** Expressions compare across types, unlike queries. */
export const comparisonOperators: Record<string, Operator> = {
  $cmp: comparison((order) => new Int32(order)),
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
};
