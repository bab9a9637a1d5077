import type { LeaseTokensRequest, LeaseTokensResponse } from "../proto/gen/corridor/auth/v1/auth_service";
import { monotonicMs, systemClock } from "../services/shared/kernel/clock";
import { DomainError } from "../services/shared/kernel/errors";
import { type Bucket, takeTokens } from "../services/shared/kernel/token-bucket";
import { errorFields, type Logger } from "../services/shared/process/logger";

/** A limit on a holder's calls. */
export interface Limit {
  /** Names the limit among others of the same holder. */
  name: string;
  perSecond: number;
  /** Most calls at once. */
  burst: number;
}

/** The remainder of a holder's share. */
export interface Share {
  isAllowed: boolean;
  limit: Limit;
  remaining: number;
  /** Seconds until one more call is allowed; 0 when one is. */
  waitSeconds: number;
}

/** Shares that all replicas of the gateway hand out together. */
export interface RateLimiter {
  /** Takes one call out of the holder's share. */
  take(holder: string, limit: Limit): Promise<Share>;
  /** The share as this replica knows it; nothing is taken. */
  peek(holder: string, limit: Limit): Share;
}

export interface RateLimiterDeps {
  leaseTokens(request: LeaseTokensRequest): Promise<LeaseTokensResponse>;
  logger: Logger;
}

/** This replica's portion of one bucket. */
interface Lease {
  tokens: number;
  /** Tokens that were left in the bucket when it was last asked. */
  left: number;
  askedMs: number;
  /** Before this time the bucket has nothing. */
  emptyUntilMs: number;
  running: Promise<void> | undefined;
  waiting: number;
  /** What this replica knows of the shared bucket, and goes on from by itself while that cannot be asked. */
  own: Bucket | undefined;
}

const mostLeases = 50_000;
/** Leased tokens lapse, so that no caller collects them. */
const leaseMs = 1_000;
/** A slow bucket must not make requests slow. */
const patienceMs = 500;

/**
 * Leases a twentieth of the burst at a time and spends it without asking; the next lease is requested before the last one is spent. Every
 * token spent was taken from the shared bucket, so replicas cannot admit more than it holds. While the bucket cannot be asked, each replica
 * hands out by itself what was left in it and what has come since: a limit must not take the platform down.
 */
export function makeRateLimiter({ leaseTokens, logger }: RateLimiterDeps): RateLimiter {
  const leases = new Map<string, Lease>();

  const leaseOf = (bucket: string): Lease => {
    const known = leases.get(bucket);
    if (known !== undefined) return known;
    const [oldest] = leases.keys();
    if (leases.size >= mostLeases && oldest !== undefined) leases.delete(oldest);
    const fresh = { tokens: 0, left: 0, askedMs: 0, emptyUntilMs: 0, running: undefined, waiting: 0, own: undefined };
    leases.set(bucket, fresh);
    return fresh;
  };

  const ask = makeAsker(leaseTokens, logger);
  const refill = (lease: Lease, bucket: string, limit: Limit): Promise<void> => {
    lease.running ??= ask(lease, bucket, limit).finally(() => {
      lease.running = undefined;
    });
    return lease.running;
  };

  const spend = (lease: Lease, bucket: string, limit: Limit): Share => {
    lease.tokens -= 1;
    const part = burstPart(limit);
    // Small leases are requested when they are needed: tokens requested too early would lapse.
    if (part >= 4 && lease.tokens < part / 2 && lease.left >= 1) void refill(lease, bucket, limit);
    if (lease.tokens < 1 && lease.left < 1) {
      lease.emptyUntilMs = lease.askedMs + ((1 - lease.left) / limit.perSecond) * 1_000;
    }
    return shareOf(lease, limit, true);
  };

  return {
    async take(holder, limit) {
      const bucket = `${limit.name}:${holder}`;
      const lease = leaseOf(bucket);
      lease.waiting += 1;
      try {
        for (;;) {
          const now = monotonicMs();
          if (lease.tokens >= 1 && now - lease.askedMs < leaseMs) return spend(lease, bucket, limit);
          if (now < lease.emptyUntilMs) return shareOf(lease, limit, false);
          await refill(lease, bucket, limit);
        }
      } finally {
        lease.waiting -= 1;
      }
    },
    peek(holder, limit) {
      const lease = leases.get(`${limit.name}:${holder}`);
      if (lease === undefined) return { isAllowed: true, limit, remaining: limit.burst, waitSeconds: 0 };
      return shareOf(lease, limit, monotonicMs() >= lease.emptyUntilMs);
    },
  };
}

/** Asks the shared bucket for more tokens, or this replica's own one while that is away. */
const makeAsker =
  (leaseTokens: RateLimiterDeps["leaseTokens"], logger: Logger) =>
  async (lease: Lease, bucket: string, limit: Limit): Promise<void> => {
    const { perSecond, burst } = limit;
    const wanted = Math.max(burstPart(limit), lease.waiting);
    const demand = { capacity: burst, perSecond, wanted };
    let answer: LeaseTokensResponse;
    try {
      answer = await inTime(leaseTokens({ bucket, ...demand }));
      lease.own = { tokens: answer.left, at: systemClock.now() };
    } catch (error) {
      logger.warn(errorFields(error), "the shared rate limit cannot be read; this replica counts alone");
      const { next, granted } = takeTokens(lease.own, demand, systemClock.now());
      lease.own = next;
      answer = { granted, left: next.tokens };
    }
    const now = monotonicMs();
    lease.tokens = (now - lease.askedMs < leaseMs ? lease.tokens : 0) + answer.granted;
    lease.left = answer.left;
    lease.askedMs = now;
    if (answer.granted === 0) lease.emptyUntilMs = now + (Math.max(0, 1 - answer.left) / perSecond) * 1_000;
  };

function shareOf(lease: Lease, limit: Limit, isAllowed: boolean): Share {
  const waitMs = Math.max(0, lease.emptyUntilMs - monotonicMs());
  const remaining = Math.floor(lease.tokens + lease.left);
  return { isAllowed, limit, remaining: isAllowed ? remaining : 0, waitSeconds: Math.ceil(waitMs / 1_000) };
}

/** Returns the number of tokens that one lease asks for. */
const burstPart = ({ burst }: Limit): number => Math.ceil(burst / 20);

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the bucket did not answer in time")), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Limits of single routes beside those of all reads and writes, and the limit that each is part of: `RouteFacts.limit` names one. */
export const routeLimits = {
  payment: { name: "payment", perSecond: 25, burst: 50, of: "new payments" },
  check: { name: "check", perSecond: 5, burst: 10, of: "checks of accounts and cards" },
  agentCreation: { name: "agent-creation", perSecond: 5 / 60, burst: 5, of: "new agents" },
  secretRotation: { name: "secret-rotation", perSecond: 5 / 60, burst: 5, of: "signing secrets" },
  userChange: { name: "user-change", perSecond: 30 / 60, burst: 30, of: "changes of users" },
  credentialChange: { name: "credential-change", perSecond: 30 / 60, burst: 30, of: "changes of keys and clients" },
  webhookChange: { name: "webhook-change", perSecond: 30 / 60, burst: 30, of: "changes of webhooks" },
} as const satisfies Record<string, Limit & { of: string }>;

export type RouteLimit = keyof typeof routeLimits;

const generalLimits = {
  read: { name: "read", perSecond: 100, burst: 200 },
  write: { name: "write", perSecond: 50, burst: 100 },
  /** Limits of one person, beside those of the tenant's programs and people together. */
  userRead: { name: "user-read", perSecond: 20, burst: 60 },
  userWrite: { name: "user-write", perSecond: 5, burst: 15 },
  token: { name: "token", perSecond: 5, burst: 10 },
  /** Refusals of a tenant that the audit log records one by one. */
  refusalRecord: { name: "refusal-record", perSecond: 20 / 60, burst: 60 },
  /** Wrong client credentials. */
  tokenFailure: { name: "token-failure", perSecond: 20 / 900, burst: 20 },
} as const satisfies Record<string, Limit>;

export type Limits = Readonly<Record<RouteLimit | keyof typeof generalLimits, Limit>>;

/** The limits of this platform, each multiplied by a factor. */
export function makeLimits(factor: number): Limits {
  const scaled = ({ name, perSecond, burst }: Limit): Limit => ({
    name,
    perSecond: perSecond * factor,
    burst: burst * factor,
  });
  const all = Object.entries({ ...generalLimits, ...routeLimits });
  return Object.fromEntries(all.map(([key, limit]) => [key, scaled(limit)])) as Limits;
}

/** The refusal of a call that is over its share. */
export function overLimit({ limit, waitSeconds }: Share): DomainError {
  const details = { limitPerSecond: limit.perSecond, retryAfterSeconds: Math.max(1, waitSeconds) };
  return new DomainError("RATE_LIMITED", "too many requests", { details });
}

/** Header fields that state a caller's quota (draft-ietf-httpapi-ratelimit-headers, as three fields). */
export function shareHeaders({ limit, remaining, waitSeconds }: Share): Record<string, string> {
  const fullInSeconds = Math.ceil((limit.burst - remaining) / limit.perSecond);
  return {
    "ratelimit-limit": String(limit.burst),
    "ratelimit-remaining": String(Math.min(remaining, limit.burst)),
    "ratelimit-reset": String(Math.max(waitSeconds, fullInSeconds)),
  };
}
