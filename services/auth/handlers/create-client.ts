import type { CreateClientRequest, CreateClientResponse } from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { CreateClient } from "../operations/create-client";
import { encodeClient } from "./codec";

export const createClientHandler =
  (createClient: CreateClient) =>
  async ({ tenant, clientId, scopes }: CreateClientRequest): Promise<CreateClientResponse> => ({
    client: encodeClient(await createClient({ tenant, clientId, scopes })),
  });
