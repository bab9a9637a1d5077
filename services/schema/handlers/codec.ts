import type { Bank as WireBank } from "../../../proto/gen/corridor/schema/v1/schema_service";
import type { Bank } from "../domain/bank-directory";

export const encodeBank = (countryCode: string, { code, name, swift }: Bank): WireBank => ({
  bankCode: code,
  bankName: name,
  countryCode,
  swift: swift ?? undefined,
});
