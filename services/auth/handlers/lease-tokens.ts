import type { LeaseTokensRequest, LeaseTokensResponse } from "../../../proto/gen/corridor/auth/v1/auth_service";
import type { LeaseTokens } from "../operations/lease-tokens";

export const leaseTokensHandler =
  (leaseTokens: LeaseTokens) =>
  ({ bucket, capacity, perSecond, wanted }: LeaseTokensRequest): Promise<LeaseTokensResponse> =>
    leaseTokens({ bucket, capacity, perSecond, wanted });
