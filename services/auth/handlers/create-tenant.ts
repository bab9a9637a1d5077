import type { CreateTenantRequest, CreateTenantResponse } from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { CreateTenant } from "../operations/create-tenant";
import { encodeTenant } from "./codec";

export const createTenantHandler =
  (createTenant: CreateTenant) =>
  async ({ slug }: CreateTenantRequest): Promise<CreateTenantResponse> => ({
    tenant: encodeTenant(await createTenant(slug)),
  });
