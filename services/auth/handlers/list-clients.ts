import type { ListClientsRequest, ListClientsResponse } from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { ClientStore } from "../store/client-store";
import { encodeClient } from "./codec";

export const listClientsHandler =
  (clients: Pick<ClientStore, "ofTenant">) =>
  async ({ tenant }: ListClientsRequest): Promise<ListClientsResponse> => ({
    clients: (await clients.ofTenant(tenant)).map(encodeClient),
  });
