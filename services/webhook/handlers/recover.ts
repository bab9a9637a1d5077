import type { RecoverRequest, RecoverResponse } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { invalid } from "../../shared/kernel/errors";
import type { Recover } from "../operations/recover";
import { requireTenant } from "./codec";

export const recoverHandler =
  (recover: Recover) =>
  async ({ tenant, subscriptionId, since, until }: RecoverRequest): Promise<RecoverResponse> => {
    if (since === undefined) throw invalid([{ field: "since", message: "is required" }]);
    return recover({ tenant: requireTenant(tenant), subscriptionId, since, until });
  };
