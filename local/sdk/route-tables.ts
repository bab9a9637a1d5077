import { makeOperatorTable } from "../../gateway/operator/operator-table";
import type { Route } from "../../gateway/route";
import { makeRouteTable } from "../../gateway/route-table";
import { systemClock } from "../../services/shared/kernel/clock";

/** The tables themselves call nobody, so that their rows can be read without any service. */
const uncalled: unknown = new Proxy({}, { get: () => uncalled, apply: () => uncalled });
const deps = {
  upstreams: uncalled,
  keySet: uncalled,
  limiter: uncalled,
  limits: uncalled,
  readiness: uncalled,
  clock: systemClock,
  linkerSegment: "linker",
  isDraining: () => false,
} as never;

/** Every route of the API, to be read and not to be called. */
export const uncalledTable: readonly Route[] = makeRouteTable(deps);
/** The same for clients, who know from elsewhere which provider links accounts. */
export const clientTable: readonly Route[] = makeRouteTable({
  ...(deps as object),
  linkerSegment: "{linker}",
} as never);
/** The same of the operator API. */
export const uncalledOperatorTable: readonly Route[] = makeOperatorTable(deps);
