import type { GetBankRequest, GetBankResponse } from "../../../proto/gen/corridor/schema/v1/schema_service";
import type { FindBank } from "../operations/find-bank";
import { encodeBank } from "./codec";

export const getBankHandler =
  (findBank: FindBank) =>
  async ({ countryCode, bankCode }: GetBankRequest): Promise<GetBankResponse> => ({
    bank: encodeBank(countryCode, await findBank(countryCode, bankCode)),
  });
