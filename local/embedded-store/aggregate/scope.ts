import { type Doc, isNumber } from "../values/bson";
import { toNumber } from "../values/numbers";

/** What an expression sees: the document, and the variables in reach. */
export interface Scope {
  root: Doc;
  variables: Readonly<Doc>;
}

/** A compiled expression. `undefined` is a missing value. */
export type Expression = (scope: Scope) => unknown;

/** Which variables an expression may name; unknown ones are refused when compiling. */
export type Known = ReadonlySet<string>;

export type Compile = (spec: unknown, known: Known) => Expression;

/** An operator on evaluated arguments. */
export interface Operator {
  least: number;
  most: number;
  apply(args: unknown[]): unknown;
}

export function isTruthy(value: unknown): boolean {
  if (isNumber(value)) return toNumber(value) !== 0;
  return value !== undefined && value !== null && value !== false;
}
