import { monotonicMs } from "../../shared/kernel/clock";
import { batchCalls } from "../../shared/process/batch-calls";
import type { Subscription } from "../domain/subscription";
import type { SubscriptionStore } from "../store/subscription-store";

/**
 * Caches subscriptions in memory. A change by this process, or one that another replica signals, is read at the next call;
 * any other change within a second, with or without signals.
 */
export interface KnownSubscriptions {
  /** Returns all subscriptions of the tenants, including disabled ones. */
  of(tenants: readonly string[]): Promise<Subscription[]>;
  /** Finds one of a tenant's. "Gone" and "disabled" never come from memory, since its deliveries are then given up. */
  find(tenant: string, id: string): Promise<Subscription | undefined>;
  /** Drops a tenant's subscriptions because they have changed. */
  forget(tenant: string): void;
  /** Drops everything because any subscription may have changed. */
  forgetAll(): void;
}

/** Longest use of a read, milliseconds: a change is in force within a second even while the bus is away. */
const longestMs = 900;
/** Most tenants held in memory. */
const capacity = 10_000;
const largestGroup = 256;

interface Entry {
  subscriptions: readonly Subscription[];
  readMs: number;
}

export function makeKnownSubscriptions(
  { ofTenants }: Pick<SubscriptionStore, "ofTenants">,
  nowMs: () => number = monotonicMs,
): KnownSubscriptions {
  const entries = new Map<string, Entry>();
  /** Tenants with a read of their subscriptions in progress, and no change since the read began. */
  let reading = new Set<string>();
  const keep = (tenant: string, entry: Entry): void => {
    entries.delete(tenant);
    const [oldest] = entries.keys();
    if (entries.size >= capacity && oldest !== undefined) entries.delete(oldest);
    entries.set(tenant, entry);
  };

  /** Reads from the store after the call; concurrent calls share one read. */
  const read = batchCalls(
    async (tenants: readonly string[]) => {
      const asked = new Set(tenants);
      reading = asked;
      const readMs = nowMs();
      const found = Map.groupBy(await ofTenants([...asked]), ({ tenant }) => tenant);
      const results = tenants.map((tenant) => ({ value: found.get(tenant) ?? [] }));
      for (const tenant of reading) keep(tenant, { subscriptions: found.get(tenant) ?? [], readMs });
      return results;
    },
    { most: largestGroup },
  );

  const of = async (tenant: string): Promise<readonly Subscription[]> => {
    const known = entries.get(tenant);
    return known !== undefined && nowMs() - known.readMs < longestMs ? known.subscriptions : read(tenant);
  };
  const byId = (subscriptions: readonly Subscription[], id: string) => subscriptions.find((one) => one.id === id);

  return {
    async of(tenants) {
      return (await Promise.all([...new Set(tenants)].map(of))).flat();
    },
    async find(tenant, id) {
      const known = byId(await of(tenant), id);
      return known === undefined || known.disabled !== undefined ? byId(await read(tenant), id) : known;
    },
    forget(tenant) {
      entries.delete(tenant);
      reading.delete(tenant);
    },
    forgetAll() {
      entries.clear();
      reading.clear();
    },
  };
}
