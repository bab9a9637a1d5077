import { createSecretKey, randomBytes } from "node:crypto";
import { type Anchor, anchorOf, anchorText, isSigned, parseAnchor, restoredAnchor, standingAnchors } from "./anchor";

const key = createSecretKey(randomBytes(32));
const isOurs = (anchor: Anchor): boolean => isSigned(key, anchor);
const anchors = (...numbers: number[]): Anchor[] =>
  numbers.map((number) => anchorOf(key, { number, seal: `s${number}` }));

describe("anchors of a store that was brought back", () => {
  it("counts none behind the place that it was brought back to, and all that came since", () => {
    const all = [...anchors(1, 2, 3, 4), restoredAnchor(key, { number: 2, seal: "s2" }), ...anchors(3)];

    expect(standingAnchors(all, isOurs).map(({ number }) => number)).toEqual([1, 2, 2, 3]);
  });

  it("counts every anchor when no restore was signed with the key", () => {
    const forged = restoredAnchor(createSecretKey(randomBytes(32)), { number: 1, seal: "s1" });
    const all = [...anchors(1, 2), forged];

    expect(standingAnchors(all, isOurs)).toEqual(all);
  });

  it("counts nothing of what was before when it was brought back to its beginning", () => {
    expect(standingAnchors([...anchors(1), restoredAnchor(key, { number: 0, seal: "" })], isOurs)).toEqual([]);
  });

  it("goes by the newest of several restores", () => {
    const [first, second] = [2, 1].map((number) => restoredAnchor(key, { number, seal: `s${number}` }));
    const all = [...anchors(1, 2, 3), ...(first ? [first] : []), ...anchors(3), ...(second ? [second] : [])];

    expect(standingAnchors(all, isOurs).map(({ number }) => number)).toEqual([1, 1]);
  });

  it("is read from its text as it was written, and an anchor cannot be made one by a word", () => {
    const restored = restoredAnchor(key, { number: 2, seal: "s2" });
    const plain = anchorOf(key, { number: 2, seal: "s2" });

    expect(parseAnchor(anchorText(restored))).toEqual(restored);
    expect(isOurs(parseAnchor(anchorText({ ...plain, isRestored: true })))).toBe(false);
  });
});
