import { divideHalfEven } from "../../shared/kernel/money";

/** What the tenant pays for an event: a share of the amount, and a fixed part in minor units of the payment's currency. */
export interface FeeRate {
  bps: number;
  fixedMinor: bigint;
}

/** The fees of one payment, fixed when it is accepted. */
export interface FeePlan {
  PRE_AUTH: FeeRate;
  CAPTURE: FeeRate;
  REFUND: FeeRate;
}

/** What was agreed with the tenant, fixed when a payment is accepted. */
export interface Terms {
  fees: FeePlan;
  /** Reversals up to this amount need no approval; undefined: every reversal needs approval. Minor units of the payment's currency. */
  reversalLimitMinor: bigint | undefined;
}

/** Fees by method, as configured; `*` applies to all other methods. `fixed` is in minor units. */
export type FeeTable = Readonly<Record<string, FeeRow | undefined>>;
type FeeRow = Readonly<Partial<Record<keyof FeePlan, { bps: number; fixed: number }>>>;

const free: FeeRate = { bps: 0, fixedMinor: 0n };

/** Returns the plan of a method: its own row, else the row for all methods, else no fee. */
export function feePlanOf(table: FeeTable, method: string): FeePlan {
  const row = table[method] ?? table["*"] ?? {};
  const rate = (name: keyof FeePlan): FeeRate => {
    const found = row[name];
    return found === undefined ? free : { bps: found.bps, fixedMinor: BigInt(found.fixed) };
  };
  return { PRE_AUTH: rate("PRE_AUTH"), CAPTURE: rate("CAPTURE"), REFUND: rate("REFUND") };
}

/** Returns the fee for an amount, rounded once, half to even. An amount of zero has no fee. */
export function feeMinor({ bps, fixedMinor }: FeeRate, amountMinor: bigint): bigint {
  return amountMinor === 0n ? 0n : divideHalfEven(amountMinor * BigInt(bps), 10_000n) + fixedMinor;
}
