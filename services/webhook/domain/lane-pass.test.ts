import { makeLanePass } from "./lane-pass";

describe("makeLanePass", () => {
  it("admits a lane on one page after the other while nothing of it was left out", () => {
    const pass = makeLanePass();

    expect(pass.admits("a", false)).toBe(true);
    expect(pass.admits("a", false)).toBe(true);
  });

  it("admits nothing more of a lane that was busy on an earlier page, though it is busy no longer", () => {
    const pass = makeLanePass();

    expect(pass.admits("a", true)).toBe(false);
    expect(pass.admits("a", false)).toBe(false);
    expect(pass.admits("b", false)).toBe(true);
  });

  it("admits nothing more of a lane in which something waits", () => {
    const pass = makeLanePass();
    pass.admits("a", false);

    pass.close("a");

    expect(pass.admits("a", false)).toBe(false);
  });
});
