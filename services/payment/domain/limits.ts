import { utcDate } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { type Money, money } from "../../shared/kernel/money";

const windows = ["DAY", "MONTH"] as const;
export type Window = (typeof windows)[number];

/**
 * The most that each agent of a tenant may send in a window, in minor units of one currency. All payments are valued in that currency, so
 * that the limits cover payments in every currency. A window that is left out has no limit.
 */
export interface AgentLimits extends Readonly<Partial<Record<Window, number>>> {
  readonly currency: string;
}

/** The limit of one agent in the window that a given time falls into. */
export interface WindowLimit {
  /** Identifies the agent, the currency and the window. */
  id: string;
  currency: string;
  window: Window;
  limitMinor: bigint;
  resetsAt: Date;
}

/** The part of a limit that a payment uses. */
export interface Share extends WindowLimit {
  minor: bigint;
}

interface AgentAt {
  tenant: string;
  agentId: string;
  at: Date;
}

/** Returns the limits of an agent, each in the window that `at` falls into. Windows are calendar days and months in UTC. */
export const windowLimits = (limits: AgentLimits, agent: AgentAt): WindowLimit[] =>
  windows.flatMap((window) => {
    const limit = limits[window];
    return limit === undefined ? [] : [windowLimit(agent, limits.currency, window, BigInt(limit))];
  });

/** Returns what a payment uses of the limits. `value` is the worth of its amount in their currency. */
export const sharesOf = (limits: AgentLimits, payment: AgentAt & { value: Money }): Share[] =>
  windowLimits(limits, payment).map((limit) => ({ ...limit, minor: payment.value.minor }));

/** Throws LIMIT_EXCEEDED unless each share fits into the unused part of its limit. */
export function requireRoom(shares: readonly Share[], used: readonly bigint[]): void {
  for (const [index, share] of shares.entries()) {
    const usedMinor = used[index] ?? 0n;
    if (usedMinor + share.minor > share.limitMinor) throw limitExceeded(share, usedMinor);
  }
}

function windowLimit(
  { tenant, agentId, at }: AgentAt,
  currency: string,
  window: Window,
  limitMinor: bigint,
): WindowLimit {
  const day = at.toISOString().slice(0, 10);
  const name = window === "DAY" ? day : day.slice(0, 7);
  const id = `${tenant}/${agentId}/${currency}/${name}`;
  return { id, currency, window, limitMinor, resetsAt: endOf(window, at) };
}

function endOf(window: Window, at: Date): Date {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  return window === "DAY" ? utcDate(year, month, day + 1) : utcDate(year, month + 1, 1);
}

/** Returns the refusal of a payment that exceeds a limit. */
export function limitExceeded({ currency, window, limitMinor }: WindowLimit, usedMinor: bigint): DomainError {
  const total = (minor: bigint): Money => money(minor, currency);
  const left = limitMinor > usedMinor ? limitMinor - usedMinor : 0n;
  return new DomainError(
    "LIMIT_EXCEEDED",
    `the agent's limit of the ${window.toLowerCase()} does not cover the amount`,
    {
      details: { window, limit: total(limitMinor), used: total(usedMinor), left: total(left) },
    },
  );
}
