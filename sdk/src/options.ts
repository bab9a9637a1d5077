/** The clock with which the client measures time and waits. */
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

/** A request that is about to be sent, without its credentials. */
export interface Outgoing {
  /** For example `POST /v2/payment`. */
  readonly operation: string;
  readonly url: string;
  /** The credential that goes with it: an access token, the tenant's key, the agent's as well, or an operator's token. */
  readonly credential: "none" | "bearer" | "tenant" | "agent" | "operator" | "person";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
}

/** The platform's address, the caller's credentials, and time limits. */
export interface CorridorOptions {
  /** For example `https://api.example.com`. */
  readonly baseUrl: string;
  /** Client credentials, for every operation that needs an access token. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The tenant and its API key, for people, webhooks and the feed. */
  readonly tenant?: string;
  readonly apiKey?: string;
  readonly agent?: AgentCredentials;
  /** Name of the provider that links bank accounts in the platform's path, `plaid` by default. */
  readonly linker?: string;
  /** Another `fetch`: one with a client certificate, a proxy or a log. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Called with each request before anything is sent for it, once however often it is sent. An error that it throws ends the call. */
  readonly before?: (request: Outgoing) => void | Promise<void>;
  /** Longest time of a call with all its repeats, 60 s by default. */
  readonly timeoutMs?: number;
  /** Longest wait for one answer, 15 s by default. */
  readonly attemptTimeoutMs?: number;
  /** How often a request is sent at most, 4 by default. */
  readonly tries?: number;
  readonly clock?: Clock;
}

/** Options of a single call. */
export interface CallOptions {
  readonly timeoutMs?: number;
  readonly tries?: number;
  /** Ends the call. If something was sent that may be done, it ends with an `OutcomeUnknown`. */
  readonly signal?: AbortSignal;
  /** Makes the change only if the record still has this entity tag. */
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
