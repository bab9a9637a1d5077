import type { LeaseTokensRequest, LeaseTokensResponse } from "../../../proto/gen/corridor/auth/v1/auth_service";
import type { TokenBuckets } from "../../shared/storage/token-buckets";

export const leaseTokensHandler =
  (buckets: Pick<TokenBuckets, "take">) =>
  ({ bucket, capacity, perSecond, wanted }: LeaseTokensRequest): Promise<LeaseTokensResponse> =>
    buckets.take(bucket, { capacity, perSecond, wanted });
