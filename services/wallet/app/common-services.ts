import type { Connection } from "mongoose";
import { BusServiceService } from "../../../proto/gen/corridor/common/v1/bus_service";
import { SearchServiceService } from "../../../proto/gen/corridor/common/v1/search_service";
import type { BusConsumer } from "../../shared/bus/bus-consumer";
import { makeBusService } from "../../shared/bus/bus-service";
import { makeSearchService } from "../../shared/rpc/search-service";
import type { DataKeys } from "../../shared/storage/data-keys";
import { encodeFound } from "../handlers/search-codec";
import { makeSearchStore } from "../store/search-store";

/** What several services serve, and this one too. */
export const commonServices = { ...BusServiceService, ...SearchServiceService };

export function commonHandlers(connection: Connection, keys: DataKeys, consumers: readonly BusConsumer[]) {
  const search = makeSearchStore(connection, keys);
  return {
    ...makeBusService({ connection, consumers }),
    ...makeSearchService(async (scope, id) => (await search.find(scope, id)).map(encodeFound)),
  };
}
