import type {
  ListDeliveriesRequest,
  ListDeliveriesResponse,
} from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { beginningOfTime, plusMs } from "../../shared/kernel/clock";
import { DomainError, invalid } from "../../shared/kernel/errors";
import { type Delivery, type DeliveryFilter, type DeliveryPlace, newestFirst } from "../domain/delivery";
import type { DeliveryStore } from "../store/delivery-store";
import type { SubscriptionStore } from "../store/subscription-store";
import { decodeState, encodeDelivery, requireLimit, requireTenant } from "./codec";

export interface ListDeliveriesDeps {
  subscriptions: Pick<SubscriptionStore, "find" | "list">;
  deliveries: Pick<DeliveryStore, "list">;
}

export const listDeliveriesHandler =
  ({ subscriptions, deliveries }: ListDeliveriesDeps) =>
  async (request: ListDeliveriesRequest): Promise<ListDeliveriesResponse> => {
    const { subscriptionId, subjectId } = request;
    const tenant = requireTenant(request.tenant);
    const limit = requireLimit(request.limit);
    if (subscriptionId !== undefined && (await subscriptions.find(tenant, subscriptionId)) === undefined) {
      throw new DomainError("WEBHOOK_NOT_FOUND", "there is no such subscription");
    }
    const filter = { tenant, subscriptionId, subjectId, state: decodeState(request.state) };
    const behind = decodePlace(request.after);
    const found =
      subscriptionId === undefined && subjectId === undefined
        ? await listOfAll({ subscriptions, deliveries }, filter, behind, limit + 1)
        : await deliveries.list(filter, behind, limit + 1);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return { deliveries: page.map(encodeDelivery), next: last === undefined ? "" : encodePlace(last) };
  };

/** Merges the newest deliveries of each subscription of the tenant: they are few, and an index serves each in order. */
async function listOfAll(
  { subscriptions, deliveries }: ListDeliveriesDeps,
  filter: DeliveryFilter,
  behind: DeliveryPlace | undefined,
  limit: number,
): Promise<Delivery[]> {
  const own = await subscriptions.list(filter.tenant);
  const pages = await Promise.all(
    own.map(({ id }) => deliveries.list({ ...filter, subscriptionId: id }, behind, limit)),
  );
  return pages.flat().toSorted(newestFirst).slice(0, limit);
}

const encodePlace = ({ createdAt, id }: DeliveryPlace): string => `${createdAt.getTime()}_${id}`;

function decodePlace(cursor: string): DeliveryPlace | undefined {
  if (cursor === "") return undefined;
  const [, ms = "", id = ""] = /^(\d{1,15})_([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (id === "") throw invalid([{ field: "after", message: "must be `next` of an earlier page" }]);
  return { createdAt: plusMs(beginningOfTime, Number.parseInt(ms, 10)), id };
}
