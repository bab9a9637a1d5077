import { DomainError, hasReason } from "../services/shared/kernel/errors";
import { neighbourhood } from "./callers";
import { makePace, type Pace } from "./pace";

/** Limits the cost of callers, by address or IPv6 network, until they are known. Nothing here asks another process. */
export interface StrangerBudget {
  /**
   * Counts an answer to an unauthenticated caller; false: the address has used up its share, and its connection should end with this
   * answer.
   */
  serve(address: string): boolean;
  /** Takes one request that needs no credential. Throws RATE_LIMITED when the address has used up its share. */
  ask(address: string): void;
  /**
   * Tries a credential that another process has to check. Throws RATE_LIMITED, without trying, when too many from the address have failed
   * or are being tried.
   */
  attempt<T>(address: string, judge: () => Promise<T>): Promise<T>;
  /** Counts a wrong credential. Throws RATE_LIMITED when there were too many from the address. */
  fail(address: string): void;
  /** Takes a place among strangers' requests in progress. Throws RATE_LIMITED when there is none. */
  enter(address: string): () => void;
  /** Takes a place among strangers' incoming bodies. Throws RATE_LIMITED when there is none. */
  receive(address: string): () => void;
}

export interface StrangerBudgetOptions {
  /** Multiplies every share. */
  factor: number;
}

/** Answers of any kind to unauthenticated callers: probes, pages, refusals. */
const served = { burst: 400, perSecond: 50 };
/** Requests without a credential: metadata, documentation. */
const asked = { burst: 100, perSecond: 10 };
/** Wrong credentials per quarter of an hour. */
const failed = { burst: 200, perSecond: 200 / 900 };
const worked = { perAddress: 32, inAll: 256 };
const received = { perAddress: 32, inAll: 256 };

const refuse = (waitSeconds: number): DomainError =>
  new DomainError("RATE_LIMITED", "too many requests of this address without a good credential", {
    details: { retryAfterSeconds: Math.max(1, waitSeconds) },
  });

export function makeStrangerBudget({ factor }: StrangerBudgetOptions): StrangerBudget {
  const times = ({ burst, perSecond }: typeof asked) =>
    makePace({ burst: burst * factor, perSecond: perSecond * factor });
  const answers = times(served);
  const requests = times(asked);
  const failures = times(failed);
  const takeOf = (pace: Pace, name: string): void => {
    if (!pace.take(name)) throw refuse(pace.waitSeconds(name));
  };
  return {
    serve: (address) => answers.take(neighbourhood(address)),
    ask: (address) => takeOf(requests, neighbourhood(address)),
    async attempt(address, judge) {
      const name = neighbourhood(address);
      takeOf(failures, name);
      try {
        const answer = await judge();
        failures.refill(name);
        return answer;
      } catch (error) {
        if (!hasReason(error, "UNAUTHENTICATED", "OAUTH_INVALID_CLIENT")) failures.refill(name);
        throw error;
      }
    },
    fail: (address) => takeOf(failures, neighbourhood(address)),
    enter: makePlaces(worked, factor),
    receive: makePlaces(received, factor),
  };
}

/** Places; each address can have only a part of them. */
function makePlaces(most: { perAddress: number; inAll: number }, factor: number): (address: string) => () => void {
  const taken = new Map<string, number>();
  let all = 0;
  return (address) => {
    const name = neighbourhood(address);
    const own = taken.get(name) ?? 0;
    if (own >= most.perAddress * factor || all >= most.inAll * factor) throw refuse(1);
    taken.set(name, own + 1);
    all += 1;
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      all -= 1;
      const left = (taken.get(name) ?? 1) - 1;
      if (left === 0) taken.delete(name);
      else taken.set(name, left);
    };
  };
}
