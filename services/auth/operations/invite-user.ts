import type { Clock } from "../../shared/kernel/clock";
import { DomainError, invalid } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { type Home, isOpenInvitation, makeUser, parseEmail, parseRoles, tenantOf, type User } from "../domain/user";
import type { TenantStore } from "../store/tenant-store";
import type { UserStore } from "../store/user-store";
import { mostUsers } from "./admit-person";

export interface InviteUserDeps {
  users: Pick<UserStore, "list" | "add">;
  tenants: Pick<TenantStore, "find">;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

export interface Invitation {
  home: Home;
  email: string;
  roles: readonly string[];
}

export type InviteUser = (invitation: Invitation) => Promise<User>;

/** Gives roles to the person who logs in with an address. Throws RECORD_NOT_FOUND, RECORD_CONFLICT and INVALID_ARGUMENT. */
export const makeInviteUser =
  ({ users, tenants, clock, ids }: InviteUserDeps): InviteUser =>
  async ({ home, ...given }) => {
    const tenant = tenantOf(home);
    if (tenant !== undefined && (await tenants.find(tenant)) === undefined) {
      throw new DomainError("RECORD_NOT_FOUND", "there is no such tenant");
    }
    const email = parseEmail(given.email);
    const roles = parseRoles(home, given.roles);
    if (roles.length === 0) throw invalid([{ field: "roles", message: "must be at least one" }]);
    const now = clock.now();
    const present = await users.list(home, mostUsers);
    if (present.length >= mostUsers) throw new DomainError("RECORD_CONFLICT", `there are ${mostUsers} users already`);
    const isKnown = ({ email: taken, ...user }: User): boolean =>
      taken === email && (user.subject !== undefined || isOpenInvitation({ ...user, email: taken }, now));
    if (present.some(isKnown)) throw new DomainError("RECORD_CONFLICT", "there is a user with this address");
    const user = makeUser({ id: ids.uuid(), home, email, subject: undefined, roles, now });
    await users.add(user);
    return user;
  };
