import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import type { GetKeySetResponse } from "../proto/gen/corridor/auth/v1/auth_service";
import { type Clock, plusMs } from "../services/shared/kernel/clock";
import { errorFields, type Logger } from "../services/shared/process/logger";

/** The public keys of the auth service, as last seen. */
export interface Keys {
  issuer: string;
  /** The JWKS document as the auth service wrote it. */
  document: Buffer;
  find: JWTVerifyGetKey;
}

export interface KeySet {
  /** The present keys. Throws UNAVAILABLE only while none were ever seen. */
  current(): Promise<Keys>;
  /** The keys after a token named an unknown one: asks again, but not more often than every 10 s. */
  afterUnknownKey(): Promise<Keys>;
  /** Keeps what it has only until it can ask again: a key may have been taken out. */
  doubt(): void;
}

export interface KeySetDeps {
  getKeySet(request: Record<string, never>): Promise<GetKeySetResponse>;
  clock: Clock;
  logger: Logger;
}

/** A key that was taken out is still accepted for this long when no message says so. */
const freshMs = 60_000;
const betweenAttemptsMs = 10_000;
/** Rest after a failure while the keys are known to be in doubt. */
const retryMs = 500;

/** Keeps the key set in memory, so that a token is checked without asking anyone. */
export function makeKeySet({ getKeySet, clock, logger }: KeySetDeps): KeySet {
  let kept: { keys: Keys; staleAt: Date } | undefined;
  let nextAttemptAt = clock.now();
  let running: Promise<Keys> | undefined;
  let [doubts, settled] = [0, 0];

  const load = async (): Promise<Keys> => {
    const before = doubts;
    const response = await getKeySet({});
    const keys = readKeys(response);
    if (before !== doubts) return load();
    kept = { keys, staleAt: plusMs(clock.now(), freshMs) };
    settled = before;
    return keys;
  };
  const refresh = (): Promise<Keys> => {
    nextAttemptAt = plusMs(clock.now(), settled < doubts ? retryMs : betweenAttemptsMs);
    running ??= load().finally(() => {
      running = undefined;
    });
    return running;
  };
  /** Old keys are better than none: while the auth service is away, known tokens stay valid. */
  const refreshOrKeep = async (keys: Keys): Promise<Keys> => {
    if (clock.now() < nextAttemptAt) return running ?? keys;
    try {
      return await refresh();
    } catch (error) {
      logger.warn(errorFields(error), "the key set could not be refreshed");
      return keys;
    }
  };

  return {
    async current() {
      if (kept === undefined) return refresh();
      return clock.now() < kept.staleAt ? kept.keys : refreshOrKeep(kept.keys);
    },
    async afterUnknownKey() {
      return kept === undefined ? refresh() : refreshOrKeep(kept.keys);
    },
    doubt() {
      doubts += 1;
      nextAttemptAt = clock.now();
      if (kept !== undefined) kept = { ...kept, staleAt: nextAttemptAt };
    },
  };
}

function readKeys({ jwksJson, issuer }: GetKeySetResponse): Keys {
  const document = Buffer.from(jwksJson);
  const parsed: unknown = JSON.parse(document.toString("utf8"));
  if (!isKeySet(parsed)) throw new Error("the auth service sent no key set");
  return { issuer, document, find: createLocalJWKSet(parsed) };
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  return typeof value === "object" && value !== null && "keys" in value && Array.isArray(value.keys);
}
