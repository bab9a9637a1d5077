import { hash } from "node:crypto";
import type { IssueTokenRequest } from "../../proto/gen/corridor/auth/v1/auth_service";
import { makeBoundedCache } from "../../services/shared/kernel/bounded-cache";
import { type Clock, plusMs } from "../../services/shared/kernel/clock";
import { hasReason } from "../../services/shared/kernel/errors";
import { scopes } from "../../services/shared/kernel/scopes";
import type { Upstreams } from "../clients";
import { defineRoute, replyWith } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import * as contracts from "../contract/tokens";
import type { KeySet } from "../key-set";
import { type Limits, overLimit, type RateLimiter } from "../rate-limiter";
import type { Route } from "../route";
import type { StrangerBudget } from "../stranger-budget";
import { parseRevocation, parseTokenRequest } from "../token-request";

const tag = "Authentication";
/** Short enough for verifiers to see a new key before it signs. */
const publicCache = { "cache-control": "public, max-age=300" };

export interface TokenRouteDeps extends Pick<Upstreams, "auth"> {
  keySet: KeySet;
  limiter: RateLimiter;
  limits: Pick<Limits, "token" | "tokenFailure">;
  strangers: Pick<StrangerBudget, "attempt">;
  clock: Clock;
}

/** A client that recently got a token is no stranger, no matter what others at its address do. */
const provenForMs = 24 * 3_600_000;
const mostProven = 10_000;

export function tokenRoutes(deps: TokenRouteDeps): readonly Route[] {
  const admit = makeAdmit(deps);
  return [tokenRoute(deps, admit), revocationRoute(deps, admit), ...metadataRoutes(deps)];
}

type Claimed = Pick<IssueTokenRequest, "clientId" | "address">;

/** The unproven caller of the token endpoint: no other caller can use up the quota of a client. */
const holderOf = ({ clientId, address }: Claimed): string =>
  hash("sha256", JSON.stringify([clientId, address]), "base64url");

/** Lets a client's credentials be tried within its share, and within that of strangers at its address. */
type Admit = <T>(claimed: Claimed, work: () => Promise<T>) => Promise<T>;

/** Tries a client's credentials within its share; wrong credentials have a share of their own, which stops guessing. */
async function workWithin<T>(holder: string, work: () => Promise<T>, { limiter, limits }: TokenRouteDeps): Promise<T> {
  const shares = [limiter.peek(holder, limits.tokenFailure), await limiter.take(holder, limits.token)];
  const refused = shares.find(({ isAllowed }) => !isAllowed);
  if (refused !== undefined) throw overLimit(refused);
  try {
    return await work();
  } catch (error) {
    if (hasReason(error, "OAUTH_INVALID_CLIENT")) await limiter.take(holder, limits.tokenFailure);
    throw error;
  }
}

/** The same within the share of strangers at the address, so that a new client name for each attempt does not evade the limit. */
function makeAdmit(deps: TokenRouteDeps): Admit {
  const proven = makeBoundedCache<true>(mostProven, deps.clock);
  return async (claimed, work) => {
    const holder = holderOf(claimed);
    const tried = () => workWithin(holder, work, deps);
    const answer = await (proven.get(holder) === true ? tried() : deps.strangers.attempt(claimed.address, tried));
    proven.set(holder, true, plusMs(deps.clock.now(), provenForMs));
    return answer;
  };
}

const tokenRoute = ({ auth }: TokenRouteDeps, admit: Admit): Route =>
  defineRoute({
    method: "POST",
    path: "/oauth/token",
    isRepeatable: true,
    isHot: true,
    scheme: "none",
    errorForm: "oauth",
    proof: "client",
    summary: "Exchange client credentials for an access token (RFC 6749 section 4.4).",
    tag,
    request: { kind: "form", schema: contracts.tokenRequest },
    response: { status: 200, description: "The access token.", schema: contracts.accessToken },
    refusals: [
      "OAUTH_INVALID_REQUEST",
      "OAUTH_INVALID_CLIENT",
      "OAUTH_INVALID_SCOPE",
      "OAUTH_UNSUPPORTED_GRANT_TYPE",
      "ADDRESS_REFUSED",
      "RATE_LIMITED",
    ],
    async handle(call) {
      const request = parseTokenRequest(call);
      const token = await admit(request, () => auth.issueToken(request));
      return replyWith(
        {
          access_token: token.accessToken,
          token_type: "Bearer",
          expires_in: token.expiresInSeconds,
          scope: token.scope,
        },
        { pragma: "no-cache" },
      );
    },
  });

const revocationRoute = ({ auth }: TokenRouteDeps, admit: Admit): Route =>
  defineRoute({
    method: "POST",
    path: "/oauth/revoke",
    isRepeatable: true,
    scheme: "none",
    errorForm: "oauth",
    proof: "client",
    summary: "Revoke an access token of the client's own (RFC 7009). It works nowhere within a second.",
    tag,
    request: { kind: "form", schema: contracts.revocationRequest },
    response: { status: 200, description: "The token does not work, whether it ever did or not." },
    refusals: ["OAUTH_INVALID_REQUEST", "OAUTH_INVALID_CLIENT", "ADDRESS_REFUSED", "RATE_LIMITED"],
    async handle(call) {
      const request = parseRevocation(call);
      await admit(request, () => auth.revokeToken(request));
      return { madeElsewhere: { status: 200, headers: { pragma: "no-cache" }, body: Buffer.alloc(0) } };
    },
  });

const metadataRoutes = ({ keySet }: TokenRouteDeps): readonly Route[] => [
  defineRoute({
    method: "GET",
    path: "/.well-known/jwks.json",
    scheme: "none",
    summary: "The public keys that verify access tokens (RFC 7517).",
    tag,
    response: { status: 200, description: "A JSON Web Key Set.", schema: contracts.keySet },
    refusals: [],
    async handle() {
      const { document: body } = await keySet.current();
      const headers = { "content-type": "application/json", ...publicCache };
      return { madeElsewhere: { status: 200, headers, body } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/.well-known/oauth-authorization-server",
    scheme: "none",
    summary: "What the authorization server offers (RFC 8414).",
    tag,
    response: { status: 200, description: "Authorization server metadata.", schema: contracts.serverMetadata },
    refusals: [],
    handle: async () => replyWith(serverMetadata((await keySet.current()).issuer), publicCache),
  }),
];

function serverMetadata(issuer: string): Answered<typeof contracts.serverMetadata> {
  const base = issuer.replace(/\/$/, "");
  return {
    issuer,
    token_endpoint: `${base}/oauth/token`,
    revocation_endpoint: `${base}/oauth/revoke`,
    jwks_uri: `${base}/.well-known/jwks.json`,
    scopes_supported: scopes,
    response_types_supported: [],
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    tls_client_certificate_bound_access_tokens: true,
    service_documentation: `${base}/docs`,
  };
}
