import { type Bucket, takeTokens } from "../../shared/kernel/token-bucket";
import { makeCardCheckLimit } from "./limit-card-checks";

describe("makeCardCheckLimit", () => {
  let now = new Date("2026-01-01T00:00:00Z");
  const stored = new Map<string, Bucket>();
  const buckets = {
    take(name: string, demand: Parameters<typeof takeTokens>[1]) {
      const { next, granted } = takeTokens(stored.get(name), demand, now);
      stored.set(name, next);
      return Promise.resolve({ granted, left: next.tokens });
    },
  };
  const countCheck = makeCardCheckLimit(buckets, 1);
  const card = "11111111-1111-4111-8111-000000000001";

  beforeEach(() => stored.clear());

  it("allows five checks of a card in an hour, and says when the next one may be", async () => {
    for (let count = 0; count < 5; count += 1) await countCheck("demo", card);

    await expect(countCheck("demo", card)).rejects.toMatchObject({
      reason: "RATE_LIMITED",
      details: { limitPerHour: 5, retryAfterSeconds: 720 },
    });
    now = new Date(now.getTime() + 720_000);
    await countCheck("demo", card);
    await expect(countCheck("demo", card)).rejects.toMatchObject({ reason: "RATE_LIMITED" });
  });

  it("counts each card of each tenant by itself, and stores no token of a card", async () => {
    for (let count = 0; count < 5; count += 1) await countCheck("demo", card);

    await countCheck("other", card);
    await countCheck("demo", card.replace("1", "2"));
    expect([...stored.keys()].join()).not.toContain(card);
  });
});
