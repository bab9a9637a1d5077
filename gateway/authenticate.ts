import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { AuthenticateKeyRequest, AuthenticateKeyResponse } from "../proto/gen/corridor/auth/v1/auth_service";
import { type Clock, plusMs } from "../services/shared/clock";
import { DomainError } from "../services/shared/errors";
import { makeBoundedCache } from "./bounded-cache";
import type { Scope } from "./route";
import type { TokenHolder } from "./verify-bearer";

/** Names the tenant of a credential, or refuses it. */
export interface Authenticate {
  /** Throws UNAUTHENTICATED without a valid access token and SCOPE_MISSING when it does not allow `scope`. */
  bearer(headers: IncomingHttpHeaders, scope: Scope): Promise<string>;
  /** Throws UNAUTHENTICATED without a valid API key. */
  tenantKey(headers: IncomingHttpHeaders): Promise<string>;
  /** Throws UNAUTHENTICATED without a valid API key, then AGENT_REFUSED without an approved agent of the same tenant. */
  agentKeys(headers: IncomingHttpHeaders): Promise<string>;
}

export interface AuthenticateDeps {
  verifyBearer(token: string): Promise<TokenHolder>;
  authenticateKey(request: AuthenticateKeyRequest): Promise<AuthenticateKeyResponse>;
  clock: Clock;
}

/** Syntax of RFC 6750 section 2.1; the scheme's name ignores case (RFC 9110 section 11.1). */
const bearerPattern = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const longestKey = 255;
const keyCacheCapacity = 10_000;
/** Longest time for which a disabled key may still be accepted. */
const keyCacheMs = 60_000;

export function makeAuthenticate({ verifyBearer, authenticateKey, clock }: AuthenticateDeps): Authenticate {
  const known = makeBoundedCache<AuthenticateKeyResponse>(keyCacheCapacity, clock);

  /** Only good answers are kept: a new key or an approved agent works at once. */
  const lookUp = async (request: AuthenticateKeyRequest): Promise<AuthenticateKeyResponse> => {
    const name = hash("sha256", JSON.stringify([request.apiKey, request.agentId, request.agentApiKey]), "base64");
    const hit = known.get(name);
    if (hit !== undefined) return hit;
    const response = await authenticateKey(request);
    known.set(name, response, plusMs(clock.now(), keyCacheMs));
    return response;
  };

  return {
    async bearer(headers, scope) {
      const { authorization } = headers;
      if (authorization === undefined) throw new DomainError("UNAUTHENTICATED", "an access token is required");
      const token = bearerPattern.exec(authorization)?.[1];
      if (token === undefined) throw new DomainError("UNAUTHENTICATED", "authorization must be a Bearer access token");
      const { tenant, scopes } = await verifyBearer(token);
      if (scopes.has(scope)) return tenant;
      throw new DomainError("SCOPE_MISSING", `the access token lacks the scope ${scope}`, { details: { scope } });
    },
    async tenantKey(headers) {
      const { tenant } = await lookUp({ apiKey: requireApiKey(headers) });
      return tenant;
    },
    async agentKeys(headers) {
      const apiKey = requireApiKey(headers);
      const agentId = headerText(headers, "x-agent-id");
      const agentApiKey = headerText(headers, "x-agent-api-key");
      const hasAgent = agentId !== undefined && agentApiKey !== undefined;
      const answer = await lookUp(hasAgent ? { apiKey, agentId, agentApiKey } : { apiKey });
      if (hasAgent && answer.agentId === agentId) return answer.tenant;
      throw new DomainError("AGENT_REFUSED", "x-agent-id and x-agent-api-key of an approved agent are required");
    },
  };
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
