import fc from "fast-check";
import { isAtLeast, none, type Part, partOf, plus } from "./fraction";
import { type ChainNode, listedPart, ownedBy, standingOf } from "./ownership";
import type { PartyRole, RelatedParty } from "./related-parties";

/** `{a: 60}` owns 60 per cent; `{a: "DIRECTOR"}` has a role without a share. */
type Parties = Readonly<Record<string, number | PartyRole>>;

/** Companies have capital letters, people lower-case ones. */
function chain(companies: Readonly<Record<string, Parties>>): ChainNode[] {
  const nodes = Object.entries(companies).map(([id, parties]) => ({
    id,
    isPerson: false,
    parties: Object.entries(parties).map(
      ([participantId, share]): RelatedParty =>
        typeof share === "number"
          ? { participantId, roles: ["OWNER"], shareMillionths: Math.round(share * 10_000) }
          : { participantId, roles: [share], shareMillionths: undefined },
    ),
  }));
  const named = nodes.flatMap(({ parties }) => parties.map(({ participantId }) => participantId));
  const others = [...new Set(named)].filter((id) => companies[id] === undefined);
  return [...nodes, ...others.map((id) => ({ id, isPerson: id === id.toLowerCase(), parties: [] }))];
}
const percent = (part: Part | undefined): string =>
  part === undefined ? "none" : `${(part.numerator * 100n) / part.denominator}`;

describe("ownedBy", () => {
  it.each<[string, Record<string, Parties>, string]>([
    ["directly", { T: { a: 25 } }, "25"],
    ["through one company", { T: { A: 50 }, A: { a: 50 } }, "25"],
    ["over two paths", { T: { A: 30, B: 20 }, A: { a: 50 }, B: { a: 50 } }, "25"],
    ["directly and through a company", { T: { a: 10, A: 50 }, A: { a: 30 } }, "25"],
    ["through two companies that own each other", { T: { A: 100 }, A: { a: 10, B: 90 }, B: { a: 10, A: 90 } }, "100"],
    ["of a company that owns a part of itself through another", { T: { A: 50, a: 25 }, A: { T: 100 } }, "50"],
    ["behind a circle that nothing leaves", { T: { A: 100 }, A: { B: 100 }, B: { A: 100 } }, "0"],
  ])("counts what somebody owns %s", (_case, companies, expected) => {
    expect(percent(ownedBy(chain(companies), "T", ["a"]).get("a"))).toBe(expected);
  });

  it("never gives away more than there is, in any graph", () => {
    const ids = ["T", "A", "B", "C", "a", "b"] as const;
    const weights = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 6, maxLength: 6 });
    const company = weights.map((given) => {
      const total = Math.max(
        given.reduce((sum, one) => sum + one, 0),
        1_000,
      );
      return Object.fromEntries(ids.map((id, place) => [id, Math.floor(((given[place] ?? 0) * 100) / total)]));
    });
    fc.assert(
      fc.property(company, company, company, company, (T, A, B, C) => {
        const nodes = chain({ T: { ...T, T: 0 }, A: { ...A, A: 0 }, B: { ...B, B: 0 }, C: { ...C, C: 0 } });
        const owned = [...ownedBy(nodes, "T", ["a", "b"]).values()];

        expect(owned.every(({ numerator }) => numerator >= 0n)).toBe(true);
        const { numerator, denominator } = owned.reduce(plus, none);
        expect(numerator <= denominator).toBe(true);
      }),
      { seed: 20_261_122, numRuns: 2_000 },
    );
  });
});

describe("standingOf", () => {
  it.each<[string, Record<string, Parties>, string[], string[]]>([
    ["owners of a quarter", { T: { a: 25, b: 24.9999, c: 50 } }, ["a", "c"], []],
    ["owners of a quarter in sum", { T: { A: 50, a: 12.5 }, A: { a: 25, b: 75 } }, ["a", "b"], []],
    ["who controls, and who acts", { T: { a: "CONTROLLER", b: "DIRECTOR", c: "SIGNATORY" } }, ["a"], ["a", "b", "c"]],
    ["who controls an owner", { T: { A: 30 }, A: { a: "CONTROLLER", b: 100 } }, ["a", "b"], []],
    ["who controls through a company", { T: { A: "CONTROLLER" }, A: { a: "CONTROLLER" } }, ["a"], []],
    ["who owns a part and controls another", { T: { a: 10, A: 20, b: 70 }, A: { a: "CONTROLLER" } }, ["a", "b"], []],
    ["nobody below", { T: { A: 100 }, A: { a: 24, b: 24, c: 24, d: 24 } }, [], []],
  ])("finds %s", (_case, companies, owners, acting) => {
    const standing = standingOf(chain(companies), "T");

    expect([...standing.owners].toSorted()).toEqual(owners);
    expect([...standing.acting].toSorted()).toEqual(acting);
  });
});

describe("listedPart", () => {
  const atLeast = { percent: 50, isAbove: false, countsControl: false };
  const above = { percent: 50, isAbove: true, countsControl: true };
  it.each<[string, Record<string, Parties>, string[], string, string]>([
    ["a half", { T: { a: 50 } }, ["a"], "50", "none"],
    ["more than a half", { T: { a: 50.0001 } }, ["a"], "50", "50"],
    ["less", { T: { a: 49.9999 } }, ["a"], "none", "none"],
    ["a half in sum", { T: { a: 25, b: 25, c: 50 } }, ["a", "b"], "50", "none"],
    ["a half of an owner of a half, which counts whole", { T: { A: 50 }, A: { a: 50 } }, ["a"], "50", "none"],
    ["60 per cent of an owner of 60 per cent", { T: { A: 60 }, A: { a: 60 } }, ["a"], "60", "60"],
    [
      "parts over two owners that do not count whole",
      { T: { A: 50, B: 50 }, A: { a: 25 }, B: { a: 25 } },
      ["a"],
      "none",
      "none",
    ],
    ["a part beside a part of an owner", { T: { a: 30, A: 60 }, A: { a: 40 } }, ["a"], "54", "54"],
    ["a listed company", { T: { A: 55 }, A: { b: 100 } }, ["A"], "55", "55"],
    ["control, where it counts", { T: { a: "CONTROLLER", b: 100 } }, ["a"], "none", "100"],
    ["control of an owner", { T: { A: 60 }, A: { a: "CONTROLLER" } }, ["a"], "none", "60"],
    ["owners in a circle", { T: { A: 100 }, A: { a: 10, B: 90 }, B: { b: 10, A: 90 } }, ["a"], "100", "100"],
    ["nothing, and nobody is listed", { T: { a: 100 } }, [], "none", "none"],
    ["nothing, and it is listed itself", { T: { a: 100 } }, ["T"], "none", "none"],
  ])("of what belongs to listed owners, %s", (_case, companies, listed, ofAtLeast, ofAbove) => {
    const nodes = chain(companies);

    expect(percent(listedPart(nodes, "T", new Set(listed), atLeast))).toBe(ofAtLeast);
    expect(percent(listedPart(nodes, "T", new Set(listed), above))).toBe(ofAbove);
  });

  it("is exact at the bound", () => {
    expect(isAtLeast(partOf(499_999n, 1_000_000n), 50)).toBe(false);
    expect(isAtLeast(partOf(1n, 2n), 50)).toBe(true);
  });
});
