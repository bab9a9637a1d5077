import { errors, type JWTPayload, jwtVerify } from "jose";
import { makeBoundedCache } from "../services/shared/kernel/bounded-cache";
import { type Clock, plusMs } from "../services/shared/kernel/clock";
import { DomainError } from "../services/shared/kernel/errors";
import type { Profile } from "../services/shared/kernel/profile";
import type { KeySet, Keys } from "./key-set";

/** The client that a valid access token identifies. */
export interface TokenHolder {
  /** Claim `jti` of the token. */
  id: string;
  tenant: string;
  /** Id of the OAuth client. */
  client: string;
  /** Public part of the client secret that it was issued for. */
  secretId: string;
  scopes: ReadonlySet<string>;
  /** SHA-256 of the certificate that the token works with, base64url (RFC 8705 section 3.1); undefined for any. */
  thumbprint: string | undefined;
}

export interface VerifyBearerDeps {
  keySet: Pick<KeySet, "current" | "afterUnknownKey">;
  /** Tokens for another audience or of another environment are refused. */
  audience: string;
  environment: Profile;
  clock: Clock;
}

const clockLeewaySeconds = 30;
const cacheCapacity = 10_000;
/** Longest time for which a verdict is cached, so that a key that is removed from the set stops working all the same. */
const cacheMs = 60_000;

/** The end of its signature identifies a token: it is practically random, and much shorter than the whole. */
const keyLength = 43;

/** A good token, as it was sent: a token with any difference is checked again. */
interface Seen {
  token: string;
  holder: TokenHolder;
}

/** True for three parts in the canonical spelling of RFC 7515 section 2: no padding, and all unused bits zero. */
function isCanonical(token: string): boolean {
  const parts = token.split(".");
  return parts.length === 3 && parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
}

const refusal = (cause?: unknown): DomainError =>
  new DomainError("UNAUTHENTICATED", "the access token is not valid", { cause });

export interface VerifyBearer {
  /** Throws UNAUTHENTICATED for anything but a token of this issuer, audience and environment that has not expired. */
  verify(token: string): Promise<TokenHolder>;
  /** Drops all cached verdicts. */
  forget(): void;
}

/** Checks access tokens (RS256 JWT) against the cached key set. */
export function makeVerifyBearer(deps: VerifyBearerDeps): VerifyBearer {
  const known = makeBoundedCache<Seen>(cacheCapacity, deps.clock);
  let forgotten = 0;
  return {
    async verify(token) {
      const key = token.slice(-keyLength);
      const hit = known.get(key);
      if (hit?.token === token) return hit.holder;
      if (!isCanonical(token)) throw refusal();
      const before = forgotten;
      const payload = await verifyWithRefresh(token, deps);
      const holder = readHolder(payload, deps.environment);
      const now = deps.clock.now();
      const expiresInMs = ((payload.exp ?? 0) + clockLeewaySeconds) * 1_000 - now.getTime();
      if (before === forgotten) known.set(key, { token, holder }, plusMs(now, Math.min(expiresInMs, cacheMs)));
      return holder;
    },
    forget() {
      forgotten += 1;
      known.clear();
    },
  };
}

async function verifyWithRefresh(token: string, deps: VerifyBearerDeps): Promise<JWTPayload> {
  try {
    const payload = await verify(token, await deps.keySet.current(), deps);
    return payload ?? (await verify(token, await deps.keySet.afterUnknownKey(), deps)) ?? deny();
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refusal(error);
    throw error;
  }
}

function deny(): never {
  throw refusal();
}

/** Returns the claims of a valid token, or undefined when the set does not hold its key. */
async function verify(
  token: string,
  keys: Keys,
  { audience, clock }: VerifyBearerDeps,
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, keys.find, {
      algorithms: ["RS256"],
      issuer: keys.issuer,
      audience,
      typ: "at+jwt",
      requiredClaims: ["exp", "sub", "tenant", "env", "scope"],
      clockTolerance: clockLeewaySeconds,
      currentDate: clock.now(),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined;
    throw error;
  }
}

function readHolder(payload: JWTPayload, environment: Profile): TokenHolder {
  const { jti: id = "", tenant, env, scope, sub: client = "", secret_id: secretId } = payload;
  if (typeof tenant !== "string" || tenant === "" || typeof scope !== "string" || env !== environment) throw refusal();
  if (typeof secretId !== "string" || secretId === "") throw refusal();
  const thumbprint = readThumbprint(payload["cnf"]);
  return { id, tenant, client, secretId, scopes: new Set(scope.split(" ")), thumbprint };
}

/** A confirmation that this gateway does not understand is never treated as absent. */
function readThumbprint(confirmation: unknown): string | undefined {
  if (confirmation === undefined) return undefined;
  const isObject = typeof confirmation === "object" && confirmation !== null;
  const thumbprint: unknown = isObject ? Reflect.get(confirmation, "x5t#S256") : undefined;
  if (typeof thumbprint !== "string" || thumbprint === "") throw refusal();
  return thumbprint;
}
