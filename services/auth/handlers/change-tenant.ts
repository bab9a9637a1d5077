import type { ChangeTenantRequest, ChangeTenantResponse } from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { ChangeTenant } from "../operations/change-tenant";
import { encodeTenant } from "./codec";

export const changeTenantHandler =
  (changeTenant: ChangeTenant) =>
  async ({ tenant, isDisabled, allowlist, certificates }: ChangeTenantRequest): Promise<ChangeTenantResponse> => {
    const changed = await changeTenant(tenant, {
      ...(isDisabled === undefined ? {} : { isDisabled }),
      ...(allowlist === undefined ? {} : { allowlist: allowlist.values }),
      ...(certificates === undefined ? {} : { certificates: certificates.values }),
    });
    return { tenant: encodeTenant(changed) };
  };
