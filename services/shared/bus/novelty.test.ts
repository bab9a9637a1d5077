import { headers } from "@nats-io/transport-node";
import { firstHeader, noveltyOf } from "./novelty";

const now = new Date("2026-03-01T12:00:00Z");

describe("the novelty of a message", () => {
  const given = (isMarked: boolean, deliveryCount: number, ageMs: number) => {
    const carried = headers();
    if (isMarked) carried.set(firstHeader, "1");
    const info = { deliveryCount } as Parameters<typeof noveltyOf>[0]["info"];
    return noveltyOf({ headers: carried, info, time: new Date(now.getTime() - ageMs) }, now);
  };

  it("is what its relay says of a young one that comes for the first time", () => {
    expect([given(true, 1, 0), given(true, 1, 9_999), given(false, 1, 0)]).toEqual(["first", "first", "unknown"]);
    expect([given(true, 2, 0), given(false, 2, 0)]).toEqual(["repeat", "repeat"]);
  });

  it("is unknown of an old one, which a consumer that was made anew gets again, and where the clocks differ", () => {
    expect([given(true, 1, 10_000), given(true, 1, -10_000), given(true, 1, -3_600_000)]).toEqual(
      Array(3).fill("unknown"),
    );
  });
});
