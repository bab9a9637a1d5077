import type { ListTenantsResponse } from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { TenantStore } from "../store/tenant-store";
import { encodeTenant } from "./codec";

export const listTenantsHandler = (tenants: Pick<TenantStore, "all">) => async (): Promise<ListTenantsResponse> => ({
  tenants: (await tenants.all()).map(encodeTenant),
});
