import type { CorridorOptions } from "./options.ts";

/** A token is not used in the last minute of its life. */
const marginMs = 60_000;

export interface AccessToken {
  readonly value: string;
  readonly untilMs: number;
}

/** Tokens for the client's credentials: requests one at a time, and keeps it until shortly before its expiry. */
export interface TokenCache {
  get(): Promise<AccessToken>;
  /** Drops a refused token, unless a newer one has replaced it. */
  forget(token: AccessToken): void;
}

export function makeTokenCache(ask: () => Promise<{ value: string; lifeMs: number }>, now: () => number): TokenCache {
  let current: AccessToken | undefined;
  let asking: Promise<AccessToken> | undefined;
  const renew = async (): Promise<AccessToken> => {
    const askedAt = now();
    try {
      const { value, lifeMs } = await ask();
      current = { value, untilMs: askedAt + Math.max(lifeMs - marginMs, lifeMs / 2) };
      return current;
    } finally {
      asking = undefined;
    }
  };
  return {
    async get() {
      if (current !== undefined && current.untilMs > now()) return current;
      asking ??= renew();
      return asking;
    },
    forget(token) {
      if (current === token) current = undefined;
    },
  };
}

/** Returns the credentials of a scheme that uses no token. Throws if they were not given. */
export function keyHeaders(scheme: "tenant" | "agent", options: CorridorOptions): Record<string, string> {
  const key = { "x-api-key": required(options.apiKey, "apiKey") };
  if (scheme === "tenant") return key;
  const agent = required(options.agent, "agent");
  return { ...key, "x-agent-id": agent.id, "x-agent-api-key": agent.apiKey };
}

export function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new TypeError(`this call needs the option ${name}`);
  return value;
}
