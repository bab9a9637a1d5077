import { makeBoundedCache } from "./bounded-cache";

describe("makeBoundedCache", () => {
  const at = (seconds: number): Date => new Date(seconds * 1_000);
  let now = at(0);
  const clock = { now: () => now };
  beforeEach(() => {
    now = at(0);
  });

  it("forgets an entry at its time, not before", () => {
    const cache = makeBoundedCache<string>(2, clock);
    cache.set("a", "A", at(10));

    now = at(9.999);
    expect(cache.get("a")).toBe("A");
    now = at(10);
    expect(cache.get("a")).toBeUndefined();
  });

  it("forgets the oldest entry when it is full", () => {
    const cache = makeBoundedCache<string>(2, clock);
    for (const key of ["a", "b", "a", "c"]) cache.set(key, key, at(10));

    expect(["a", "b", "c"].map((key) => cache.get(key))).toEqual(["a", undefined, "c"]);
  });
});
