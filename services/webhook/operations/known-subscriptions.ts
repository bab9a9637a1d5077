import { monotonicMs } from "../../shared/kernel/clock";
import { grouped } from "../../shared/process/grouped";
import type { Subscription } from "../domain/subscription";
import type { SubscriptionStore } from "../store/subscription-store";

/**
 * Subscriptions as they are kept in memory. What this process changes, and what another is heard to have changed, is read
 * again at the next question; everything else within a second, whether or not anybody is heard.
 */
export interface KnownSubscriptions {
  /** All subscriptions of the tenants, also those that are disabled. */
  of(tenants: readonly string[]): Promise<Subscription[]>;
  /** One of a tenant. That it is gone or disabled is never said from memory, since what it waits for is given up then. */
  find(tenant: string, id: string): Promise<Subscription | undefined>;
  /** Something of a tenant's subscriptions has changed. */
  forget(tenant: string): void;
  /** Anything may have changed. */
  forgetAll(): void;
}

/** Nothing is used that was read longer ago, milliseconds: a change is in force within a second, also while the bus is away. */
const longestMs = 900;
/** Most tenants that are kept. */
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
  /** Tenants whose subscriptions are being read, as long as nothing of them has changed since the reading began. */
  let reading = new Set<string>();
  const keep = (tenant: string, entry: Entry): void => {
    entries.delete(tenant);
    const [oldest] = entries.keys();
    if (entries.size >= capacity && oldest !== undefined) entries.delete(oldest);
    entries.set(tenant, entry);
  };

  /** Reads as the store is after the question; questions that come together share one read. */
  const read = grouped(
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
