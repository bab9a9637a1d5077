import type { Connection } from "mongoose";
import { type Found, FoundKind } from "../../../proto/gen/corridor/common/v1/search_service";
import type { TenantScope } from "../../shared/kernel/tenant-scope";
import { type IdSource, makeIdLookup } from "../../shared/storage/id-lookup";
import type { DeliveryStore } from "../store/delivery-store";
import type { EventStore } from "../store/event-store";

/** Objects with a document of their own. */
const searched: readonly IdSource<FoundKind>[] = [
  { collection: "subscriptions", kind: FoundKind.WEBHOOK, createdAt: "createdAt" },
  { collection: "deliveries", kind: FoundKind.DELIVERY, parentId: "subscriptionId", createdAt: "createdAt" },
];

type Stores = { events: Pick<EventStore, "find">; deliveries: Pick<DeliveryStore, "findLogged"> };

/** Finds subscriptions, deliveries and events by their ids. */
export function makeFind(connection: Connection, { events, deliveries }: Stores) {
  const lookUp = makeIdLookup(connection, searched);
  const findEvent = async (scope: TenantScope, id: string): Promise<Found[]> => {
    const event = await events.find(scope, id);
    if (event === undefined) return [];
    const { subject, occurredAt } = event;
    const common = { tenant: subject.tenant, externalId: undefined, parentId: subject.id, createdAt: occurredAt };
    return [{ kind: FoundKind.EVENT, id, ...common }];
  };
  const findDelivery = async (scope: TenantScope, id: string): Promise<Found[]> => {
    const delivery = await deliveries.findLogged(scope, id);
    if (delivery === undefined) return [];
    const { tenant, subscriptionId: parentId, createdAt } = delivery;
    return [{ kind: FoundKind.DELIVERY, id, tenant, externalId: undefined, parentId, createdAt }];
  };
  return async (scope: TenantScope, id: string): Promise<Found[]> =>
    (await Promise.all([lookUp(scope, id), findDelivery(scope, id), findEvent(scope, id)])).flat();
}
