import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { digestOf, endOf, isSame, openSession, sessionSecret, tiesOf } from "../domain/login";
import { allRoles } from "../domain/user";
import type { IdentityProviders } from "../ports";
import type { LoginStore } from "../store/login-store";
import type { SessionStore } from "../store/session-store";
import type { AdmitPerson } from "./admit-person";
import type { ProvenPerson } from "./authenticate-person";

export interface FinishLoginDeps {
  providers: IdentityProviders;
  logins: Pick<LoginStore, "take">;
  sessions: Pick<SessionStore, "add">;
  admitPerson: AdmitPerson;
  clock: Clock;
  ids: Pick<Ids, "bytes">;
}

export interface LoginAnswer {
  login: string;
  code: string;
  state: string;
  issuer: string | undefined;
  isOperator: boolean;
}

export type FinishLogin = (answer: LoginAnswer) => Promise<{ secret: string; person: ProvenPerson }>;

const refuse = (message: string): DomainError => new DomainError("UNAUTHENTICATED", message);

/** Opens a session. The login is taken out first: whatever comes of it, it is finished once. */
export const makeFinishLogin =
  ({ providers, logins, sessions, admitPerson, clock, ids }: FinishLoginDeps): FinishLogin =>
  async ({ login: secret, code, state, issuer, isOperator }) => {
    const login = await logins.take(digestOf(secret));
    if (login === undefined || login.endsAt <= clock.now()) throw refuse("the login is unknown, used or too old");
    const { home, redirectUri } = login;
    const provider = isOperator ? providers.operators : providers.tenants;
    if (provider === undefined || (home === "operators") !== isOperator) throw refuse("the login is of another door");
    const ties = tiesOf(secret, redirectUri);
    if (!isSame(state, ties.state)) throw refuse("state is that of another login");
    if (!provider.isIssuer(issuer)) throw refuse("the answer is of another issuer");
    const claims = await provider.redeem(code, ties);
    const { user, claimedRoles } = await admitPerson(claims, home);
    const { provenAt } = claims;
    const sessionText = sessionSecret(ids.bytes(32));
    const session = openSession(sessionText, { userId: user.id, home, claimedRoles, provenAt }, clock.now());
    await sessions.add(session);
    const person = { user, roles: allRoles(user, claimedRoles), provenAt, expiresAt: endOf(session) };
    return { secret: sessionText, person };
  };
