import fc from "fast-check";
import { derivedUuid, derivedUuidAt, idsOf, originOf, systemIds } from "./ids";

const version8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const time = new Date("2026-01-02T03:04:05.678Z");

describe("derivedUuid", () => {
  it("depends on all of its words, and on where one ends", () => {
    expect(derivedUuid("a", "b")).toBe(derivedUuid("a", "b"));
    expect(derivedUuid("a", "b")).toMatch(version8);
    expect(new Set([derivedUuid("a", "b"), derivedUuid("ab"), derivedUuid("a", "c"), derivedUuid("b", "a")]).size).toBe(
      4,
    );
  });
});

describe("a new id", () => {
  it("is of version 7 and begins with the time at which it was made", () => {
    const before = Date.now();
    const made = systemIds.uuid();
    const after = Date.now();

    expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt(made.replace("-", "").slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(after);
  });

  it("has a random part of its own", () => {
    const tails = Array.from({ length: 20_000 }, () => systemIds.uuid().slice(15));
    expect(new Set(tails).size).toBe(tails.length);
  });
});

describe("the origin of an id", () => {
  it.each(["auth", "fx", "wallet", "identity", "webhook"] as const)("is the service %s that made it", (maker) => {
    const made = Array.from({ length: 1_000 }, () => idsOf(maker).uuid());

    expect(new Set(made.map((id) => originOf(id)))).toEqual(new Set([maker]));
    expect(new Set(made.map((id) => id.slice(16))).size).toBe(made.length);
    expect(made.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
      true,
    );
  });

  it("is told of derived ids, and of nothing that is in no form of ours", () => {
    expect(originOf(derivedUuid("a"))).toBe("derived");
    expect(originOf(derivedUuidAt(time, "a"))).toBe("derived");
    const derived = derivedUuid("a");
    for (const id of ["", "order-1", derived.toUpperCase(), `${derived} `, `${derived}.1`, derived.replaceAll("-", "")])
      expect([id, originOf(id)]).toEqual([id, undefined]);
    expect(originOf("8f14e45f-ceea-467f-ab1c-2f1b5a3d6e77")).toBeUndefined();
  });
});

describe("derivedUuidAt", () => {
  it("depends on its time and words", () => {
    expect(derivedUuidAt(time, "a")).toBe(derivedUuidAt(new Date(time), "a"));
    expect(derivedUuidAt(time, "a")).not.toBe(derivedUuidAt(time, "b"));
    expect(derivedUuidAt(time, "a")).toMatch(version8);
  });

  it("is in the order of its times", () => {
    const ms = fc.integer({ min: 0, max: 2 ** 48 - 1 });
    fc.assert(
      fc.property(ms, ms, fc.string(), fc.string(), (earlier, later, one, other) => {
        fc.pre(earlier < later);
        expect(derivedUuidAt(new Date(earlier), one) < derivedUuidAt(new Date(later), other)).toBe(true);
      }),
      { seed: 1 },
    );
  });
});
