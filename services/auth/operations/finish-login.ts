import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { digestOf, isSame, tiesOf } from "../domain/login";
import type { IdentityProviders } from "../ports";
import type { LoginStore } from "../store/login-store";
import type { AdmitPerson } from "./admit-person";
import type { OpenedSession, OpenSession } from "./open-session";

export interface FinishLoginDeps {
  providers: IdentityProviders;
  logins: Pick<LoginStore, "take">;
  admitPerson: AdmitPerson;
  openSession: OpenSession;
  clock: Clock;
}

export interface LoginAnswer {
  login: string;
  code: string;
  state: string;
  issuer: string | undefined;
  isOperator: boolean;
}

export type FinishLogin = (answer: LoginAnswer) => Promise<OpenedSession>;

const refuse = (message: string): DomainError => new DomainError("UNAUTHENTICATED", message);

/** Opens a session. The login is removed first, so that it is finished only once, whatever the outcome. */
export const makeFinishLogin =
  ({ providers, logins, admitPerson, openSession, clock }: FinishLoginDeps): FinishLogin =>
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
    return openSession(await admitPerson(claims, home), claims.provenAt);
  };
