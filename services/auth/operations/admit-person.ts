import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import {
  allRoles,
  claimedTenant,
  type Home,
  homeOf,
  isOpenInvitation,
  makeUser,
  nowhere,
  readClaimedRoles,
  tenantOf,
  type User,
} from "../domain/user";
import type { PersonClaims } from "../ports";
import type { TenantStore } from "../store/tenant-store";
import type { UserStore } from "../store/user-store";

export interface AdmitPersonDeps {
  users: Pick<UserStore, "findBySubject" | "list" | "add" | "save">;
  tenants: Pick<TenantStore, "find">;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

/** A user, and the roles that the provider gives it. */
export interface Admitted {
  user: User;
  claimedRoles: readonly string[];
}

/** Finds the user for a person at `home`, or, if `undefined`, at the only tenant that the person has. */
export type AdmitPerson = (claims: PersonClaims, home: Home | undefined) => Promise<Admitted>;

/** Most people of one home. */
export const mostUsers = 500;

/**
 * Finds the person by subject, otherwise by an invitation of the verified address, otherwise by a role from the provider. Throws
 * SECOND_FACTOR_MISSING, UNAUTHENTICATED for a person who is disabled or belongs to another tenant, and ROLE_MISSING.
 */
export function makeAdmitPerson(deps: AdmitPersonDeps): AdmitPerson {
  const { users, tenants } = deps;
  return async (claims, wanted) => {
    if (!claims.hasSecondFactor) {
      throw new DomainError("SECOND_FACTOR_MISSING", "the identity provider names no second factor");
    }
    const claimed = readClaimedRoles(claims.groups);
    const kind = wanted === "operators" ? "operators" : "tenants";
    const known = await users.findBySubject(kind, claims.subject);
    const home = wanted ?? known?.home ?? homeClaimed(claimed);
    const claimedRoles = rolesOf(claimed, home);
    if (known !== undefined && known.home !== home) throw stranger();
    const tenant = tenantOf(home);
    if (tenant !== undefined && (await tenants.find(tenant)) === undefined) throw noRole();
    const user = known ?? (await invited(claims, home, deps)) ?? (await comer(claims, { home, claimedRoles }, deps));
    if (user === undefined) throw noRole();
    if (user.isDisabled) throw new DomainError("UNAUTHENTICATED", "the user is disabled");
    if (allRoles(user, claimedRoles).length === 0) throw noRole();
    return { user, claimedRoles };
  };
}

function homeClaimed(claimed: ReturnType<typeof readClaimedRoles>): Home {
  const tenant = claimedTenant(claimed);
  return tenant === "" ? nowhere : homeOf(tenant);
}

const noRole = (): DomainError => new DomainError("ROLE_MISSING", "the person has no role here");
const stranger = (): DomainError => new DomainError("UNAUTHENTICATED", "the person belongs to another tenant");

/** Roles that the provider names for a home. Throws UNAUTHENTICATED when it names another tenant. */
function rolesOf(claimed: ReturnType<typeof readClaimedRoles>, home: Home): readonly string[] {
  if (home === "operators") return claimed.operators;
  const tenant = claimedTenant(claimed);
  if (tenant !== "" && homeOf(tenant) !== home) throw stranger();
  return claimed.tenants.get(tenant) ?? [];
}

/** The person who logs in with the invited address becomes that user, and no other person ever does. */
async function invited(
  { email, subject }: PersonClaims,
  home: Home,
  { users, clock }: AdmitPersonDeps,
): Promise<User | undefined> {
  if (email === undefined) return undefined;
  const all = await users.list(home, mostUsers);
  const invitation = all.find((user) => user.email === email && isOpenInvitation(user, clock.now()));
  if (invitation === undefined) return undefined;
  const user = { ...invitation, subject, version: invitation.version + 1 };
  return (await users.save(user)) ? user : settled(home, subject, users);
}

/** Admits a person who has a role only from the provider. */
async function comer(
  { subject }: PersonClaims,
  { home, claimedRoles }: { home: Home; claimedRoles: readonly string[] },
  { users, clock, ids }: AdmitPersonDeps,
): Promise<User | undefined> {
  if (claimedRoles.length === 0) return undefined;
  const user = makeUser({ id: ids.uuid(), home, email: undefined, subject, roles: [], now: clock.now() });
  return (await users.add(user)) ? user : settled(home, subject, users);
}

/** The user that a concurrent call of the same person has created. */
async function settled(home: Home, subject: string, users: AdmitPersonDeps["users"]): Promise<User | undefined> {
  const user = await users.findBySubject(home === "operators" ? "operators" : "tenants", subject);
  return user?.home === home ? user : undefined;
}
