import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { decodeJwt } from "jose";
import type {
  AuthenticatePersonRequest,
  AuthenticatePersonResponse,
  Person,
} from "../proto/gen/corridor/auth/v1/people_service";
import { makeBoundedCache } from "../services/shared/kernel/bounded-cache";
import { type Clock, plusMs } from "../services/shared/kernel/clock";
import type { StrangerBudget } from "./stranger-budget";

/** The credentials of a person. */
export interface ShownByPerson
  extends Pick<AuthenticatePersonRequest, "token" | "isOperator" | "agentId" | "isBackground"> {
  address: string;
}

/** Authenticates people through the auth service. */
export interface People {
  /** True for a session, and for a token that an issuer other than `own` has written. */
  mayShow(token: string, own: string | undefined): boolean;
  /** Throws the refusal of the auth service, and RATE_LIMITED for an address with too many wrong tokens. */
  find(shown: ShownByPerson): Promise<Person>;
  /** Drops all cached answers: a session may have ended, or a role may have been removed. */
  forget(): void;
}

export interface PeopleDeps {
  authenticatePerson(request: AuthenticatePersonRequest): Promise<AuthenticatePersonResponse>;
  strangers: Pick<StrangerBudget, "attempt">;
  clock: Clock;
}

const capacity = 10_000;
/** Longest time for which a person is still admitted after losing access, when no message reports it. */
const keptMs = 10_000;
/** A recently known person is looked up no matter what others at its address have tried. */
const provenForMs = 24 * 3_600_000;

/** Asks the auth service about people; caches good answers only. */
export function makePeople({ authenticatePerson, strangers, clock }: PeopleDeps): People {
  const known = makeBoundedCache<Person>(capacity, clock);
  const proven = makeBoundedCache<true>(capacity, clock);
  let forgotten = 0;
  return {
    mayShow: (token, own) => isSession(token) || isForeign(token, own),
    async find({ address, ...shown }) {
      const name = hash(
        "sha256",
        JSON.stringify([shown.token, shown.isOperator, shown.agentId, shown.isBackground]),
        "base64",
      );
      const hit = known.get(name);
      if (hit !== undefined) return hit;
      const before = forgotten;
      const ask = (): Promise<AuthenticatePersonResponse> => authenticatePerson(shown);
      const { person } = await (proven.get(name) === true ? ask() : strangers.attempt(address, ask));
      if (person?.expiresAt === undefined) throw new Error("the auth service named no person");
      const now = clock.now();
      proven.set(name, true, plusMs(now, provenForMs));
      const latest = plusMs(now, keptMs);
      // An answer that was in flight when something changed may be out of date.
      if (before === forgotten) known.set(name, person, person.expiresAt < latest ? person.expiresAt : latest);
      return person;
    },
    forget() {
      forgotten += 1;
      known.clear();
    },
  };
}

/** True for requests that a page makes by itself, which keep no session alive. */
export const isBackground = (headers: IncomingHttpHeaders): boolean => headers["x-background"] !== undefined;

export const isSession = (token: string): boolean => /^session_[A-Za-z0-9_-]{43}$/.test(token);

function isForeign(token: string, own: string | undefined): boolean {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === "string" && iss !== own;
  } catch {
    return false;
  }
}
