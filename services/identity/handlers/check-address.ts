import type {
  CheckAddressRequest,
  CheckAddressResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import { checkAddress } from "../operations/check-address";
import type { PersonSchemas } from "../ports";

export const checkAddressHandler =
  (schemas: Pick<PersonSchemas, "check">) =>
  async ({ parts }: CheckAddressRequest): Promise<CheckAddressResponse> => {
    const given = Object.fromEntries(parts.map(({ name, value }) => [name, value]));
    const { normalised, missing, wrong, structured } = await checkAddress(schemas, given);
    return {
      normalised: Object.entries(normalised).map(([name, value]) => ({ name, value })),
      missing: [...missing],
      wrong: [...wrong],
      isStructured: structured.isReady,
      structuredMissing: [...structured.missing],
      structuredTooLong: [...structured.tooLong],
    };
  };
