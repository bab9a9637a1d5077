import type { SetFloorRequest, SetFloorResponse } from "../../../proto/gen/corridor/wallet/v1/ledger";
import { invalid } from "../../shared/kernel/errors";
import type { SetFloor } from "../operations/set-floor";
import { requireFundingAccount } from "./ledger-codec";

const widest = 10n ** 17n;

export const setFloorHandler =
  (setFloor: SetFloor) =>
  async ({ account, currency, floorMinor }: SetFloorRequest): Promise<SetFloorResponse> => {
    requireFundingAccount(account, currency);
    if (floorMinor !== undefined && (floorMinor > widest || floorMinor < -widest)) {
      throw invalid([{ field: "floorMinor", message: "must be from -10^17 to 10^17" }]);
    }
    await setFloor(account, currency, floorMinor);
    return {};
  };
