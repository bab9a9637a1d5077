/** What the client measures time with, and waits by. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after the time; rejects with the signal's reason when that aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** An agent of the tenant, which some operations ask for. */
export interface AgentCredentials {
  readonly id: string;
  readonly apiKey: string;
}

/** A request that is about to be sent, without what proves who sends it. */
export interface Outgoing {
  /** For example `POST /v2/payment`. */
  readonly operation: string;
  readonly url: string;
  /** Which credential goes with it: an access token, the tenant's key, the agent's as well, or an operator's token. */
  readonly credential: "none" | "bearer" | "tenant" | "agent" | "operator" | "person";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
}

/** Where the platform is, who calls, and how patient the caller is. */
export interface CorridorOptions {
  /** For example `https://api.example.com`. */
  readonly baseUrl: string;
  /** Client credentials, for everything that asks for an access token. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The tenant and its API key, for people, webhooks and the feed. */
  readonly tenant?: string;
  readonly apiKey?: string;
  readonly agent?: AgentCredentials;
  /** How the platform's path names the provider that links bank accounts, `plaid` unless said. */
  readonly linker?: string;
  /** Another `fetch`: one with a client certificate, a proxy or a log. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Told of each request before anything is sent for it, once however often it is sent. What it throws ends the call. */
  readonly before?: (request: Outgoing) => void | Promise<void>;
  /** Longest time of a call with all that it repeats, 60 s unless said. */
  readonly timeoutMs?: number;
  /** Longest wait for one answer, 15 s unless said. */
  readonly attemptTimeoutMs?: number;
  /** How often a request is sent at most, 4 unless said. */
  readonly tries?: number;
  readonly clock?: Clock;
}

/** What can be said of a single call. */
export interface CallOptions {
  readonly timeoutMs?: number;
  readonly tries?: number;
  /** Ends the call. Where something had been sent that may be done, that is an `OutcomeUnknown`. */
  readonly signal?: AbortSignal;
  /** Only if the record is still as this entity tag says. */
  readonly ifMatch?: string;
  /** A command of an operator that a second one has been asked to approve. */
  readonly approval?: string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, ms);
      if (signal?.aborted === true) stop();
      else signal?.addEventListener("abort", stop, { once: true });
    }),
};
