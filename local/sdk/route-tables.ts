import { makeOperatorTable } from "../../gateway/operator/operator-table";
import type { Route } from "../../gateway/route";
import { makeRouteTable } from "../../gateway/route-table";
import { systemClock } from "../../services/shared/kernel/clock";

/** Building the tables makes no calls, so that their rows can be read without any service. */
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

/** Every route of the API, for reading only; calling one fails. */
export const uncalledTable: readonly Route[] = makeRouteTable(deps);
/** The same for clients, which know from elsewhere the provider that links accounts. */
export const clientTable: readonly Route[] = makeRouteTable({
  ...(deps as object),
  linkerSegment: "{linker}",
} as never);
/** The same for the operator API. */
export const uncalledOperatorTable: readonly Route[] = makeOperatorTable(deps);
