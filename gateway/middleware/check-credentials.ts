import { type DomainError, hasReason } from "../../services/shared/kernel/errors";
import type { Caller, Presented, Verdict } from "../caller";
import type { ClosedRoute } from "../route";
import { required, routeName, type Step } from "./exchange";
import type { HttpDeps } from "./http-deps";

type CredentialDeps = Pick<HttpDeps, "authenticate" | "refusedAnonymous" | "doors">;

/**
 * Authenticates the caller. A known caller who may not do this is refused by `refuseCaller`, after its limits: refused calls count, too.
 */
export const checkCredentials =
  (route: ClosedRoute, deps: CredentialDeps): Step =>
  async (request, response, next) => {
    const { locals } = response;
    const presented = { headers: request.headers, peer: required(response, "peer") };
    const { caller, refusal } = await identify(route, presented, deps);
    locals.caller = caller;
    if (hasProvenItself(refusal)) deps.doors.known(request, holderOf(caller));
    if (refusal !== undefined) locals.refusalOfCaller = refusal;
    next();
  };

/** Refuses a known caller who may not do this. */
export const refuseCaller: Step = (_request, { locals }, next) => next(locals.refusalOfCaller);

/** The holder of the limits that a request counts against: all credentials of a tenant together, each operator alone. */
export const holderOf = ({ tenant, name }: Caller): string => (tenant === "" ? name : tenant);

/**
 * A good credential stays good when it does not allow a call; one that no longer works, or not from this address, does not count as good.
 */
const hasProvenItself = (refusal: DomainError | undefined): boolean =>
  refusal === undefined || hasReason(refusal, "SCOPE_MISSING", "ROLE_MISSING", "AGENT_REFUSED");

async function identify(
  route: ClosedRoute,
  presented: Presented,
  { authenticate, refusedAnonymous }: CredentialDeps,
): Promise<Verdict> {
  try {
    switch (route.scheme) {
      case "bearer":
        return await authenticate.bearer(presented, route.scope, routeName(route));
      case "tenant":
        return await authenticate.tenantKey(presented, route.scope, routeName(route));
      case "agent":
        return await authenticate.agentKeys(presented, route.scope, routeName(route));
      case "person":
        return await authenticate.person(presented, routeName(route));
      case "operator":
        return await authenticate.operator(presented, routeName(route));
    }
  } catch (error) {
    if (hasReason(error, "UNAUTHENTICATED", "ADDRESS_REFUSED")) refusedAnonymous(error.reason);
    throw error;
  }
}
