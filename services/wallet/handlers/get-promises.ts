import type { GetPromisesRequest, GetPromisesResponse } from "../../../proto/gen/corridor/wallet/v1/ledger";
import type { ReadPromises } from "../operations/read-promises";
import { requirePromiseAccount } from "./ledger-codec";

export const getPromisesHandler =
  (readPromises: ReadPromises) =>
  async ({ account, currency }: GetPromisesRequest): Promise<GetPromisesResponse> => {
    requirePromiseAccount(account, currency);
    const { settled, promised, released, floor, available } = await readPromises(account, currency);
    return {
      settledMinor: settled,
      promisedMinor: promised,
      releasedMinor: released,
      floorMinor: floor,
      availableMinor: available,
    };
  };
