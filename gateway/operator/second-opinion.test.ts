import { makeSecondOpinion } from "./second-opinion";

describe("makeSecondOpinion", () => {
  let now = new Date("2026-01-01T00:00:00Z");
  const opinion = makeSecondOpinion("secret", { now: () => now });
  const conflict = expect.objectContaining({ reason: "RECORD_CONFLICT" }) as Error;

  beforeEach(() => {
    now = new Date("2026-01-01T00:00:00Z");
  });

  it("lets a second operator confirm what the first one wanted", () => {
    const approval = opinion.ask("ada", "approve p-1");

    expect(() => opinion.check(approval, "bob", "approve p-1")).not.toThrow();
  });

  it("refuses the same operator, another decision, a late one and one that was made up", () => {
    const approval = opinion.ask("ada", "approve p-1");
    const forged = makeSecondOpinion("guess", { now: () => now }).ask("ada", "approve p-1");

    expect(() => opinion.check(approval, "ada", "approve p-1")).toThrow(conflict);
    expect(() => opinion.check(approval, "bob", "refuse p-1")).toThrow(conflict);
    expect(() => opinion.check(approval.replace("ada", "eve"), "bob", "approve p-1")).toThrow(conflict);
    expect(() => opinion.check(forged, "bob", "approve p-1")).toThrow(conflict);
    expect(() => opinion.check("", "bob", "approve p-1")).toThrow(conflict);
    now = new Date("2026-01-02T00:00:01Z");
    expect(() => opinion.check(approval, "bob", "approve p-1")).toThrow(conflict);
  });
});
