import type { Clock } from "../../shared/kernel/clock";
import { invalid } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { endpointUrlViolations, type Ports } from "../domain/endpoint-url";
import { eventListViolations } from "../domain/event-names";
import { healthy, maxSubscriptions, type Subscription } from "../domain/subscription";
import type { ReachViolations } from "../ports";
import type { SubscriptionStore } from "../store/subscription-store";

export interface CreateSubscriptionDeps {
  subscriptions: Pick<SubscriptionStore, "add">;
  reachViolations: ReachViolations;
  ports: Ports;
  clock: Clock;
  ids: Ids;
}

export interface CreateSubscriptionCommand {
  tenant: string;
  url: string;
  events: readonly string[];
  isBatch: boolean;
  /** True when the caller's value was neither true nor false. */
  isBatchMalformed: boolean;
}

export type CreateSubscription = (command: CreateSubscriptionCommand) => Promise<Subscription>;

/** Registers an endpoint, without a secret. Throws INVALID_ARGUMENT with every broken rule. */
export const makeCreateSubscription =
  ({ subscriptions, reachViolations, ports, clock, ids }: CreateSubscriptionDeps): CreateSubscription =>
  async ({ tenant, url, events, isBatch, isBatchMalformed }) => {
    const urlViolations = endpointUrlViolations(url, ports);
    const violations = [
      ...(urlViolations.length > 0 ? urlViolations : await reachViolations(url)),
      ...eventListViolations(events),
      ...(isBatchMalformed ? [{ field: "isBatch", message: "must be true or false" }] : []),
    ];
    if (violations.length > 0) throw invalid(violations);
    const subscription: Subscription = {
      id: ids.uuid(),
      tenant,
      url,
      events,
      isBatch,
      createdAt: clock.now(),
      secret: undefined,
      disabled: undefined,
      health: healthy,
    };
    const isAdded = await subscriptions.add(subscription);
    if (!isAdded) throw invalid([{ field: "url", message: `is one too many: ${maxSubscriptions} are registered` }]);
    return subscription;
  };
