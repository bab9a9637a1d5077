import { type Approval, askApproval, decideApproval, spendApproval } from "./approval";

const at = new Date("2026-11-22T12:00:00Z");
const wish = { action: "POST /tenants", object: "", digest: "d", asker: "ada" };
const asked = askApproval(wish, "id", at);
const lastMoment = new Date("2026-11-23T11:59:59.999Z");
const tooLate = new Date("2026-11-23T12:00:00Z");
const conflict = expect.objectContaining({ reason: "RECORD_CONFLICT" }) as Error;
const decide = (approval: Approval, operator: string, approve: boolean, when = at) =>
  decideApproval(approval, { operator, approve, at: when });
const spend = (approval: Approval, operator: string, digest = "d", when = at) =>
  spendApproval(approval, { operator, digest, at: when });

describe("an approval", () => {
  it("is spent by a second operator who sends the same command, once", () => {
    const spent = spend(asked, "bob", "d", lastMoment);

    expect(spent).toMatchObject({ state: "SPENT", asker: "ada", decidedBy: "bob", version: 2 });
    for (const who of ["ada", "bob", "eve"]) expect(() => spend(spent, who)).toThrow(conflict);
    expect(() => decide(spent, "bob", true)).toThrow(conflict);
  });

  it("is spent by its asker after another operator has agreed", () => {
    const agreed = decide(asked, "bob", true);

    expect(spend(agreed, "ada")).toMatchObject({ state: "SPENT", decidedBy: "bob" });
    expect(() => decide(agreed, "eve", false)).toThrow(conflict);
  });

  it("cannot be approved by its asker, who may withdraw it", () => {
    expect(() => spend(asked, "ada")).toThrow(conflict);
    expect(() => decide(asked, "ada", true)).toThrow(conflict);
    expect(decide(asked, "ada", false)).toMatchObject({ state: "REFUSED" });
  });

  it("is for one command, and cannot be used once refused or too old", () => {
    expect(() => spend(asked, "bob", "other")).toThrow(conflict);
    expect(() => spend(decide(asked, "bob", false), "bob")).toThrow(conflict);
    expect(() => spend(asked, "bob", "d", tooLate)).toThrow(conflict);
    expect(() => spend(decide(asked, "bob", true), "ada", "d", tooLate)).toThrow(conflict);
    expect(() => decide(asked, "bob", true, tooLate)).toThrow(conflict);
  });
});
