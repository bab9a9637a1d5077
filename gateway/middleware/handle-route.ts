import { hasReason } from "../../services/shared/kernel/errors";
import { type OperatorRole, operatorRoles } from "../../services/shared/kernel/roles";
import { splitTarget } from "../request-target";
import { type Answer, type Call, type ClosedRoute, isProving, type OpenRoute, type Patience } from "../route";
import { isPrivileged } from "./audit-call";
import { type GatewayResponse, required, type Step } from "./exchange";
import type { HttpDeps } from "./http-deps";

/** Writes the answer to a request. */
export type Reply = (response: GatewayResponse, answer: Answer) => void;

/** Calls the handler of a route and sends its answer. */
export const handleRoute =
  (route: ClosedRoute, { fourEyes, audit }: Pick<HttpDeps, "fourEyes" | "audit">, reply: Reply): Step =>
  async (request, response) => {
    const answer = await carryOut(route, callOf(request, response), response, fourEyes);
    if (isPrivileged(route)) await audit.record(required(response, "audited"), answer.outcome ?? "done");
    reply(response, answer);
  };

const nothing: ReadonlySet<never> = new Set<never>();

const operatorRolesIn = (roles: ReadonlySet<string>): ReadonlySet<OperatorRole> =>
  new Set(operatorRoles.filter((role) => roles.has(role)));

function carryOut(
  route: ClosedRoute,
  call: Call,
  response: GatewayResponse,
  fourEyes: HttpDeps["fourEyes"],
): Promise<Answer> {
  const {
    name,
    tenant,
    agentId = "",
    scopes = nothing,
    roles = nothing,
    until,
    session,
  } = required(response, "caller");
  switch (route.scheme) {
    case "bearer":
      return route.handle({ ...call, tenant, scopes });
    case "tenant":
      return route.handle({ ...call, tenant });
    case "agent":
      return route.handle({ ...call, tenant, agentId });
    case "person": {
      const person = { userId: name.replace("user:", ""), roles: [...roles], expiresAt: until, session };
      return route.handle({ ...call, tenant, person });
    }
    case "operator": {
      const operator = name.replace("operator:", "");
      return fourEyes.carryOut(route, {
        ...call,
        operator,
        roles: operatorRolesIn(roles),
        until,
        session,
        approver: "",
      });
    }
  }
}

/** Calls the handler of a route that needs no credential, or checks its own. */
export const handleStranger =
  (
    route: OpenRoute,
    { strangers, doors, refusedAnonymous }: Pick<HttpDeps, "strangers" | "doors" | "refusedAnonymous">,
    reply: Reply,
  ): Step =>
  async (request, response) => {
    const { address } = required(response, "peer");
    // The token endpoint counts its own attempts: it can distinguish known clients from strangers.
    const work = (): Promise<Answer> => route.handle(callOf(request, response));
    try {
      const answer = await (isJudged(route) ? strangers.attempt(address, work) : work());
      if (isProving(route)) {
        response.locals.isProven = true;
        doors.known(request, address);
      }
      reply(response, answer);
    } catch (error) {
      if (hasReason(error, "UNAUTHENTICATED", "OAUTH_INVALID_CLIENT")) refusedAnonymous(error.reason);
      // A request that was refused before its proof was checked counts as a stranger's.
      if (isProving(route) && hasReason(error, ...unproven)) strangers.ask(address);
      throw error;
    }
  };

const isJudged = ({ proof }: OpenRoute): boolean => proof === "signature" || proof === "login" || proof === "device";

const unproven = ["ROUTE_NOT_FOUND", "OAUTH_INVALID_REQUEST", "OAUTH_UNSUPPORTED_GRANT_TYPE"] as const;

/** Calls the handler of a probe. */
export const handleProbe =
  (route: OpenRoute, reply: Reply): Step =>
  async (request, response) =>
    reply(response, await route.handle({ ...callOf(request, response), body: noBody }));

const noBody = Buffer.alloc(0);

/** Returns the request in the form that handlers see. */
const callOf = (request: Parameters<Step>[0], response: GatewayResponse): Call => ({
  params: required(response, "params"),
  query: splitTarget(request.originalUrl)[1],
  headers: request.headers,
  peer: required(response, "peer"),
  body: request.body,
  stream: request,
  patience: patienceOf(request, response),
});

const patienceOf = ({ socket }: Parameters<Step>[0], { locals }: GatewayResponse): Patience => ({
  standAside() {
    // An unknown caller is never made to wait.
    if (locals.caller !== undefined) for (const release of locals.held.splice(0).toReversed()) release();
  },
  arrived: () => locals.arrived?.(),
  onGone(listener) {
    socket.once("close", listener);
    return () => void socket.off("close", listener);
  },
});
