import { beginningOfTime, plusMs } from "../../shared/kernel/clock";
import { DomainError, invalid } from "../../shared/kernel/errors";
import { operatorRoles, tenantRoles } from "../../shared/kernel/roles";

/** Where a user belongs: to the platform itself or to a tenant. */
export type Home = "operators" | `tenants/${string}`;

/** A person who was invited, or was admitted by a role from the identity provider. */
export interface User {
  id: string;
  home: Home;
  /** Address that was invited. */
  email: string | undefined;
  /** The person at the provider, once they have logged in. */
  subject: string | undefined;
  /** Roles that an admin has bound, beside those from the provider. */
  roles: readonly string[];
  isDisabled: boolean;
  createdAt: Date;
  /** Provider tokens issued before this time are no longer valid. */
  tokensSince: Date;
  /** Last time that the user was disabled, lost a bound role, or had all sessions ended. */
  reducedAt: Date;
  /** 1 at first, increased with every change. */
  version: number;
}

export const homeOf = (tenant: string): Home => `tenants/${tenant}`;

/** The home of no user: no tenant has this slug. */
export const nowhere: Home = homeOf("-");

/** Returns the home that a caller names. Leaving something out never gives the home of operators: throws INVALID_ARGUMENT. */
export function requireHome({ tenant, isOperator }: { tenant?: string | undefined; isOperator: boolean }): Home {
  if (tenant === undefined && isOperator) return "operators";
  if (tenant !== undefined && tenant !== "" && !isOperator) return homeOf(tenant);
  throw invalid([{ field: "tenant", message: "must be given, or is_operator instead of it" }]);
}

/** Slug of the tenant; undefined for the platform itself. */
export const tenantOf = (home: Home): string | undefined =>
  home === "operators" ? undefined : home.slice("tenants/".length);

/** Returns the roles that exist at a home. */
const rolesAt = (home: Home): readonly string[] => (home === "operators" ? operatorRoles : tenantRoles);

const invitedForMs = 7 * 24 * 60 * 60 * 1_000;
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;

/** Returns an address in the form for comparison. Throws INVALID_ARGUMENT unless it can be one. */
export function parseEmail(email: string): string {
  if (email.length <= 254 && emailPattern.test(email)) return email.toLowerCase();
  throw invalid([{ field: "email", message: "must be an e-mail address" }]);
}

/** Returns roles in the listed order, each once. Throws INVALID_ARGUMENT for unknown ones. */
export function parseRoles(home: Home, roles: readonly string[]): readonly string[] {
  const known = rolesAt(home);
  if (roles.every((role) => known.includes(role))) return known.filter((role) => roles.includes(role));
  throw invalid([{ field: "roles", message: `must be some of ${known.join(", ")}` }]);
}

export interface NewUser extends Pick<User, "id" | "home" | "email" | "subject"> {
  roles: readonly string[];
  now: Date;
}

export const makeUser = ({ now, ...facts }: NewUser): User => ({
  ...facts,
  isDisabled: false,
  createdAt: now,
  tokensSince: beginningOfTime,
  reducedAt: beginningOfTime,
  version: 1,
});

/** True while the first person to log in with the invited address becomes this user. */
export const isOpenInvitation = ({ subject, isDisabled, createdAt }: User, now: Date): boolean =>
  subject === undefined && !isDisabled && now < plusMs(createdAt, invitedForMs);

/** Returns the same user with the changes. Throws RECORD_CONFLICT for a user who changes themselves. */
export function changeUser(
  user: User,
  { by, at, ...wanted }: { roles?: readonly string[]; isDisabled?: boolean; by: string | undefined; at: Date },
): User {
  if (by === user.id) throw new DomainError("RECORD_CONFLICT", "a person cannot change their own roles");
  const roles = wanted.roles === undefined ? user.roles : parseRoles(user.home, wanted.roles);
  const isDisabled = wanted.isDisabled ?? user.isDisabled;
  const isReduced = isDisabled || user.roles.some((role) => !roles.includes(role));
  return { ...user, roles, isDisabled, ...(isReduced ? { reducedAt: at } : {}), version: user.version + 1 };
}

/** Roles from the provider's claim: `corridor:operators:<role>` and `corridor:<tenant>:<role>`. Unknown roles are ignored. */
export interface ClaimedRoles {
  operators: readonly string[];
  /** By slug. */
  tenants: ReadonlyMap<string, readonly string[]>;
}

export function readClaimedRoles(groups: readonly string[]): ClaimedRoles {
  const words = groups
    .map((group) => group.split(":"))
    .filter(([first, , , ...more]) => first === "corridor" && more.length === 0);
  const rolesOf = (place: string, known: readonly string[]): readonly string[] =>
    known.filter((role) => words.some(([, where, what]) => where === place && what === role));
  const places = new Set(words.map(([, where = ""]) => where));
  const tenants = [...places].map((place) => [place, rolesOf(place, tenantRoles)] as const);
  return {
    operators: rolesOf("operators", operatorRoles),
    tenants: new Map(tenants.filter(([, roles]) => roles.length > 0)),
  };
}

/** Returns the tenant that the provider names; empty for none. Throws UNAUTHENTICATED for several: a person is bound to one. */
export function claimedTenant({ tenants }: ClaimedRoles): string {
  const [first = "", ...others] = tenants.keys();
  if (others.length === 0) return first;
  throw new DomainError("UNAUTHENTICATED", "the identity provider names several tenants for one person");
}

/** Returns a user's roles: those from the provider and those that an admin has bound. */
export const allRoles = (user: User, claimed: readonly string[]): readonly string[] =>
  rolesAt(user.home).filter((role) => user.roles.includes(role) || claimed.includes(role));
