import { beginningOfTime, plusMs } from "../../shared/kernel/clock";
import { DomainError, invalid } from "../../shared/kernel/errors";
import { operatorRoles, tenantRoles } from "../../shared/kernel/roles";

/** Where people work: at the platform itself or in a tenant. */
export type Home = "operators" | `tenants/${string}`;

/** Somebody who was invited, or came by the word of the identity provider. */
export interface User {
  id: string;
  home: Home;
  /** Address that was invited. */
  email: string | undefined;
  /** Who it is at the provider, once it has come. */
  subject: string | undefined;
  /** Bound by an admin, beside those that the provider says. */
  roles: readonly string[];
  isDisabled: boolean;
  createdAt: Date;
  /** Tokens that the provider gave before count no more. */
  tokensSince: Date;
  /** 1 at first, one more with every change. */
  version: number;
}

export const homeOf = (tenant: string): Home => `tenants/${tenant}`;

/** The home of nobody: no tenant has this slug. */
export const nowhere: Home = homeOf("-");

/** The home that a caller means. Nobody gets that of operators by leaving something out: throws INVALID_ARGUMENT. */
export function requireHome({ tenant, isOperator }: { tenant?: string | undefined; isOperator: boolean }): Home {
  if (tenant === undefined && isOperator) return "operators";
  if (tenant !== undefined && tenant !== "" && !isOperator) return homeOf(tenant);
  throw invalid([{ field: "tenant", message: "must be given, or is_operator instead of it" }]);
}

/** Slug of the tenant; undefined for the platform itself. */
export const tenantOf = (home: Home): string | undefined =>
  home === "operators" ? undefined : home.slice("tenants/".length);

/** The roles that there are at a home. */
const rolesAt = (home: Home): readonly string[] => (home === "operators" ? operatorRoles : tenantRoles);

const invitedForMs = 7 * 24 * 60 * 60 * 1_000;
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;

/** An address as it is compared. Throws INVALID_ARGUMENT unless it can be one. */
export function parseEmail(email: string): string {
  if (email.length <= 254 && emailPattern.test(email)) return email.toLowerCase();
  throw invalid([{ field: "email", message: "must be an e-mail address" }]);
}

/** Roles in the listed order, each once. Throws INVALID_ARGUMENT for unknown ones. */
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
  version: 1,
});

/** True while whoever logs in with the invited address becomes this user. */
export const isOpenInvitation = ({ subject, isDisabled, createdAt }: User, now: Date): boolean =>
  subject === undefined && !isDisabled && now < plusMs(createdAt, invitedForMs);

/** The same user with what changes. Throws RECORD_CONFLICT for who changes himself. */
export function changeUser(
  user: User,
  { roles, isDisabled, by }: { roles?: readonly string[]; isDisabled?: boolean; by: string | undefined },
): User {
  if (by === user.id) throw new DomainError("RECORD_CONFLICT", "a person cannot change their own roles");
  return {
    ...user,
    roles: roles === undefined ? user.roles : parseRoles(user.home, roles),
    isDisabled: isDisabled ?? user.isDisabled,
    version: user.version + 1,
  };
}

/** What the provider's word makes of somebody: `corridor:operators:<role>` and `corridor:<tenant>:<role>`. Unknown roles are none. */
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

/** The one tenant that the provider names; empty for none. Throws UNAUTHENTICATED for several: a person is bound to one. */
export function claimedTenant({ tenants }: ClaimedRoles): string {
  const [first = "", ...others] = tenants.keys();
  if (others.length === 0) return first;
  throw new DomainError("UNAUTHENTICATED", "the identity provider names several tenants for one person");
}

/** What a user may do: the provider's word and what an admin bound. */
export const allRoles = (user: User, claimed: readonly string[]): readonly string[] =>
  rolesAt(user.home).filter((role) => user.roles.includes(role) || claimed.includes(role));
