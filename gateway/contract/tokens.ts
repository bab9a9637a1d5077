import { answer, integer, listOf, oneOf, requestWith, text } from "./parts";
import type { Schema } from "./schema";

/**
 * Contracts of the authorization server. Its requests are read by RFC 6749, which names its own refusals and requires unknown parameters to
 * be ignored: the schemas only describe them.
 */

const client = { client_id: text("Absent with HTTP Basic."), client_secret: text("Absent with HTTP Basic.") } as const;

const open = <const S extends Schema>(schema: S) => ({ ...schema, additionalProperties: true });

export const tokenRequest = open(
  requestWith(
    "TokenRequest",
    "Credentials for a token.",
    { grant_type: oneOf("The only grant there is.", ["client_credentials"]) },
    { ...client, scope: text("Scopes parted by single spaces; absent asks for all that the client owns.") },
  ),
);

export const revocationRequest = open(
  requestWith(
    "RevocationRequest",
    "A token that shall not work any more.",
    { token: text("The access token.") },
    { token_type_hint: text("Not needed: there is one type of token."), ...client },
  ),
);

export const accessToken = answer("AccessToken", "A token and its life.", {
  access_token: text("RS256-signed JWT."),
  token_type: oneOf("Kind of token.", ["Bearer"]),
  expires_in: integer("Life of the token from now, in seconds."),
  scope: text("Granted scopes, parted by single spaces."),
});

export const keySet = answer("KeySet", "A JSON Web Key Set (RFC 7517).", {
  keys: listOf(
    "Its keys.",
    answer("PublicKey", "A key that verifies access tokens (RFC 7517).", {
      kty: oneOf("Kind of key.", ["RSA"]),
      n: text("Modulus, base64url."),
      e: text("Exponent, base64url."),
      kid: text("Id of the key, `kid` of the tokens that it verifies."),
      use: oneOf("What it is for.", ["sig"]),
      alg: oneOf("Algorithm.", ["RS256"]),
    }),
  ),
});

const words = (description: string) => listOf(description, text("Its name."));

export const serverMetadata = answer("AuthorizationServer", "What the authorization server offers (RFC 8414).", {
  issuer: text("Name of the server in its tokens."),
  token_endpoint: text("Where tokens are given."),
  revocation_endpoint: text("Where tokens are revoked."),
  jwks_uri: text("Where its keys are."),
  scopes_supported: words("Every scope."),
  response_types_supported: words("None: nothing is given by redirection."),
  grant_types_supported: words("Every grant."),
  token_endpoint_auth_methods_supported: words("How clients prove themselves for a token."),
  revocation_endpoint_auth_methods_supported: words("How clients prove themselves for a revocation."),
  tls_client_certificate_bound_access_tokens: {
    type: "boolean",
    description: "True: tokens may be bound to a certificate.",
  },
  service_documentation: text("Where people read about it."),
});
