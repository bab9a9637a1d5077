import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../services/shared/kernel/clock";
import { DomainError, hasReason } from "../services/shared/kernel/errors";
import { scopes } from "../services/shared/kernel/scopes";
import type { AccessRules } from "./access-rules";
import type { Presented, Verdict } from "./caller";
import type { Peer } from "./peer";
import { isBackground, isSession, type People } from "./people";
import { staleProof } from "./step-up";
import type { StrangerBudget } from "./stranger-budget";
import { tenantFreshCalls, tenantRoleRefusal } from "./tenant-roles";

/** The credentials of a caller of a tenant, and the agent that it acts for. */
interface Shown extends Presented {
  token: string;
  agentId?: string;
}

/** Authenticates one of a tenant's people, who may use every route that its programs may use. */
export interface PersonDoor {
  isPersons(token: string): Promise<boolean>;
  /** The token of a person, if no program's key was sent. */
  personsToken(presented: Presented): Promise<string | undefined>;
  /** Refuses with ROLE_MISSING, and refuses addresses from which the tenant's programs may not call. */
  personOf(shown: Shown, route: string): Promise<Verdict>;
  person(presented: Presented, route: string): Promise<Verdict>;
}

/** Syntax of RFC 6750 section 2.1; the scheme's name ignores case (RFC 9110 section 11.1). */
const bearerPattern = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const everyScope: ReadonlySet<string> = new Set(scopes);

export interface PersonDoorDeps {
  people: Pick<People, "mayShow" | "find">;
  rules: Pick<AccessRules, "refusalOf">;
  strangers: Pick<StrangerBudget, "fail">;
  /** Issuer of the platform's own access tokens. */
  ownIssuer(): Promise<string>;
  clock: Clock;
}

export function makePersonDoor({ people, rules, strangers, ownIssuer, clock }: PersonDoorDeps): PersonDoor {
  const countFailures = makeCountFailures(strangers);
  const isPersons = async (token: string): Promise<boolean> =>
    people.mayShow(token, isSession(token) ? undefined : await ownIssuer());
  const personOf = async ({ token, peer, headers, agentId }: Shown, route: string): Promise<Verdict> => {
    const shown = { token, isOperator: false, agentId, address: peer.address, isBackground: isBackground(headers) };
    const { userId, tenant = "", roles, provenAt, expiresAt: until, sessionId: session } = await people.find(shown);
    const named = { name: `user:${userId}`, tenant, scopes: everyScope, roles: new Set(roles), until, session };
    const caller = agentId === undefined ? named : { ...named, agentId };
    const refusal = (await rules.refusalOf(tenant, peer)) ?? tenantRoleRefusal(route, roles);
    return {
      caller,
      refusal: refusal ?? (tenantFreshCalls.has(route) ? staleProof(provenAt, clock.now()) : undefined),
    };
  };
  return {
    isPersons,
    personOf,
    async personsToken({ headers }) {
      if (headers["x-api-key"] !== undefined || headers.authorization === undefined) return undefined;
      const token = bearerPattern.exec(headers.authorization)?.[1];
      return token !== undefined && (await isPersons(token)) ? token : undefined;
    },
    async person({ headers, peer }, route) {
      const token = countFailures(peer, () => requireBearer(headers, "a session"));
      if (await isPersons(token)) return personOf({ token, peer, headers }, route);
      return countFailures(peer, () => {
        throw new DomainError("UNAUTHENTICATED", "the token is not one of a person");
      });
    },
  };
}

/** Counts refused credentials without a call to another process. A good token is never refused because of others at its address. */
export const makeCountFailures =
  (strangers: Pick<StrangerBudget, "fail">) =>
  <T>({ address }: Peer, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (hasReason(error, "UNAUTHENTICATED")) strangers.fail(address);
      throw error;
    }
  };

export function requireBearer({ authorization }: IncomingHttpHeaders, what: string): string {
  if (authorization === undefined) throw new DomainError("UNAUTHENTICATED", `${what} is required`);
  const token = bearerPattern.exec(authorization)?.[1];
  if (token === undefined) throw new DomainError("UNAUTHENTICATED", "authorization must be a Bearer access token");
  return token;
}
