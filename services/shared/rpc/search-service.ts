import type { Found, SearchServiceService } from "../../../proto/gen/corridor/common/v1/search_service";
import { requireAnyId, requireScope, type TenantScope } from "../kernel/tenant-scope";
import type { Rpc } from "./rpc";

const mostFound = 20;

/** Finds a service's objects by their ids, and by document numbers on request; `find` returns only objects in the scope. */
export const makeSearchService = (
  find: (scope: TenantScope, id: string, withNumbers: boolean) => Promise<Found[]>,
): Rpc<typeof SearchServiceService> => ({
  async find(request) {
    const found = await find(requireScope(request), requireAnyId(request.id), request.withNumbers);
    return { found: found.slice(0, mostFound) };
  },
});
