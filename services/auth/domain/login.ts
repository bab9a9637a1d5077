import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { plusMs } from "../../shared/kernel/clock";
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

export const beginLogin = (secret: string, home: Home, redirectUri: string, now: Date): Login => ({
  id: digestOf(secret),
  home,
  redirectUri,
  endsAt: plusMs(now, loginMs),
});

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
