import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import type { GetKeySetResponse } from "../proto/gen/corridor/auth/v1/auth_service";
import { type Clock, plusMs } from "../services/shared/kernel/clock";
import { errorFields, type Logger } from "../services/shared/process/logger";

/** The public keys of the auth service, as last read. */
export interface Keys {
  issuer: string;
  /** The JWKS document as the auth service wrote it. */
  document: Buffer;
  find: JWTVerifyGetKey;
}

export interface KeySet {
  /** Returns the current keys. Throws UNAVAILABLE only if none were ever read. */
  current(): Promise<Keys>;
  /** Returns the keys after a token named an unknown one: asks again, but at most every 10 s. */
  afterUnknownKey(): Promise<Keys>;
  /** Keeps the current keys only until it can ask again: a key may have been removed. */
  doubt(): void;
}

export interface KeySetDeps {
  getKeySet(request: Record<string, never>): Promise<GetKeySetResponse>;
  clock: Clock;
  logger: Logger;
}

/** How long a removed key is still accepted when no message reports its removal. */
const freshMs = 60_000;
const betweenAttemptsMs = 10_000;
/** Pause after a failure while the keys may be out of date. */
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
