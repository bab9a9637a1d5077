import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { AuthenticateKeyRequest, AuthenticateKeyResponse } from "../proto/gen/corridor/auth/v1/auth_service";
import type { TextList } from "../proto/gen/corridor/auth/v1/directory_service";
import { makeBoundedCache } from "../services/shared/kernel/bounded-cache";
import { type Clock, plusMs } from "../services/shared/kernel/clock";
import { DomainError, hasReason } from "../services/shared/kernel/errors";
import type { KeyScope, Scope } from "../services/shared/kernel/scopes";
import { type AccessRules, scopeMissing } from "./access-rules";
import type { OperatorDirectory } from "./operator/operator-directory";
import { type OperatorRole, roleRefusal } from "./operator/operator-roles";
import type { Peer } from "./peer";
import type { StrangerBudget } from "./stranger-budget";
import type { TokenHolder } from "./verify-bearer";

/** Who calls, proven. */
export interface Caller {
  /** client:<id>, tenant:<slug>, agent:<id> or operator:<name>: whose share of the limits it is, and who is audited. */
  name: string;
  /** Empty for an operator. */
  tenant: string;
  agentId?: string;
  /** What the access token allows. */
  scopes?: ReadonlySet<string>;
  /** Of an operator. */
  roles?: ReadonlySet<OperatorRole>;
}

/** A proven caller, and why it may not do this, if so. An unproven one is thrown as UNAUTHENTICATED or ADDRESS_REFUSED. */
export interface Verdict {
  caller: Caller;
  refusal?: DomainError | undefined;
}

/** What a caller shows. */
export interface Presented {
  headers: IncomingHttpHeaders;
  peer: Peer;
}

/** Names the caller behind the credentials of a request. */
export interface Authenticate {
  /** Refuses with SCOPE_MISSING when the token does not allow `scope`. */
  bearer(presented: Presented, scope: Scope): Promise<Verdict>;
  /** Refuses with SCOPE_MISSING when the key is bound to other scopes. */
  tenantKey(presented: Presented, scope: KeyScope): Promise<Verdict>;
  /** Refuses with AGENT_REFUSED without an approved agent of the same tenant, and with SCOPE_MISSING for either key. */
  agentKeys(presented: Presented, scope: KeyScope): Promise<Verdict>;
  /** Refuses with ROLE_MISSING when no role of the operator allows the route `METHOD path`. */
  operator(presented: Presented, route: string): Promise<Verdict>;
}

/** Answers about keys are kept for a while. */
export interface KeepingAuthenticate extends Authenticate {
  /** Keeps no answer from before: a key may have been revoked, or its agent suspended. */
  forgetKeys(): void;
}

export interface AuthenticateDeps {
  verifyBearer(token: string): Promise<TokenHolder>;
  authenticateKey(request: AuthenticateKeyRequest): Promise<AuthenticateKeyResponse>;
  rules: Pick<AccessRules, "refusalOf" | "refusalOfSecret" | "isDisabled" | "isRevoked">;
  /** Keeps account of keys that nobody knows, by the address that they came from. */
  strangers: Pick<StrangerBudget, "attempt">;
  operators: Pick<OperatorDirectory, "find">;
  clock: Clock;
}

/** Syntax of RFC 6750 section 2.1; the scheme's name ignores case (RFC 9110 section 11.1). */
const bearerPattern = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const longestKey = 255;
const keyCacheCapacity = 10_000;
/** A key that was good of late is asked about whatever others of its address have tried. */
const provenForMs = 24 * 3_600_000;
/** Longest time for which a disabled key is still accepted when nobody says that it was disabled. */
const keyCacheMs = 60_000;

export function makeAuthenticate(deps: AuthenticateDeps): KeepingAuthenticate {
  const { verifyBearer, rules } = deps;
  const { lookUp, forgetKeys } = makeKeyLookUp(deps);

  /** The tenant that the API key names, and whether this peer may use it. */
  const tenantOf = async ({ headers, peer }: Presented): Promise<Verdict & Pick<AuthenticateKeyResponse, "scopes">> => {
    const { tenant, scopes } = await lookUp({ apiKey: requireApiKey(headers), address: peer.address });
    return { caller: { name: `tenant:${tenant}`, tenant }, refusal: await rules.refusalOf(tenant, peer), scopes };
  };

  return {
    forgetKeys,
    async bearer({ headers, peer }, scope) {
      const holder = await verifyBearer(requireBearer(headers, "an access token"));
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
    },
    async tenantKey(presented, scope) {
      const { caller, refusal, scopes } = await tenantOf(presented);
      return { caller, refusal: refusal ?? refusalOfKeys(scopes, scope) };
    },
    async agentKeys(presented, scope) {
      const { headers, peer } = presented;
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
    operator({ headers }, route) {
      const found = deps.operators.find(requireBearer(headers, "the token of an operator"));
      if (found === undefined) throw new DomainError("UNAUTHENTICATED", "the token is not one of an operator");
      const { name, roles } = found;
      return Promise.resolve({
        caller: { name: `operator:${name}`, tenant: "", roles },
        refusal: roleRefusal(route, roles),
      });
    },
  };
}

/** Keys without bounds allow everything. */
const refusalOfKeys = (scopes: TextList | undefined, scope: KeyScope): DomainError | undefined =>
  scopes === undefined || scopes.values.includes(scope) ? undefined : scopeMissing("the key", scope);

/** Asks the auth service about keys. Only good answers are kept: a new key or an approved agent works at once. */
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
      // An answer that was on its way while something changed may be from before.
      if (before === forgotten) known.set(name, response, keptUntil(response, clock.now()));
      return response;
    },
    forgetKeys(): void {
      forgotten += 1;
      known.clear();
    },
  };
}

/** A key that ends is not kept for longer than it works. */
function keptUntil({ expiresAt }: AuthenticateKeyResponse, now: Date): Date {
  const latest = plusMs(now, keyCacheMs);
  return expiresAt !== undefined && expiresAt < latest ? expiresAt : latest;
}

/** A token without a certificate works with any; one with works with its own alone (RFC 8705 section 3). */
function isBoundTo(thumbprint: string | undefined, { certificate }: Peer): boolean {
  if (thumbprint === undefined) return true;
  return certificate !== undefined && Buffer.from(certificate, "hex").toString("base64url") === thumbprint;
}

function requireBearer({ authorization }: IncomingHttpHeaders, what: string): string {
  if (authorization === undefined) throw new DomainError("UNAUTHENTICATED", `${what} is required`);
  const token = bearerPattern.exec(authorization)?.[1];
  if (token === undefined) throw new DomainError("UNAUTHENTICATED", "authorization must be a Bearer access token");
  return token;
}

function requireApiKey(headers: IncomingHttpHeaders): string {
  const apiKey = headerText(headers, "x-api-key");
  if (apiKey === undefined) throw new DomainError("UNAUTHENTICATED", "x-api-key is required and must be valid");
  return apiKey;
}

/** A header of a credible length; no credential is longer. */
function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" && value !== "" && value.length <= longestKey ? value : undefined;
}
