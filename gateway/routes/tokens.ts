import { hash } from "node:crypto";
import type { IssueTokenRequest } from "../../proto/gen/corridor/auth/v1/auth_service";
import { makeBoundedCache } from "../../services/shared/kernel/bounded-cache";
import { type Clock, plusMs } from "../../services/shared/kernel/clock";
import { hasReason } from "../../services/shared/kernel/errors";
import { scopes } from "../../services/shared/kernel/scopes";
import type { Upstreams } from "../clients";
import type { KeySet } from "../key-set";
import { type Limits, overLimit, type RateLimiter } from "../rate-limiter";
import { jsonAnswer, type Route } from "../route";
import { arrayOf, enumSchema, objectSchema, textSchema } from "../schemas/document-schema";
import type { StrangerBudget } from "../stranger-budget";
import { parseRevocation, parseTokenRequest } from "../token-request";

const tag = "Authentication";
/** Short enough that a new key is seen before it signs. */
const publicCache = { "cache-control": "public, max-age=300" };

const tokenRequestSchema = objectSchema(
  {
    grant_type: enumSchema("The only grant there is.", ["client_credentials"]),
    client_id: textSchema("Absent with HTTP Basic."),
    client_secret: textSchema("Absent with HTTP Basic."),
    scope: textSchema("Scopes parted by single spaces; absent asks for all that the client owns."),
  },
  ["client_id", "client_secret", "scope"],
);

const revocationRequestSchema = objectSchema(
  {
    token: textSchema("The access token."),
    token_type_hint: textSchema("Not needed: there is one type of token."),
    client_id: textSchema("Absent with HTTP Basic."),
    client_secret: textSchema("Absent with HTTP Basic."),
  },
  ["token_type_hint", "client_id", "client_secret"],
);

const tokenSchema = objectSchema({
  access_token: textSchema("RS256-signed JWT."),
  token_type: enumSchema("Kind of token.", ["Bearer"]),
  expires_in: { type: "integer", description: "Life of the token from now, in seconds." },
  scope: textSchema("Granted scopes, parted by single spaces."),
});

export interface TokenRouteDeps extends Pick<Upstreams, "auth"> {
  keySet: KeySet;
  limiter: RateLimiter;
  limits: Pick<Limits, "token" | "tokenFailure">;
  strangers: Pick<StrangerBudget, "attempt">;
  clock: Clock;
}

/** A client that had a token of late is no stranger, whatever others of its address do. */
const provenForMs = 24 * 3_600_000;
const mostProven = 10_000;

export function tokenRoutes(deps: TokenRouteDeps): readonly Route[] {
  const admit = makeAdmit(deps);
  return [tokenRoute(deps, admit), revocationRoute(deps, admit), ...metadataRoutes(deps)];
}

type Claimed = Pick<IssueTokenRequest, "clientId" | "address">;

/** Who asks for tokens before it is known who that is: nobody else can use up the share of a client. */
const holderOf = ({ clientId, address }: Claimed): string =>
  hash("sha256", JSON.stringify([clientId, address]), "base64url");

/** Lets a client be tried within its share, and within what strangers of its address may try. */
type Admit = <T>(claimed: Claimed, work: () => Promise<T>) => Promise<T>;

/** Tries a client within its share; wrong credentials have a share of their own, which shuts out a guesser. */
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

/** The same within what strangers of the address may try: another name of a client each time is no way around. */
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

function tokenRoute({ auth }: TokenRouteDeps, admit: Admit): Route {
  return {
    method: "POST",
    path: "/oauth/token",
    scheme: "none",
    errorForm: "oauth",
    proof: "client",
    summary: "Exchange client credentials for an access token (RFC 6749 section 4.4).",
    tag,
    body: "form",
    requestSchema: tokenRequestSchema,
    success: { status: 200, description: "The access token.", schema: tokenSchema },
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
      const answer = jsonAnswer({
        access_token: token.accessToken,
        token_type: "Bearer",
        expires_in: token.expiresInSeconds,
        scope: token.scope,
      });
      return { ...answer, headers: { ...answer.headers, pragma: "no-cache" } };
    },
  };
}

function revocationRoute({ auth }: TokenRouteDeps, admit: Admit): Route {
  return {
    method: "POST",
    path: "/oauth/revoke",
    scheme: "none",
    errorForm: "oauth",
    proof: "client",
    summary: "Revoke an access token of the client's own (RFC 7009). It works nowhere within a second.",
    tag,
    body: "form",
    requestSchema: revocationRequestSchema,
    success: { status: 200, description: "The token does not work, whether it ever did or not." },
    refusals: ["OAUTH_INVALID_REQUEST", "OAUTH_INVALID_CLIENT", "ADDRESS_REFUSED", "RATE_LIMITED"],
    async handle(call) {
      const request = parseRevocation(call);
      await admit(request, () => auth.revokeToken(request));
      return { status: 200, headers: { pragma: "no-cache" }, body: Buffer.alloc(0) };
    },
  };
}

function metadataRoutes({ keySet }: TokenRouteDeps): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/.well-known/jwks.json",
      scheme: "none",
      summary: "The public keys that verify access tokens (RFC 7517).",
      tag,
      body: "none",
      success: {
        status: 200,
        description: "A JSON Web Key Set.",
        schema: objectSchema({ keys: arrayOf({ type: "object" }) }),
      },
      refusals: [],
      async handle() {
        const { document } = await keySet.current();
        return { status: 200, headers: { "content-type": "application/json", ...publicCache }, body: document };
      },
    },
    {
      method: "GET",
      path: "/.well-known/oauth-authorization-server",
      scheme: "none",
      summary: "What the authorization server offers (RFC 8414).",
      tag,
      body: "none",
      success: { status: 200, description: "Authorization server metadata.", schema: { type: "object" } },
      refusals: [],
      async handle() {
        const answer = jsonAnswer(serverMetadata((await keySet.current()).issuer));
        return { ...answer, headers: { ...answer.headers, ...publicCache } };
      },
    },
  ];
}

function serverMetadata(issuer: string): object {
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
