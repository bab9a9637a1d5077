import type { Connection } from "mongoose";
import { type Found, FoundKind } from "../../../proto/gen/corridor/common/v1/search_service";
import { originOf } from "../../shared/kernel/ids";
import type { TenantScope } from "../../shared/kernel/tenant-scope";
import { type IdSource, makeIdLookup } from "../../shared/storage/id-lookup";
import type { DeliveryStore } from "../store/delivery-store";
import type { EventStore } from "../store/event-store";

/** Objects with a document of their own. */
const subscriptions: IdSource<FoundKind> = {
  collection: "subscriptions",
  kind: FoundKind.WEBHOOK,
  createdAt: "createdAt",
};
const ownDeliveries: IdSource<FoundKind> = {
  collection: "deliveries",
  kind: FoundKind.DELIVERY,
  parentId: "subscriptionId",
  createdAt: "createdAt",
};

type Stores = { events: Pick<EventStore, "find">; deliveries: Pick<DeliveryStore, "findLogged"> };

/** Finds subscriptions, deliveries and events by their ids. Only ids of deliveries and of agents' events have the same form. */
export function makeFind(connection: Connection, { events, deliveries }: Stores) {
  const lookUp = {
    subscription: makeIdLookup(connection, [subscriptions]),
    delivery: makeIdLookup(connection, [ownDeliveries]),
  };
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
  return async (scope: TenantScope, id: string): Promise<Found[]> => {
    if (isOfSubject(id)) return findEvent(scope, id);
    if (originOf(id) !== "derived") return lookUp.subscription(scope, id);
    const found = await Promise.all([findDelivery(scope, id), lookUp.delivery(scope, id), findEvent(scope, id)]);
    // A delivery that moves from the log to a document of its own may be seen in both.
    return [...new Map(found.flat().map((one) => [one.kind, one])).values()];
  };
}

/** Events of payments, wallets and documents are numbered per object: `<id>.3`. */
const isOfSubject = (id: string): boolean => id.includes(".");
