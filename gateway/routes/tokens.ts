import type { Upstreams } from "../clients";
import type { KeySet } from "../key-set";
import { jsonAnswer, type Route, scopes } from "../route";
import { arrayOf, enumSchema, objectSchema, textSchema } from "../schemas/document-schema";
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
}

export function tokenRoutes(deps: TokenRouteDeps): readonly Route[] {
  return [tokenRoute(deps), ...metadataRoutes(deps)];
}

function tokenRoute({ auth }: TokenRouteDeps): Route {
  return {
    method: "POST",
    path: "/oauth/token",
    scheme: "none",
    errorForm: "oauth",
    summary: "Exchange client credentials for an access token (RFC 6749 section 4.4).",
    tag,
    body: "form",
    requestSchema: tokenRequestSchema,
    success: { status: 200, description: "The access token.", schema: tokenSchema },
    refusals: ["OAUTH_INVALID_REQUEST", "OAUTH_INVALID_CLIENT", "OAUTH_INVALID_SCOPE", "OAUTH_UNSUPPORTED_GRANT_TYPE"],
    async handle(call) {
      const token = await auth.issueToken(parseTokenRequest(call));
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
    service_documentation: `${base}/docs`,
  };
}
