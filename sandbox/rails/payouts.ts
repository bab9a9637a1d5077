import { formatDecimal } from "../../services/shared/kernel/money";
import type { Act } from "../acts";
import { digitsOf, requireMinor } from "../amounts";
import type { Environment } from "../environment";
import type { Effect } from "../fault-rule";
import type { MovementKind } from "../movements";
import type { Decision } from "../scenarios";
import { bookSteps, totalOf } from "../steps";
import type { Funds } from "./funds";
import { type Instruction, reportOf } from "./instruction";

interface PayoutDeps extends Pick<Environment, "clock" | "movements" | "callbacks"> {
  funds: Funds;
}

const accountClosed: Decision = { reasonCode: "AC04", reason: "account closed" };
const accountUnknown: Decision = { reasonCode: "AC03", reason: "account unknown" };
const recalled: Decision = { reasonCode: "FOCR", reason: "returned after a recall" };
const givenUp: Decision = { reasonCode: "CUST", reason: "given up by the rail" };

/** Returns what a release under a rule pays. */
export const paidUnder = ({ amount, currency }: Instruction, effect: Effect): NonNullable<Instruction["pays"]> => ({
  amount: effect.amount ?? amount ?? "0",
  currency: effect.currency ?? currency ?? "",
  copies: effect.copies ?? 1,
});

const orderOf = ({ rail, reference, amount, currency }: Instruction, kind: MovementKind) => ({
  provider: rail,
  reference,
  kind,
  amount: amount ?? "0",
  currency: currency ?? "",
});

/** Pays out once, as ordered unless a rule says otherwise. */
export function pay({ movements, clock, funds }: PayoutDeps, instruction: Instruction): Instruction {
  const order = orderOf(instruction, "PAYOUT");
  const payouts = bookSteps(movements, { order, step: instruction.reference, effect: instruction.pays });
  for (const extra of payouts.slice(1)) funds.take(instruction.rail, extra.currency, extra.amount);
  const paidAt = clock.now().toISOString();
  return { ...instruction, status: "PAID", paidAt, payouts: [...instruction.payouts, ...payouts] };
}

/** The paid amount that has not come back, in the currency paid. */
function outside({ payouts, returns, currency }: Instruction): { amount: string; currency: string } {
  const paid = payouts.at(-1)?.currency ?? currency ?? "";
  const minor = totalOf(payouts, paid) - totalOf(returns, paid);
  return { amount: formatDecimal({ digits: minor < 0n ? 0n : minor, scale: digitsOf(paid) }), currency: paid };
}

/** Returns money: the whole outstanding amount, or part of it. */
export function returnMoney(
  { movements, clock, funds }: PayoutDeps,
  instruction: Instruction,
  amount?: string,
): Instruction {
  const out = outside(instruction);
  const back = { ...out, amount: amount ?? out.amount };
  if (out.currency === "" || requireMinor(back.amount, back.currency) <= 0n) return instruction;
  funds.give(instruction.rail, back.currency, back.amount);
  const movement = movements.book({ ...orderOf(instruction, "PAYOUT_RETURN"), ...back });
  const step = { reference: instruction.reference, ...movement };
  return { ...instruction, returnedAt: clock.now().toISOString(), returns: [...instruction.returns, step] };
}

/** Returns an order's money; an order with nothing outstanding cannot be returned. */
const returned = (
  found: Instruction,
  back: Instruction,
  why: Pick<Instruction, "reasonCode" | "reason">,
): Instruction => (back === found ? found : { ...back, status: "RETURNED", ...why });

/** Spontaneous acts of a rail and of its banks. */
export function instructionActs(
  deps: PayoutDeps,
  find: (reference: string) => Instruction | undefined,
  save: (instruction: Instruction) => void,
): Readonly<Record<string, Act>> {
  const { clock, callbacks, funds } = deps;
  const act =
    (change: (found: Instruction, amount: string | undefined) => Instruction): Act =>
    (reference, { amount, isSilent }) => {
      const found = find(reference);
      if (found === undefined || found.amount === null) return false;
      const next = change(found, amount);
      save(next);
      const isPayout = next.payouts.length > found.payouts.length;
      const isReturn = next.returns.length > found.returns.length;
      const movement = isReturn ? next.returns.at(-1) : isPayout ? next.payouts.at(-1) : undefined;
      if (isSilent !== true) callbacks.report(next.rail, reportOf(next, clock.now().toISOString(), movement));
      return true;
    };
  return {
    PAY: act((found) => {
      if (found.status !== "RELEASED") funds.take(found.rail, found.currency ?? "", found.amount ?? "0");
      return pay(deps, { ...found, releases: Math.max(found.releases, 1), reasonCode: null, reason: null });
    }),
    REJECT: act((found) => {
      if (found.status === "RELEASED") funds.give(found.rail, found.currency ?? "", found.amount ?? "0");
      return { ...returnMoney(deps, found), status: "REJECTED", ...accountUnknown };
    }),
    RETURN: act((found, amount) => returned(found, returnMoney(deps, found, amount), accountClosed)),
    RECALL: act((found, amount) => returned(found, returnMoney(deps, found, amount), recalled)),
    CANCEL: act((found) => {
      if (found.status === "RELEASED") funds.give(found.rail, found.currency ?? "", found.amount ?? "0");
      return { ...returnMoney(deps, found), status: "CANCELLED", ...givenUp };
    }),
  };
}
