import type { ExactNumber } from "./exact-number";
import type { OperatorRole, TenantRole } from "./roles";
import type { KeyScope, Scope } from "./scopes";

/** States that a refusal can name: of payments, cases, wallets, wallet transactions, transfers and agents. */
export const refusedStates = [
  "PENDING",
  "AUTHORIZED",
  "CAPTURED",
  "REFUNDED",
  "VOIDED",
  "DECLINED",
  "ERROR",
  "OPEN",
  "CLOSED",
  "FROZEN",
  "HELD",
  "COMPLETED",
  "EXPIRED",
  "CANCELLED",
  "PENDING_APPROVAL",
  "ACTIVE",
  "REJECTED",
  "SUSPENDED",
] as const;

/** What a refusal can name as possible instead: commands of a payment, states of an agent, methods of a path. */
export const allowedInstead = [
  "capture",
  "void",
  "refund",
  "cancel",
  "ACTIVE",
  "REJECTED",
  "SUSPENDED",
  "CLOSED",
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
] as const;

export const limitWindows = ["DAY", "MONTH"] as const;

export const lowAccounts = ["tenant", "provider"] as const;

/** Facts of a refusal that its caller may act on. Amounts are exact numbers in `currency`, as in every other body. */
export interface RefusalDetails {
  status?: (typeof refusedStates)[number];
  allowed?: readonly (typeof allowedInstead)[number][];
  /** Fields that differ from the first request. */
  fields?: readonly string[];
  /** Whose funds are too low. */
  account?: (typeof lowAccounts)[number];
  available?: ExactNumber;
  required?: ExactNumber;
  currency?: string;
  window?: (typeof limitWindows)[number];
  /** What may be sent in the window, or the most refunds of a payment. */
  limit?: ExactNumber | number;
  used?: ExactNumber;
  left?: ExactNumber;
  scope?: Scope | KeyScope;
  roles?: readonly (OperatorRole | TenantRole)[];
  maxAgeSeconds?: number;
  retryAfterSeconds?: number;
  limitPerSecond?: number;
  limitPerHour?: number;
  limitInFlight?: number;
}
