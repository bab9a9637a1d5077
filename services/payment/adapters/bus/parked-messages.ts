import type { BusServiceService } from "../../../../proto/gen/corridor/common/v1/bus_service";
import type { Rpc } from "../../../shared/rpc/rpc";
import type { ParkedSource } from "../../ports";

const pageSize = 200;

/** Reads the messages that a service has parked, over RPC. */
export const makeParkedSource = (
  service: string,
  client: Pick<Rpc<typeof BusServiceService>, "listParkedMessages">,
): ParkedSource => ({
  service,
  async page(after) {
    const { messages, next } = await client.listParkedMessages({ after, limit: pageSize });
    return {
      messages: messages.map(({ id, subject, cause, parkedAt }) => ({ id, subject, cause, parkedAt })),
      next: next === "" ? undefined : next,
    };
  },
});
