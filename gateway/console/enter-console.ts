import type { IncomingHttpHeaders } from "node:http";
import { DomainError, hasReason } from "../../services/shared/kernel/errors";
import type { Step } from "../middleware/exchange";
import type { PeerReader } from "../peer";
import { isBackground, type People } from "../people";
import type { StrangerBudget } from "../stranger-budget";
import { callbackPath } from "./auth-routes";
import { readSession } from "./browser-session";
import type { Cookies } from "./cookies";
import { type OriginOf, requireCsrf, requireSameSite } from "./require-own-page";

export interface EnterDeps {
  people: Pick<People, "find">;
  strangers: Pick<StrangerBudget, "ask" | "fail">;
  peerOf: PeerReader;
  cookies: Cookies;
  originOf: OriginOf;
}

/** The set of rows that a request is for, and the tenant that it acts as. */
export interface ConsoleTarget {
  /** Absent for the rows of operators. */
  tenant?: string;
}

/** Credentials of programs, which are ignored here. */
const foreign = ["authorization", "x-api-key", "x-agent-api-key", "x-client-certificate"] as const;

/** Accepts requests from pages of the console, and a browser that returns from the identity provider. */
export const enterOwn =
  ({ strangers, peerOf, originOf }: Pick<EnterDeps, "strangers" | "peerOf" | "originOf">): Step =>
  (request, _response, next) => {
    const { method, headers, path } = request;
    forgetForeign(headers);
    const check = (): void => {
      const origin = originOf(headers);
      if (method !== "GET" || path !== callbackPath) requireSameSite(request, origin);
    };
    refuseOthers(check, strangers, peerOf(request).address);
    next();
  };

/**
 * Lets the holder of a session act as one of the tenant's people, or as an operator, with the same rows, limits and records as at the other
 * doors. An answer never reveals whether another tenant's path exists.
 */
export const enterRows =
  (target: (request: object) => ConsoleTarget, deps: EnterDeps): Step =>
  async (request, _response, next) => {
    const { people, strangers, peerOf, cookies, originOf } = deps;
    const { address } = peerOf(request);
    forgetForeign(request.headers);
    refuseOthers(() => requireSameSite(request, originOf(request.headers)), strangers, address);
    const session = readSession(cookies, request.headers);
    if (session === undefined) {
      strangers.fail(address);
      throw new DomainError("UNAUTHENTICATED", "a session is required");
    }
    const { token, isOperator } = session;
    refuseOthers(() => requireCsrf(request, session), strangers, address);
    const { tenant } = await people.find({
      token,
      isOperator,
      agentId: undefined,
      address,
      isBackground: isBackground(request.headers),
    });
    if (target(request).tenant !== tenant) throw new DomainError("ROUTE_NOT_FOUND", "no such route");
    request.headers.authorization = `Bearer ${token}`;
    next();
  };

function forgetForeign(headers: IncomingHttpHeaders): void {
  for (const name of foreign) delete headers[name];
}

/** Counts a request that a page of another site may have sent. */
function refuseOthers(check: () => void, strangers: Pick<StrangerBudget, "ask">, address: string): void {
  try {
    check();
  } catch (error) {
    if (hasReason(error, "CROSS_SITE")) strangers.ask(address);
    throw error;
  }
}
