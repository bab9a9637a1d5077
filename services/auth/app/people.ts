import type { PeopleServiceService } from "../../../proto/gen/corridor/auth/v1/people_service";
import type { Clock } from "../../shared/kernel/clock";
import type { Ids } from "../../shared/kernel/ids";
import type { Profile } from "../../shared/kernel/profile";
import type { Rpc } from "../../shared/rpc/rpc";
import { makeIdentityProvider } from "../adapters/oidc/identity-provider";
import type { OidcSettings } from "../domain/oidc-settings";
import { askDeviceLoginHandler } from "../handlers/ask-device-login";
import { authenticatePersonHandler } from "../handlers/authenticate-person";
import { beginDeviceLoginHandler } from "../handlers/begin-device-login";
import { beginLoginHandler } from "../handlers/begin-login";
import { changeUserHandler } from "../handlers/change-user";
import { endSessionHandler } from "../handlers/end-session";
import { endUserSessionHandler } from "../handlers/end-user-session";
import { endUserSessionsHandler } from "../handlers/end-user-sessions";
import { finishLoginHandler } from "../handlers/finish-login";
import { inviteUserHandler } from "../handlers/invite-user";
import { listSessionsHandler } from "../handlers/list-sessions";
import { listUsersHandler } from "../handlers/list-users";
import { openLocalSessionHandler } from "../handlers/open-local-session";
import { makeAdmitPerson } from "../operations/admit-person";
import { makeAskDeviceLogin } from "../operations/ask-device-login";
import { makeAuthenticatePerson } from "../operations/authenticate-person";
import { makeBeginDeviceLogin } from "../operations/begin-device-login";
import { makeBeginLogin } from "../operations/begin-login";
import { makeChangeUser } from "../operations/change-user";
import { makeEndSession } from "../operations/end-session";
import { makeEndUserSession } from "../operations/end-user-session";
import { makeEndUserSessions } from "../operations/end-user-sessions";
import { makeFinishLogin } from "../operations/finish-login";
import { makeInviteUser } from "../operations/invite-user";
import { makeOpenLocalSession } from "../operations/open-local-session";
import { makeOpenSession } from "../operations/open-session";
import type { IdentityProviders } from "../ports";
import type { AgentStore } from "../store/agent-store";
import type { DeviceLoginStore } from "../store/device-login-store";
import type { LoginStore } from "../store/login-store";
import type { SessionStore } from "../store/session-store";
import type { TenantStore } from "../store/tenant-store";
import type { UserStore } from "../store/user-store";

export interface PeopleParts {
  profile: Profile;
  oidc: OidcSettings | undefined;
  stores: {
    users: UserStore;
    logins: LoginStore;
    deviceLogins: DeviceLoginStore;
    sessions: SessionStore;
    tenants: TenantStore;
    agents: AgentStore;
  };
  clock: Clock;
  ids: Ids;
  /** Signals to every replica and every gateway before the change is answered, even when its outcome is unknown. */
  toldAtOnce<Args extends unknown[], Result>(
    change: (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result>;
}

/** Everything about people: their logins, sessions and roles. */
export function peopleHandlers({
  profile,
  oidc,
  stores,
  clock,
  ids,
  toldAtOnce,
}: PeopleParts): Rpc<typeof PeopleServiceService> {
  const providers = providersOf(oidc);
  const common = { ...stores, providers, clock, ids };
  const admitPerson = makeAdmitPerson(common);
  const deps = { ...common, profile, admitPerson, openSession: makeOpenSession(common) };
  return {
    beginLogin: beginLoginHandler(makeBeginLogin(deps)),
    finishLogin: finishLoginHandler(makeFinishLogin(deps)),
    beginDeviceLogin: beginDeviceLoginHandler(makeBeginDeviceLogin(deps)),
    askDeviceLogin: askDeviceLoginHandler(makeAskDeviceLogin(deps)),
    authenticatePerson: authenticatePersonHandler(makeAuthenticatePerson(deps)),
    openLocalSession: openLocalSessionHandler(makeOpenLocalSession(deps)),
    endSession: endSessionHandler(toldAtOnce(makeEndSession(deps))),
    listSessions: listSessionsHandler(stores.sessions, clock),
    endUserSession: endUserSessionHandler(toldAtOnce(makeEndUserSession(deps))),
    inviteUser: inviteUserHandler(makeInviteUser(deps)),
    listUsers: listUsersHandler(stores.users),
    changeUser: changeUserHandler(toldAtOnce(makeChangeUser(deps))),
    endUserSessions: endUserSessionsHandler(toldAtOnce(makeEndUserSessions(deps))),
  };
}

function providersOf(oidc: OidcSettings | undefined): IdentityProviders {
  const open = (settings: OidcSettings["operators"]) =>
    settings === undefined ? undefined : makeIdentityProvider(settings);
  return { operators: open(oidc?.operators), tenants: open(oidc?.tenants) };
}
