import type { TenantScope } from "../kernel/tenant-scope";
import type { DataKeys } from "./data-keys";

/** Number of tenants in one query. */
const atOnce = 100;

/** Queries the tenants of a scope in batches. `ask` returns what it finds for these tenants. */
export type InTenantRounds = <T>(scope: TenantScope, ask: (tenants: string[]) => Promise<T[]>) => Promise<T[]>;

/**
 * Queries the tenants that are already known while the list of tenants is being read, and then those that are new: a search waits for the
 * store once, not twice.
 */
export function makeTenantRounds(keys: Pick<DataKeys, "tenants">): InTenantRounds {
  let known: readonly string[] = [];
  return async (scope, ask) => {
    if (scope !== "all tenants") return ask([scope.tenant]);
    const before = known;
    const [present, found] = await Promise.all([keys.tenants(), askEach(before, ask)]);
    known = present;
    const asked = new Set(before);
    const others = present.filter((tenant) => !asked.has(tenant));
    return [...found, ...(await askEach(others, ask))];
  };
}

async function askEach<T>(tenants: readonly string[], ask: (tenants: string[]) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  for (let from = 0; from < tenants.length; from += atOnce)
    found.push(...(await ask(tenants.slice(from, from + atOnce))));
  return found;
}
