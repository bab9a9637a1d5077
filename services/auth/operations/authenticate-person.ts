import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { digestOf, endOf, isSessionSecret, isUnnoted } from "../domain/login";
import { allRoles, tenantOf, type User } from "../domain/user";
import type { IdentityProviders } from "../ports";
import type { AgentStore } from "../store/agent-store";
import type { SessionStore } from "../store/session-store";
import type { UserStore } from "../store/user-store";
import type { AdmitPerson } from "./admit-person";

export interface AuthenticatePersonDeps {
  providers: IdentityProviders;
  sessions: Pick<SessionStore, "find" | "noteSeen">;
  users: Pick<UserStore, "find">;
  agents: Pick<AgentStore, "find">;
  admitPerson: AdmitPerson;
  clock: Clock;
}

/** An authenticated person, and the end of that authentication. */
export interface ProvenPerson {
  user: User;
  roles: readonly string[];
  /** Time of authentication at the provider; undefined when it does not say. */
  provenAt: Date | undefined;
  expiresAt: Date;
  /** Name of the session; undefined for a token of the provider. */
  session: string | undefined;
}

export interface ShownByPerson {
  token: string;
  isOperator: boolean;
  agentId: string | undefined;
  /** True for requests that a program makes without its user. */
  isBackground: boolean;
}

export type AuthenticatePerson = (shown: ShownByPerson) => Promise<ProvenPerson>;

const refuse = (message: string): DomainError => new DomainError("UNAUTHENTICATED", message);

/** Identifies the person behind a session or a token of the provider in their current state: removed roles no longer count. */
export function makeAuthenticatePerson(deps: AuthenticatePersonDeps): AuthenticatePerson {
  return async ({ token, isOperator, agentId, isBackground }) => {
    const person = await (isSessionSecret(token)
      ? bySession({ token, isOperator, isBackground }, deps)
      : byToken(token, isOperator, deps));
    if (person.roles.length === 0) throw new DomainError("ROLE_MISSING", "the person has no role here");
    if (agentId !== undefined) await requireAgent(tenantOf(person.user.home), agentId, deps);
    return person;
  };
}

async function bySession(
  { token, isOperator, isBackground }: Omit<ShownByPerson, "agentId">,
  { sessions, users, clock }: AuthenticatePersonDeps,
): Promise<ProvenPerson> {
  const session = await sessions.find(digestOf(token));
  const now = clock.now();
  if (session === undefined || endOf(session) <= now || (session.home === "operators") !== isOperator) {
    throw refuse("the session is not valid");
  }
  const user = await users.find(session.home, session.userId);
  if (user === undefined || user.isDisabled) throw refuse("the session is not valid");
  if (!isBackground && isUnnoted(session, now)) await sessions.noteSeen(session.id, now);
  const { provenAt, claimedRoles, name } = session;
  const expiresAt = endOf(isBackground ? session : { ...session, seenAt: now });
  return { user, roles: allRoles(user, claimedRoles), provenAt, expiresAt, session: name };
}

async function byToken(
  token: string,
  isOperator: boolean,
  { providers, admitPerson }: AuthenticatePersonDeps,
): Promise<ProvenPerson> {
  const provider = isOperator ? providers.operators : providers.tenants;
  if (provider === undefined) throw refuse("the token is not valid");
  const { issuedAt, expiresAt, ...claims } = await provider.readToken(token);
  const { user, claimedRoles } = await admitPerson(claims, isOperator ? "operators" : undefined);
  if (issuedAt <= user.tokensSince) throw refuse("the tokens of the user were ended");
  const roles = allRoles(user, claimedRoles);
  return { user, roles, provenAt: claims.provenAt, expiresAt, session: undefined };
}

async function requireAgent(
  tenant: string | undefined,
  agentId: string,
  { agents }: AuthenticatePersonDeps,
): Promise<void> {
  const agent = tenant === undefined ? undefined : await agents.find(tenant, agentId);
  if (agent?.status === "ACTIVE") return;
  throw new DomainError("AGENT_REFUSED", "x-agent-id of an approved agent is required");
}
