import type { TenantScope } from "../kernel/tenant-scope";
import type { DataKeys } from "./data-keys";

/** Tenants that are asked about at once. */
const atOnce = 100;

/** Asks about the tenants of a scope, many at once. `ask` returns what it finds of these tenants. */
export type InTenantRounds = <T>(scope: TenantScope, ask: (tenants: string[]) => Promise<T[]>) => Promise<T[]>;

/**
 * What belongs to any tenant is asked of those that are known from before while the list of tenants is read, and then of those that
 * have come since: a search waits once for the store, not twice.
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
