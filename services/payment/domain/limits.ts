import { utcDate } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { formatMoney, type Money, money } from "../../shared/kernel/money";

const windows = ["DAY", "MONTH"] as const;
export type Window = (typeof windows)[number];

/**
 * What each agent of a tenant may send in a window, in minor units of one currency in which all its payments are valued: so
 * no currency is without a limit. A window that is left out has none.
 */
export interface AgentLimits extends Readonly<Partial<Record<Window, number>>> {
  readonly currency: string;
}

/** A limit of one agent in the window that holds at some time. */
export interface WindowLimit {
  /** Of the agent, the currency and the window. */
  id: string;
  currency: string;
  window: Window;
  limitMinor: bigint;
  resetsAt: Date;
}

/** A part of a limit that a payment takes. */
export interface Share extends WindowLimit {
  minor: bigint;
}

interface AgentAt {
  tenant: string;
  agentId: string;
  at: Date;
}

/** The limits of an agent, each in the window that `at` falls into. Windows are days and months of the calendar in UTC. */
export const windowLimits = (limits: AgentLimits, agent: AgentAt): WindowLimit[] =>
  windows.flatMap((window) => {
    const limit = limits[window];
    return limit === undefined ? [] : [windowLimit(agent, limits.currency, window, BigInt(limit))];
  });

/** What a payment takes of the limits. `value` is what its amount is worth in their currency. */
export const sharesOf = (limits: AgentLimits, payment: AgentAt & { value: Money }): Share[] =>
  windowLimits(limits, payment).map((limit) => ({ ...limit, minor: payment.value.minor }));

/** Throws LIMIT_EXCEEDED unless each share fits into what is left of its limit. */
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

/** The refusal of a payment that a limit does not cover. */
export function limitExceeded({ currency, window, limitMinor }: WindowLimit, usedMinor: bigint): DomainError {
  const text = (minor: bigint): string => formatMoney(money(minor, currency));
  const left = limitMinor > usedMinor ? limitMinor - usedMinor : 0n;
  return new DomainError(
    "LIMIT_EXCEEDED",
    `the agent's limit of the ${window.toLowerCase()} does not cover the amount`,
    {
      details: { currency, window, limit: text(limitMinor), used: text(usedMinor), left: text(left) },
    },
  );
}
