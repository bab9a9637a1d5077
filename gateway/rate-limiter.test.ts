import { type Bucket, takeTokens } from "../services/shared/kernel/token-bucket";
import { makeLogger } from "../services/shared/process/logger";
import { type Limit, makeRateLimiter } from "./rate-limiter";

const limit: Limit = { name: "write", perSecond: 1 / 3_600, burst: 100 };
const logger = makeLogger("test", "error");

describe("a shared limit", () => {
  it("begins no new share at a replica when the bucket cannot be asked", async () => {
    let bucket: Bucket | undefined;
    let calls = 0;
    const limiter = makeRateLimiter({
      logger,
      leaseTokens({ capacity, perSecond, wanted }) {
        calls += 1;
        if (calls > 3) return Promise.reject(new Error("away"));
        const { next, granted } = takeTokens(bucket, { capacity, perSecond, wanted }, new Date());
        bucket = next;
        return Promise.resolve({ granted, left: next.tokens });
      },
    });
    let allowed = 0;
    for (let call = 0; call < 2 * limit.burst; call += 1) {
      if ((await limiter.take("demo", limit)).isAllowed) allowed += 1;
    }

    expect(calls).toBeGreaterThan(3);
    expect(allowed).toBe(limit.burst);
  });
});
