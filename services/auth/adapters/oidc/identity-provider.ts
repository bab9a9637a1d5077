import { createHash } from "node:crypto";
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { beginningOfTime, plusMs, systemClock } from "../../../shared/kernel/clock";
import { DomainError } from "../../../shared/kernel/errors";
import type { ProviderSettings } from "../../domain/oidc-settings";
import type { IdentityProvider, LoginTies, PersonClaims } from "../../ports";
import { askAsClient, askProvider, isSafeUrl } from "./ask-provider";
import { askDevice, beginDevice } from "./device-grant";
import { takesRedirect } from "./redirect";

/** The provider's metadata (OpenID Connect Discovery). */
interface Metadata {
  authorizationEndpoint: string;
  tokenEndpoint: string;
  /** Undefined for a provider without a device grant. */
  deviceEndpoint: string | undefined;
  keys: JWTVerifyGetKey;
}

/** Signature algorithms that are verified with a public key; never one that uses the client's own secret. */
const algorithms = ["RS256", "PS256", "ES256", "ES384", "EdDSA"];
const leewaySeconds = 30;
/** Greatest age of an identity token, and of the authentication that it reports: both were just requested. */
const freshSeconds = 300;
const metadataMs = 10 * 60 * 1_000;
const keysMs = 10 * 60 * 1_000;
/** An unknown key is requested at once, but not more often than this. */
const betweenKeysMs = 5_000;
const answerMs = 3_000;

const refuse = (message: string, cause?: unknown): DomainError =>
  new DomainError("UNAUTHENTICATED", message, { cause });

/**
 * One OpenID Connect provider, used as a client of the authorization code flow with PKCE (S256) and of the device grant. It uses real time,
 * whatever the business time is.
 */
export function makeIdentityProvider(settings: ProviderSettings): IdentityProvider {
  const { issuer, clientId, audience, otherClients } = settings;
  const metadata = keepMetadata(settings);
  const clients = new Set([clientId, ...otherClients]);

  const verify = async (token: string, expectedAudience: string, message: string): Promise<JWTPayload> => {
    const { keys } = await metadata();
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms,
        issuer,
        audience: expectedAudience,
        requiredClaims: ["exp", "iat", "sub"],
        clockTolerance: leewaySeconds,
        currentDate: systemClock.now(),
      });
      return payload;
    } catch (error) {
      if (isAway(error))
        throw new DomainError("UNAVAILABLE", "the identity provider does not answer", { cause: error });
      if (error instanceof errors.JOSEError) throw refuse(message, error);
      throw error;
    }
  };
  const claimsOf = (payload: JWTPayload): PersonClaims => readClaims(payload, settings);

  const readIdentity = async (idToken: string, expectedNonce: string | undefined): Promise<PersonClaims> => {
    const payload = await verify(idToken, clientId, "the identity token is not valid");
    const { nonce, iat = 0, azp, aud } = payload;
    if (nonce !== expectedNonce) throw refuse("the identity token is of another login");
    const isForUs = azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === clientId;
    if (!isForUs) throw refuse("the identity token is of another client");
    if (systemClock.now().getTime() / 1_000 - iat > freshSeconds) throw refuse("the identity token is too old");
    return claimsOf(payload);
  };

  return {
    takesRedirect: (uri) => takesRedirect(uri, settings.redirectUris),
    isIssuer: (named) => named === undefined || named === issuer,
    async authorizationUrl(ties) {
      const url = new URL((await metadata()).authorizationEndpoint);
      for (const [name, value] of Object.entries(questionOf(settings, ties))) url.searchParams.set(name, value);
      return url.href;
    },
    async redeem(code, ties) {
      return readIdentity(await exchange(await metadata(), settings, code, ties), ties.nonce);
    },
    beginDevice: async () => beginDevice((await metadata()).deviceEndpoint, settings, questionOfPerson(settings)),
    askDevice: async (deviceCode) => askDevice((await metadata()).tokenEndpoint, settings, deviceCode),
    // The device grant has no nonce; a token with one is of another login.
    readDeviceIdentity: (idToken) => readIdentity(idToken, undefined),
    async readToken(token) {
      const payload = await verify(token, audience, "the token is not valid");
      const client = payload["azp"] ?? payload["client_id"];
      // An identity token says who a person is; it gives no access.
      if (typeof client !== "string" || !clients.has(client) || payload["nonce"] !== undefined) {
        throw refuse("the token is not one for this platform");
      }
      return { ...claimsOf(payload), issuedAt: instantOf(payload.iat), expiresAt: instantOf(payload.exp) };
    },
  };
}

const instantOf = (seconds = 0): Date => plusMs(beginningOfTime, seconds * 1_000);

const questionOf = (settings: ProviderSettings, { redirectUri, state, nonce, verifier }: LoginTies) => ({
  response_type: "code",
  client_id: settings.clientId,
  redirect_uri: redirectUri,
  state,
  nonce,
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  code_challenge_method: "S256",
  ...questionOfPerson(settings),
});

/** What every login asks about the person. */
const questionOfPerson = ({ secondFactor }: ProviderSettings) => ({
  scope: "openid email",
  // Makes a person with an older authentication log in again, and makes the answer include its time (auth_time).
  max_age: String(freshSeconds),
  ...(secondFactor === undefined || secondFactor.acr.length === 0 ? {} : { acr_values: secondFactor.acr.join(" ") }),
});

function readClaims(payload: JWTPayload, { issuer, rolesClaim, secondFactor }: ProviderSettings): PersonClaims {
  const { sub = "", email, email_verified: isVerified, amr, acr, auth_time: provenAt } = payload;
  const factors = textsOf(amr).some((one) => secondFactor?.amr.includes(one));
  const isStrong = typeof acr === "string" && secondFactor?.acr.includes(acr) === true;
  return {
    subject: createHash("sha256")
      .update(JSON.stringify([issuer, sub]))
      .digest("base64url"),
    email: isVerified === true && typeof email === "string" ? email.toLowerCase() : undefined,
    groups: textsOf(payload[rolesClaim]),
    provenAt: typeof provenAt === "number" ? instantOf(provenAt) : undefined,
    hasSecondFactor: secondFactor === undefined || factors || isStrong,
  };
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];

/** The provider's keys cannot be read; any other error is the fault of the token. */
const isAway = (error: unknown): boolean =>
  error instanceof errors.JWKSTimeout ||
  !(error instanceof errors.JOSEError) ||
  error.code === "ERR_JOSE_GENERIC" ||
  error instanceof errors.JWKSInvalid;

/** Exchanges the code for an identity token. */
async function exchange(
  { tokenEndpoint }: Metadata,
  settings: ProviderSettings,
  code: string,
  { redirectUri, verifier }: LoginTies,
): Promise<string> {
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
  const { status, json } = await askAsClient(tokenEndpoint, settings, form);
  const idToken = json["id_token"];
  if (status !== 200 || typeof idToken !== "string") throw refuse("the identity provider refuses the code");
  return idToken;
}

/** Caches the provider's metadata for a while, and for as long as the provider is away. */
function keepMetadata({ issuer }: ProviderSettings): () => Promise<Metadata> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const keysAt = keepKeys();
  let kept: { metadata: Metadata; staleAt: Date } | undefined;
  const load = async (): Promise<Metadata> => {
    const { status, json } = await askProvider(address, {});
    const metadata = status === 200 ? readMetadata(json, issuer, keysAt) : undefined;
    if (metadata === undefined)
      throw new DomainError("UNAVAILABLE", "the metadata of the identity provider cannot be read");
    return metadata;
  };
  return async () => {
    const now = systemClock.now();
    if (kept !== undefined && now < kept.staleAt) return kept.metadata;
    const before = kept?.metadata;
    const metadata = await load().catch((error: unknown) => {
      if (before === undefined) throw error;
      return before;
    });
    kept = { metadata, staleAt: plusMs(now, metadataMs) };
    return metadata;
  };
}

/** Cached keys are kept when the addresses are read again. */
function keepKeys(): (url: string) => JWTVerifyGetKey {
  let kept: { url: string; keys: JWTVerifyGetKey } | undefined;
  return (url) => {
    if (kept?.url !== url) {
      const times = { timeoutDuration: answerMs, cooldownDuration: betweenKeysMs, cacheMaxAge: keysMs };
      kept = { url, keys: createRemoteJWKSet(new URL(url), times) };
    }
    return kept.keys;
  };
}

function readMetadata(
  json: Readonly<Record<string, unknown>>,
  issuer: string,
  keysAt: (url: string) => JWTVerifyGetKey,
): Metadata | undefined {
  const { issuer: named, authorization_endpoint: authorize, token_endpoint: token, jwks_uri: keys } = json;
  const { device_authorization_endpoint: device } = json;
  // Metadata must not point to endpoints of another party: they must belong to the issuer, and use the same kind of connection.
  const isSafe = (url: unknown): url is string => isSafeUrl(url, issuer);
  if (named !== issuer || !isSafe(authorize) || !isSafe(token) || !isSafe(keys)) return undefined;
  const deviceEndpoint = isSafe(device) ? device : undefined;
  return { authorizationEndpoint: authorize, tokenEndpoint: token, deviceEndpoint, keys: keysAt(keys) };
}
