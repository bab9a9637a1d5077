import { hash } from "node:crypto";
import type { IssueTokenRequest, IssueTokenResponse } from "../../proto/gen/corridor/auth/v1/auth_service";
import { makeBoundedCache } from "../../services/shared/bounded-cache";
import { type Clock, plusMs } from "../../services/shared/clock";
import { hasReason } from "../../services/shared/errors";
import { scopes } from "../../services/shared/scopes";
import type { Upstreams } from "../clients";
import type { KeySet } from "../key-set";
import { type Limits, overLimit, type RateLimiter } from "../rate-limiter";
import { jsonAnswer, type Route } from "../route";
import { arrayOf, enumSchema, objectSchema, textSchema } from "../schemas/document-schema";
import type { StrangerBudget } from "../stranger-budget";
import { parseTokenRequest } from "../token-request";

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
  return [tokenRoute(deps), ...metadataRoutes(deps)];
}

/** Who asks for tokens before it is known who that is: nobody else can use up the share of a client. */
const holderOf = ({ clientId, address }: IssueTokenRequest): string =>
  hash("sha256", JSON.stringify([clientId, address]), "base64url");

/** Issues a token within the client's share; wrong credentials have a share of their own, which shuts out a guesser. */
async function issueWithin(
  request: IssueTokenRequest,
  { auth, limiter, limits }: TokenRouteDeps,
): Promise<IssueTokenResponse> {
  const holder = holderOf(request);
  const shares = [limiter.peek(holder, limits.tokenFailure), await limiter.take(holder, limits.token)];
  const refused = shares.find(({ isAllowed }) => !isAllowed);
  if (refused !== undefined) throw overLimit(refused);
  try {
    return await auth.issueToken(request);
  } catch (error) {
    if (hasReason(error, "OAUTH_INVALID_CLIENT")) await limiter.take(holder, limits.tokenFailure);
    throw error;
  }
}

/** The same within what strangers of the address may try: another name of a client each time is no way around. */
function makeIssue(deps: TokenRouteDeps): (request: IssueTokenRequest) => Promise<IssueTokenResponse> {
  const proven = makeBoundedCache<true>(mostProven, deps.clock);
  return async (request) => {
    const holder = holderOf(request);
    const issue = (): Promise<IssueTokenResponse> => issueWithin(request, deps);
    const isProven = proven.get(holder) === true;
    const answer = await (isProven ? issue() : deps.strangers.attempt(request.address, issue));
    proven.set(holder, true, plusMs(deps.clock.now(), provenForMs));
    return answer;
  };
}

function tokenRoute(deps: TokenRouteDeps): Route {
  const issue = makeIssue(deps);
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
      const token = await issue(parseTokenRequest(call));
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
    jwks_uri: `${base}/.well-known/jwks.json`,
    scopes_supported: scopes,
    response_types_supported: [],
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    tls_client_certificate_bound_access_tokens: true,
    service_documentation: `${base}/docs`,
  };
}
