import { type Doc, isNumber } from "../values/bson";
import { toNumber } from "../values/numbers";

/** The input of an expression: the document, and the variables in scope. */
export interface Scope {
  root: Doc;
  variables: Readonly<Doc>;
}

/** A compiled expression. `undefined` is a missing value. */
export type Expression = (scope: Scope) => unknown;

/** Variables that an expression may name; unknown ones are refused when compiling. */
export type Known = ReadonlySet<string>;

export type Compile = (spec: unknown, known: Known) => Expression;

/** An operator on evaluated arguments, with the number that it accepts. */
export interface Operator {
  least: number;
  most: number;
  apply(args: unknown[]): unknown;
}

export type Operators = Record<string, Operator>;

export const exactly = (count: number, apply: Operator["apply"]): Operator => ({ least: count, most: count, apply });
export const anyNumber = (apply: Operator["apply"]): Operator => ({ least: 0, most: Number.POSITIVE_INFINITY, apply });

export const isNothing = (value: unknown): value is undefined | null => value === undefined || value === null;

/** Makes an operator on one argument that returns null for null or a missing value. */
export const unary = (apply: (value: unknown) => unknown): Operator =>
  exactly(1, ([value]) => (isNothing(value) ? null : apply(value)));

export function isTruthy(value: unknown): boolean {
  return isNumber(value) ? toNumber(value) !== 0 : !isNothing(value) && value !== false;
}
