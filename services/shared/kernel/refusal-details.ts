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
export type RefusedState = (typeof refusedStates)[number];

/** What a refusal can name as possible instead: commands of a payment, states of an agent. */
export const allowedInstead = [
  "capture",
  "void",
  "refund",
  "cancel",
  "ACTIVE",
  "REJECTED",
  "SUSPENDED",
  "CLOSED",
] as const;
export type AllowedInstead = (typeof allowedInstead)[number];

/** Methods of a path that a refusal can name. */
export const allowedMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

export const limitWindows = ["DAY", "MONTH"] as const;

/** Accounts that the details name. A wallet is named by the request already. */
export const lowAccounts = ["tenant", "provider"] as const;

/** A Money: money.ts refuses amounts, so that this file cannot import it. */
interface Amount {
  readonly minor: bigint;
  readonly currency: string;
}

interface ObjectState {
  status: RefusedState;
}

interface StateConflict extends ObjectState {
  allowed: readonly AllowedInstead[];
  /** How many refunds a payment may have, when it has them. */
  mostRefunds?: number | undefined;
}

/** Fields that differ from the first request. */
interface ContentConflict {
  fields: readonly string[];
}

/** The account whose funds are too low. What the provider holds is not disclosed. */
type FundsShortfall = { account: "provider" } | { account: "wallet" | "tenant"; available: Amount; required: Amount };

interface ExceededLimit {
  window: (typeof limitWindows)[number];
  /** What may be sent in the window. */
  limit: Amount;
  used: Amount;
  left: Amount;
}

interface ExhaustedQuota {
  limitPerSecond?: number | undefined;
  limitPerHour?: number | undefined;
  limitInFlight?: number | undefined;
  retryAfterSeconds: number;
}

interface MissingScope {
  scope: Scope | KeyScope;
}

interface MissingRole {
  roles: readonly (OperatorRole | TenantRole)[];
}

interface LoginTooOld {
  maxAgeSeconds: number;
}

interface AllowedMethods {
  methods: readonly string[];
}

type Facts =
  | ObjectState
  | StateConflict
  | ContentConflict
  | FundsShortfall
  | ExceededLimit
  | ExhaustedQuota
  | MissingScope
  | MissingRole
  | LoginTooOld
  | AllowedMethods;

type Members<T> = T extends T ? keyof T : never;
type Without<Name extends PropertyKey> = { [Member in Name]?: undefined };
/** Each variant without the members of all others, so that a member that is there says which variant it is. */
type Alone<T> = T extends T ? T & Without<Exclude<Members<Facts>, keyof T>> : never;

/** Facts of a refusal that its caller may act on: those of one variant, or none. */
export type RefusalDetails = Alone<Facts> | Without<Members<Facts>>;
