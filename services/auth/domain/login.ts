import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { plusMs } from "../../shared/kernel/clock";
import type { Home } from "./user";

/** A login that somebody has begun. What ties the provider's answer to it follows from its secret, which only the beginner has. */
export interface Login {
  /** Digest of the secret. */
  id: string;
  home: Home;
  redirectUri: string;
  endsAt: Date;
}

/** Somebody who has logged in, for as long as this lasts. */
export interface Session {
  /** Digest of the secret. */
  id: string;
  /** What it is called where its secret must not be. */
  name: string;
  userId: string;
  home: Home;
  /** What the provider said at the login. */
  claimedRoles: readonly string[];
  /** When the person proved himself at the provider; undefined when it did not say. */
  provenAt: Date | undefined;
  openedAt: Date;
  /** When it was last used, as far as that was noted. */
  seenAt: Date;
  endsAt: Date;
}

const loginMs = 10 * 60 * 1_000;
const minute = 60_000;
const hour = 60 * minute;
/** A session that nobody uses ends, and none lasts longer than a working day. */
const lives = {
  operators: { idleMs: 15 * minute, longestMs: 8 * hour },
  tenants: { idleMs: 30 * minute, longestMs: 12 * hour },
} as const;
const lifeOf = (home: Home) => (home === "operators" ? lives.operators : lives.tenants);

/** What a secret is stored under. It has 256 random bits, so that nobody finds it by trying. */
export const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("base64url");

/** A secret of a session, told from tokens of others by its beginning. */
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

/** Compares digests, so that time tells nothing. */
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

/** When it ends if nobody uses it any more. */
export const endOf = ({ home, seenAt, endsAt }: Session): Date => {
  const idleEnd = plusMs(seenAt, lifeOf(home).idleMs);
  return idleEnd < endsAt ? idleEnd : endsAt;
};

/** True when its use has to be noted: not more than once a minute. */
export const isUnnoted = ({ seenAt }: Session, now: Date): boolean => now >= plusMs(seenAt, minute);
