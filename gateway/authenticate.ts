import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { AuthenticateKeyRequest, AuthenticateKeyResponse } from "../proto/gen/corridor/auth/v1/auth_service";
import type { TextList } from "../proto/gen/corridor/auth/v1/directory_service";
import { makeBoundedCache } from "../services/shared/kernel/bounded-cache";
import { plusMs } from "../services/shared/kernel/clock";
import { DomainError, hasReason } from "../services/shared/kernel/errors";
import { operatorRoles } from "../services/shared/kernel/roles";
import type { KeyScope, Scope } from "../services/shared/kernel/scopes";
import { type AccessRules, scopeMissing } from "./access-rules";
import {
  makeCountFailures,
  makePersonDoor,
  type PersonDoor,
  type PersonDoorDeps,
  requireBearer,
} from "./authenticate-person";
import type { Presented, Verdict } from "./caller";
import type { OperatorDirectory } from "./operator/operator-directory";
import { needsFreshProof, roleRefusal } from "./operator/operator-roles";
import type { Peer } from "./peer";
import { isBackground, isSession } from "./people";
import { staleProof } from "./step-up";
import type { StrangerBudget } from "./stranger-budget";
import type { TokenHolder } from "./verify-bearer";

/** Identifies the caller by the credentials of a request. A tenant's people may use every route that its programs may use. */
export interface Authenticate {
  /** Refuses with SCOPE_MISSING when the token does not allow `scope`. */
  bearer(presented: Presented, scope: Scope, route: string): Promise<Verdict>;
  /** Refuses with SCOPE_MISSING when the key is bound to other scopes. */
  tenantKey(presented: Presented, scope: KeyScope, route: string): Promise<Verdict>;
  /** Refuses with AGENT_REFUSED without an approved agent of the same tenant, and with SCOPE_MISSING for either key. */
  agentKeys(presented: Presented, scope: KeyScope, route: string): Promise<Verdict>;
  /** Refuses with ROLE_MISSING when no role of the person allows the route `METHOD path`, here and in the three above. */
  person(presented: Presented, route: string): Promise<Verdict>;
  /** Refuses with ROLE_MISSING when no role of the operator allows the route `METHOD path`. */
  operator(presented: Presented, route: string): Promise<Verdict>;
}

/** Answers about keys are cached for a while. */
export interface KeepingAuthenticate extends Authenticate {
  /** Drops all cached answers: a key may have been revoked, or its agent suspended. */
  forgetKeys(): void;
}

export interface AuthenticateDeps extends PersonDoorDeps {
  verifyBearer(token: string): Promise<TokenHolder>;
  authenticateKey(request: AuthenticateKeyRequest): Promise<AuthenticateKeyResponse>;
  rules: Pick<AccessRules, "refusalOf" | "refusalOfSecret" | "isDisabled" | "isRevoked">;
  /** Counts unknown keys by the address that sent them. */
  strangers: Pick<StrangerBudget, "attempt" | "fail">;
  operators: Pick<OperatorDirectory, "find">;
}

const longestKey = 255;
const keyCacheCapacity = 10_000;
/** A key that was recently good is looked up no matter what others at its address have tried. */
const provenForMs = 24 * 3_600_000;
/** Longest time for which a disabled key is still accepted when no message says that it was disabled. */
const keyCacheMs = 60_000;

export function makeAuthenticate(deps: AuthenticateDeps): KeepingAuthenticate {
  const people = makePersonDoor(deps);
  const { forgetKeys, ...keys } = makeKeyDoors(deps, people);
  return {
    forgetKeys,
    ...keys,
    bearer: makeBearerDoor(deps, people),
    person: people.person,
    operator: makeOperatorDoor(deps),
  };
}

/** Access tokens of clients, and the credentials that people present in their place. */
function makeBearerDoor(
  { verifyBearer, rules, strangers }: AuthenticateDeps,
  { isPersons, personOf }: PersonDoor,
): Authenticate["bearer"] {
  const countFailures = makeCountFailures(strangers);
  const clientOf = async (token: string, peer: Peer, scope: Scope): Promise<Verdict> => {
    const holder = await verifyBearer(token);
    const { tenant, client, thumbprint } = holder;
    const verdict = { caller: { name: `client:${client}`, tenant, scopes: holder.scopes } };
    const isTakenBack = (await rules.isDisabled(client)) || (await rules.isRevoked(holder.id));
    if (isTakenBack || !isBoundTo(thumbprint, peer)) {
      return { ...verdict, refusal: new DomainError("UNAUTHENTICATED", "the access token is not valid") };
    }
    const refusal =
      (await rules.refusalOf(tenant, peer)) ?? (await rules.refusalOfSecret(holder.secretId, scope, peer));
    if (refusal !== undefined || holder.scopes.has(scope)) return { ...verdict, refusal };
    return { ...verdict, refusal: scopeMissing("the access token", scope) };
  };
  return async ({ headers, peer }, scope, route) => {
    const token = countFailures(peer, () => requireBearer(headers, "an access token"));
    if (isSession(token)) return personOf({ token, peer, headers }, route);
    try {
      return await clientOf(token, peer, scope);
    } catch (error) {
      if (!hasReason(error, "UNAUTHENTICATED")) throw error;
      // A token of another issuer belongs to a person.
      if (await isPersons(token)) return personOf({ token, peer, headers }, route);
      strangers.fail(peer.address);
      throw error;
    }
  };
}

/** Keys of tenants and of their agents, and the credentials that people present in their place. */
function makeKeyDoors(
  deps: AuthenticateDeps,
  { personsToken, personOf }: PersonDoor,
): Pick<KeepingAuthenticate, "tenantKey" | "agentKeys" | "forgetKeys"> {
  const { rules } = deps;
  const { lookUp, forgetKeys } = makeKeyLookUp(deps);

  /** The tenant that the API key names, and whether this peer may use it. */
  const tenantOf = async ({ headers, peer }: Presented): Promise<Verdict & Pick<AuthenticateKeyResponse, "scopes">> => {
    const { tenant, scopes } = await lookUp({ apiKey: requireApiKey(headers), address: peer.address });
    return { caller: { name: `tenant:${tenant}`, tenant }, refusal: await rules.refusalOf(tenant, peer), scopes };
  };
  return {
    forgetKeys,
    async tenantKey(presented, scope, route) {
      const token = await personsToken(presented);
      if (token !== undefined) return personOf({ ...presented, token }, route);
      const { caller, refusal, scopes } = await tenantOf(presented);
      return { caller, refusal: refusal ?? refusalOfKeys(scopes, scope) };
    },
    async agentKeys(presented, scope, route) {
      const { headers, peer } = presented;
      const token = await personsToken(presented);
      if (token !== undefined)
        return personOf({ ...presented, token, agentId: headerText(headers, "x-agent-id") ?? "" }, route);
      const { scopes: _scopes, ...verdict } = await tenantOf(presented);
      if (verdict.refusal !== undefined) return verdict;
      const agentId = headerText(headers, "x-agent-id");
      const agentApiKey = headerText(headers, "x-agent-api-key");
      const message = "x-agent-id and x-agent-api-key of an approved agent are required";
      const refused = { ...verdict, refusal: new DomainError("AGENT_REFUSED", message) };
      if (agentId === undefined || agentApiKey === undefined) return refused;
      try {
        const apiKey = requireApiKey(headers);
        const answer = await lookUp({ apiKey, agentId, agentApiKey, address: peer.address });
        if (answer.agentId !== agentId) return refused;
        const caller = { name: `agent:${agentId}`, tenant: answer.tenant, agentId };
        return { caller, refusal: refusalOfKeys(answer.scopes, scope) };
      } catch (error) {
        if (hasReason(error, "AGENT_REFUSED")) return { ...verdict, refusal: error };
        throw error;
      }
    },
  };
}

/** Static tokens of operators, and the credentials of operators who log in as people. */
function makeOperatorDoor({ operators, people, strangers, clock }: AuthenticateDeps): Authenticate["operator"] {
  const countFailures = makeCountFailures(strangers);
  return async ({ headers, peer }, route) => {
    const token = countFailures(peer, () => requireBearer(headers, "the token of an operator"));
    const found = operators.find(token);
    if (found !== undefined) {
      const { name, roles, until } = found;
      return { caller: { name: `operator:${name}`, tenant: "", roles, until }, refusal: roleRefusal(route, roles) };
    }
    // The issuer of operators' tokens; never the platform itself.
    if (!people.mayShow(token, undefined)) {
      return countFailures(peer, () => {
        throw new DomainError("UNAUTHENTICATED", "the token is not one of an operator");
      });
    }
    const person = await people.find({
      token,
      isOperator: true,
      agentId: undefined,
      address: peer.address,
      isBackground: isBackground(headers),
    });
    const roles = new Set(operatorRoles.filter((role) => person.roles.includes(role)));
    const { sessionId: session, expiresAt: until } = person;
    const caller = { name: `operator:user:${person.userId}`, tenant: "", roles, until, session };
    const isFresh = needsFreshProof(route, headers["x-approval"] !== undefined);
    return {
      caller,
      refusal: roleRefusal(route, roles) ?? (isFresh ? staleProof(person.provenAt, clock.now()) : undefined),
    };
  };
}

/** Keys without bounds allow everything. */
const refusalOfKeys = (scopes: TextList | undefined, scope: KeyScope): DomainError | undefined =>
  scopes === undefined || scopes.values.includes(scope) ? undefined : scopeMissing("the key", scope);

/** Asks the auth service about keys. Caches good answers only, so that a new key or an approved agent works at once. */
function makeKeyLookUp({
  authenticateKey,
  strangers,
  clock,
}: Pick<AuthenticateDeps, "authenticateKey" | "strangers" | "clock">) {
  const known = makeBoundedCache<AuthenticateKeyResponse>(keyCacheCapacity, clock);
  const proven = makeBoundedCache<true>(keyCacheCapacity, clock);
  let forgotten = 0;
  return {
    async lookUp(request: AuthenticateKeyRequest): Promise<AuthenticateKeyResponse> {
      const { apiKey, agentId, agentApiKey, address } = request;
      const name = hash("sha256", JSON.stringify([apiKey, agentId, agentApiKey, address]), "base64");
      const hit = known.get(name);
      if (hit !== undefined) return hit;
      const before = forgotten;
      const ask = (): Promise<AuthenticateKeyResponse> => authenticateKey(request);
      const response = await (proven.get(name) === true ? ask() : strangers.attempt(address, ask));
      proven.set(name, true, plusMs(clock.now(), provenForMs));
      // An answer that was in flight when something changed may be out of date.
      if (before === forgotten) known.set(name, response, keptUntil(response, clock.now()));
      return response;
    },
    forgetKeys(): void {
      forgotten += 1;
      known.clear();
    },
  };
}

/** A key with an expiry is not cached beyond it. */
function keptUntil({ expiresAt }: AuthenticateKeyResponse, now: Date): Date {
  const latest = plusMs(now, keyCacheMs);
  return expiresAt !== undefined && expiresAt < latest ? expiresAt : latest;
}

/** A token that is bound to no certificate works with any; a bound one works only with its own (RFC 8705 section 3). */
function isBoundTo(thumbprint: string | undefined, { certificate }: Peer): boolean {
  if (thumbprint === undefined) return true;
  return certificate !== undefined && Buffer.from(certificate, "hex").toString("base64url") === thumbprint;
}

function requireApiKey(headers: IncomingHttpHeaders): string {
  const apiKey = headerText(headers, "x-api-key");
  if (apiKey === undefined) throw new DomainError("UNAUTHENTICATED", "x-api-key is required and must be valid");
  return apiKey;
}

/** The header, if its length is plausible; no credential is longer. */
function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" && value !== "" && value.length <= longestKey ? value : undefined;
}
