import type { Found, SearchServiceService } from "../../../proto/gen/corridor/common/v1/search_service";
import { requireAnyId, requireScope, type TenantScope } from "../kernel/tenant-scope";
import type { Rpc } from "./rpc";

const mostFound = 20;

/** Finds a service's objects by their ids; `find` returns only objects in the scope. */
export const makeSearchService = (
  find: (scope: TenantScope, id: string) => Promise<Found[]>,
): Rpc<typeof SearchServiceService> => ({
  async find(request) {
    const found = await find(requireScope(request), requireAnyId(request.id));
    return { found: found.slice(0, mostFound) };
  },
});
