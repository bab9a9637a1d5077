import type {
  CheckAddressRequest,
  CheckAddressResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import { checkAddress } from "../operations/check-address";
import type { PersonSchemas } from "../ports";
import { decodeAddress, encodeAddress } from "./participant-codec";

export const checkAddressHandler =
  (schemas: Pick<PersonSchemas, "check">) =>
  async ({ address }: CheckAddressRequest): Promise<CheckAddressResponse> => {
    const given = address === undefined ? {} : decodeAddress(address);
    const { normalised, missing, wrong, structured } = await checkAddress(schemas, given);
    return {
      normalised: encodeAddress(normalised),
      missing: [...missing],
      wrong: [...wrong],
      isStructured: structured.isReady,
      structuredMissing: [...structured.missing],
      structuredTooLong: [...structured.tooLong],
    };
  };
