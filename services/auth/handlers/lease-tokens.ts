import type { LeaseTokensRequest, LeaseTokensResponse } from "../../../proto/gen/corridor/auth/v1/auth_service";
import { invalid } from "../../shared/kernel/errors";
import type { TokenBuckets } from "../../shared/storage/token-buckets";

const longestName = 512;
/** More than any limit, at any factor. */
const most = 1e12;

export const leaseTokensHandler =
  (buckets: Pick<TokenBuckets, "take">) =>
  async ({ bucket, capacity, perSecond, wanted }: LeaseTokensRequest): Promise<LeaseTokensResponse> => {
    const violations = Object.entries({ capacity, perSecond, wanted }).flatMap(([field, value]) =>
      value > 0 && value <= most ? [] : [{ field, message: "must be above 0" }],
    );
    if (bucket.length < 1 || bucket.length > longestName) {
      violations.push({ field: "bucket", message: `must have 1 to ${longestName} characters` });
    }
    if (violations.length > 0) throw invalid(violations);
    return buckets.take(bucket, { capacity, perSecond, wanted });
  };
