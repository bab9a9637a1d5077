import { DomainError } from "../../shared/kernel/errors";
import type { Tenant } from "../domain/directory";
import { parseAllowlist, parseCertificates } from "../domain/tenant";
import type { TenantChange, TenantStore } from "../store/tenant-store";

export interface ChangeTenantDeps {
  tenants: Pick<TenantStore, "change">;
}

/** Sets the given fields. Throws INVALID_ARGUMENT, RECORD_NOT_FOUND, and RECORD_CONFLICT for another tenant's certificate. */
export type ChangeTenant = (slug: string, change: TenantChange) => Promise<Tenant>;

export const makeChangeTenant =
  ({ tenants }: ChangeTenantDeps): ChangeTenant =>
  async (slug, { isDisabled, allowlist, certificates }) => {
    const changed = await tenants.change(slug, {
      ...(isDisabled === undefined ? {} : { isDisabled }),
      ...(allowlist === undefined ? {} : { allowlist: parseAllowlist(allowlist) }),
      ...(certificates === undefined ? {} : { certificates: parseCertificates(certificates) }),
    });
    if (changed === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no tenant with this slug");
    return changed;
  };
