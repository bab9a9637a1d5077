import type { ErrorReason } from "../../services/shared/kernel/errors";
import type { AuditedCall } from "../audit";
import { objectOf } from "../operator/four-eyes";
import type { ClosedRoute, Route } from "../route";
import { type Exchange, type GatewayResponse, required, routeName, type Step } from "./exchange";
import type { HttpDeps } from "./http-deps";

/** True for a route with every call in the audit log. */
export const isPrivileged = ({ scheme, isPrivileged: isMarked }: Route): boolean =>
  scheme === "operator" || isMarked === true;

/** Gives the call its name in the audit log; from here on its refusal is recorded, too. */
export const nameCall =
  (route: ClosedRoute): Step =>
  (_request, response, next) => {
    const { name, tenant, session = "" } = required(response, "caller");
    const params = required(response, "params");
    response.locals.audited = {
      actor: name,
      tenant: tenant === "" ? (params["tenant"] ?? "") : tenant,
      action: routeName(route),
      object: objectOf({ params }),
      requestId: response.locals.requestId,
      address: required(response, "peer").address,
      session,
    };
    next();
  };

/** Records a privileged command before it has any effect: a command that cannot be recorded is not carried out. */
export const recordCommand =
  ({ audit }: Pick<HttpDeps, "audit">): Step =>
  async (_request, response, next) => {
    await audit.record(required(response, "audited"), "begun");
    next();
  };

/** Records the refusal of a call that the audit log can name, if it is about access. */
export async function recordRefusal(
  reason: ErrorReason,
  { locals }: Pick<GatewayResponse, "locals">,
  { audit }: Pick<HttpDeps, "audit">,
): Promise<void> {
  const { audited, route } = locals;
  if (audited === undefined || route === undefined) return;
  if (isRecorded(reason, route, audited, locals)) await audit.recordRefusal(audited, reason);
}

const accessReasons: ReadonlySet<ErrorReason> = new Set([
  "UNAUTHENTICATED",
  "AGENT_REFUSED",
  "SCOPE_MISSING",
  "ROLE_MISSING",
  "SECOND_FACTOR_MISSING",
  "ADDRESS_REFUSED",
]);

/**
 * Refusals that are about access: all of operators and of privileged routes, those of access itself, and attempts on another tenant's path.
 * A call over its share is not recorded, or a flood of calls would become one of records.
 */
function isRecorded(reason: ErrorReason, route: Route, { tenant }: AuditedCall, { params = {} }: Exchange): boolean {
  if (reason === "RATE_LIMITED") return false;
  const isForeign = route.scheme !== "operator" && params["tenant"] !== undefined && params["tenant"] !== tenant;
  return isPrivileged(route) || accessReasons.has(reason) || isForeign;
}
