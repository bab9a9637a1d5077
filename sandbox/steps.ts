import { minorOf, requireMinor } from "./amounts";
import { type Answer, referenceConflict } from "./answer";
import type { Effect } from "./fault-rule";
import type { Fields } from "./input";
import type { Movement, MovementOrder, Movements } from "./movements";
import { type RefusalCode, refuseWith } from "./refusals";

/** One capture, refund or other movement of money of one order, under its own reference. */
export interface Step extends Movement {
  reference: string;
  /** The requested amount, where the provider did something else. */
  asked?: string;
}

export const referenceRule = /^[A-Za-z0-9._:-]{1,255}$/;

/** Reads the body of a step. */
export function parseStep({ field }: Fields, hasAmount: boolean): { reference: string; amount: string } {
  const reference = field("reference", referenceRule, "must be 1 to 255 of A-Z a-z 0-9 . _ : -");
  const rule = /^(?=.*[1-9])\d{1,16}(\.\d{1,4})?$/;
  return { reference, amount: hasAmount ? field("amount", rule, "must be positive decimal text") : "" };
}

/** The answer to a step that was made before; undefined for a new step. */
export function repeated(
  steps: readonly Step[],
  reference: string,
  amount: string,
  status: string,
): Answer | undefined {
  const found = steps.find((step) => step.reference === reference);
  if (found === undefined) return undefined;
  return (found.asked ?? found.amount) === amount
    ? { status: 200, body: stepAnswer(found, status) }
    : referenceConflict;
}

/** A step as its caller sees it. */
export const stepAnswer = ({ asked: _asked, ...step }: Step, status: string): object => ({ ...step, status });

export const shownSteps = (steps: readonly Step[]): object[] => steps.map(({ asked: _asked, ...step }) => step);

/** The sum of steps in minor units. */
export const totalOf = (steps: readonly Step[], currency: string): bigint =>
  steps.reduce((sum, step) => sum + (step.currency === currency ? requireMinor(step.amount, currency) : 0n), 0n);

/** Refuses a step whose amount the currency cannot express, or that would take the sum above the limit. */
export function refuseStep(
  steps: readonly Step[],
  amount: string,
  { currency, limit }: { currency: string; limit: bigint },
): Answer | undefined {
  const minor = minorOf(amount, currency);
  if (minor === undefined) return refuseWith("amount_not_of_the_currency");
  return totalOf(steps, currency) + minor > limit ? refuseWith("amount_too_high") : undefined;
}

export const notNow = (error: RefusalCode, status: string): Answer => refuseWith(error, { status });

/**
 * Books the movements of a step: the requested one, or what a rule makes of it. The first is the requested step; the others
 * are movements of their own under the same reference.
 */
export function bookSteps(
  movements: Movements,
  { order, step, effect }: { order: MovementOrder; step: string; effect: Effect | undefined },
): Step[] {
  const executed = { ...order, amount: effect?.amount ?? order.amount, currency: effect?.currency ?? order.currency };
  const isOther = executed.amount !== order.amount;
  return Array.from({ length: effect?.copies ?? 1 }, () => ({
    reference: step,
    ...movements.book(executed),
    ...(isOther ? { asked: order.amount } : {}),
  }));
}
