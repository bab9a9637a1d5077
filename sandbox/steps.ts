import { minorOf, requireMinor } from "./amounts";
import { type Answer, referenceConflict } from "./answer";
import type { Fields } from "./input";

/** One capture or refund of money that was taken, under its own reference. */
export interface Step {
  reference: string;
  amount: string;
  at: string;
}

export const referenceRule = /^[A-Za-z0-9._:-]{1,255}$/;

/** Reads the body of a step. */
export function parseStep({ field }: Fields, hasAmount: boolean): { reference: string; amount: string } {
  const reference = field("reference", referenceRule, "must be 1 to 255 of A-Z a-z 0-9 . _ : -");
  const rule = /^(?=.*[1-9])\d{1,16}(\.\d{1,4})?$/;
  return { reference, amount: hasAmount ? field("amount", rule, "must be positive decimal text") : "" };
}

/** The answer to a step that was made before; undefined for a new one. */
export function repeated(
  steps: readonly Step[],
  reference: string,
  amount: string,
  status: string,
): Answer | undefined {
  const found = steps.find((step) => step.reference === reference);
  if (found === undefined) return undefined;
  return found.amount === amount ? { status: 200, body: { ...found, status } } : referenceConflict;
}

/** The sum of steps in minor units. */
export const totalOf = (steps: readonly Step[], currency: string): bigint =>
  steps.reduce((sum, { amount }) => sum + requireMinor(amount, currency), 0n);

/** Refuses one more step that is no amount of the currency, or that would take the sum above the limit. */
export function refuseStep(
  steps: readonly Step[],
  amount: string,
  { currency, limit }: { currency: string; limit: bigint },
): Answer | undefined {
  const minor = minorOf(amount, currency);
  if (minor === undefined) return { status: 422, body: { error: "amount_not_of_the_currency" } };
  return totalOf(steps, currency) + minor > limit ? { status: 422, body: { error: "amount_too_high" } } : undefined;
}

export const notNow = (error: string, status: string): Answer => ({ status: 409, body: { error, status } });
