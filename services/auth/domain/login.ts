import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { makeSealer } from "../../shared/crypto/sealing";
import { plusMs } from "../../shared/kernel/clock";
import type { Ids } from "../../shared/kernel/ids";
import type { Home } from "./user";

/**
 * A login in progress. The values that tie the provider's answer to it are derived from its secret, which only the caller who began it has.
 */
export interface Login {
  /** Digest of the secret. */
  id: string;
  home: Home;
  redirectUri: string;
  endsAt: Date;
}

/** A login by the provider's device grant (RFC 8628) in progress. */
export interface DeviceLogin {
  /** Digest of the secret. */
  id: string;
  home: Home;
  /** The provider's device code, sealed under a key that is made of the secret: neither the store nor a key of the service opens it. */
  sealedCode: string;
  intervalSeconds: number;
  /** From when on the provider may be asked. */
  askAt: Date;
  endsAt: Date;
}

/** A session of a person who has logged in. */
export interface Session {
  /** Digest of the secret. */
  id: string;
  /** Name of the session for places where its secret must not appear. */
  name: string;
  userId: string;
  home: Home;
  /** The provider's statements at the login. */
  claimedRoles: readonly string[];
  /** Time of the person's authentication at the provider; undefined when it did not say. */
  provenAt: Date | undefined;
  openedAt: Date;
  /** Last noted time of use. */
  seenAt: Date;
  endsAt: Date;
}

const loginMs = 10 * 60 * 1_000;
const minute = 60_000;
const hour = 60 * minute;
/** A session ends when it is not used, and after a working day at the latest. */
const lives = {
  operators: { idleMs: 15 * minute, longestMs: 8 * hour },
  tenants: { idleMs: 30 * minute, longestMs: 12 * hour },
} as const;
const lifeOf = (home: Home) => (home === "operators" ? lives.operators : lives.tenants);

/** Digest under which a secret is stored. A secret has 256 random bits, so it cannot be guessed. */
export const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("base64url");

/** A secret of a session; its prefix distinguishes it from other issuers' tokens. */
export const sessionSecret = (random: Buffer): string => `session_${random.toString("base64url")}`;
export const isSessionSecret = (text: string): boolean => /^session_[A-Za-z0-9_-]{43}$/.test(text);

export const loginSecret = (random: Buffer): string => `login_${random.toString("base64url")}`;

export const deviceSecret = (random: Buffer): string => `device_${random.toString("base64url")}`;

export const beginLogin = (secret: string, home: Home, redirectUri: string, now: Date): Login => ({
  id: digestOf(secret),
  home,
  redirectUri,
  endsAt: plusMs(now, loginMs),
});

/** Least time between two questions to a provider: longer than an answer may take, so that two are never asked at once. */
const leastIntervalSeconds = 5;
const slowerSeconds = 5;

const codeSealer = (secret: string, ids: Pick<Ids, "bytes">) =>
  makeSealer(createHmac("sha256", secret).update("device code").digest(), ids);
const placeOfCode = (id: string): string => `device_logins|${id}|code`;

/** Begins a login with a device code of the provider. It lasts no longer than any login. */
export function beginDeviceLogin(
  secret: string,
  home: Home,
  grant: { deviceCode: string; livesSeconds: number; intervalSeconds: number },
  { now, ids }: { now: Date; ids: Pick<Ids, "bytes"> },
): DeviceLogin {
  const id = digestOf(secret);
  const lifeMs = Math.min(grant.livesSeconds * 1_000, loginMs);
  return waiting({
    id,
    home,
    sealedCode: codeSealer(secret, ids).seal(grant.deviceCode, placeOfCode(id)),
    intervalSeconds: Math.max(leastIntervalSeconds, boundedInterval(Math.ceil(grant.intervalSeconds))),
    askAt: now,
    endsAt: plusMs(now, lifeMs),
  });
}

const boundedInterval = (seconds: number): number => Math.min(seconds, loginMs / 1_000);

/** Puts the next question off by the interval. */
const waiting = (login: DeviceLogin, now = login.askAt): DeviceLogin => ({
  ...login,
  askAt: plusMs(now, login.intervalSeconds * 1_000),
});

/** Makes all further questions rarer (RFC 8628 section 3.5). */
export const slower = (login: DeviceLogin): DeviceLogin => ({
  ...login,
  intervalSeconds: boundedInterval(login.intervalSeconds + slowerSeconds),
});

/** Decides what a question does: asks the provider, and puts the next one off, or comes too early and makes all further ones rarer. */
export const question = (login: DeviceLogin, now: Date): { isDue: boolean; next: DeviceLogin } =>
  now < login.askAt ? { isDue: false, next: slower(login) } : { isDue: true, next: waiting(login, now) };

export const openDeviceCode = (secret: string, { id, sealedCode }: DeviceLogin, ids: Pick<Ids, "bytes">): string =>
  codeSealer(secret, ids).open(sealedCode, placeOfCode(id)).toString();

/** State, nonce and PKCE verifier of a login. */
export function tiesOf(secret: string, redirectUri: string) {
  const derived = (what: string): string => createHmac("sha256", secret).update(what).digest("base64url");
  return { redirectUri, state: derived("state"), nonce: derived("nonce"), verifier: derived("verifier") };
}

/** Compares digests, so that timing reveals nothing. */
export const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(one)), Buffer.from(digestOf(other)));

export const openSession = (
  secret: string,
  facts: Pick<Session, "name" | "userId" | "home" | "claimedRoles" | "provenAt">,
  now: Date,
): Session => ({
  ...facts,
  id: digestOf(secret),
  openedAt: now,
  seenAt: now,
  endsAt: plusMs(now, lifeOf(facts.home).longestMs),
});

/** Returns when the session ends if it is not used again. */
export const endOf = ({ home, seenAt, endsAt }: Session): Date => {
  const idleEnd = plusMs(seenAt, lifeOf(home).idleMs);
  return idleEnd < endsAt ? idleEnd : endsAt;
};

/** True when its use has to be noted: not more than once a minute. */
export const isUnnoted = ({ seenAt }: Session, now: Date): boolean => now >= plusMs(seenAt, minute);
