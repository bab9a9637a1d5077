import type { ChangeClientRequest, ChangeClientResponse } from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { ChangeClient } from "../operations/change-client";
import { encodeClient } from "./codec";

export const changeClientHandler =
  (changeClient: ChangeClient) =>
  async ({ tenant, clientId, isDisabled, scopes }: ChangeClientRequest): Promise<ChangeClientResponse> => ({
    client: encodeClient(await changeClient({ tenant, clientId, isDisabled, scopes: scopes?.values })),
  });
