import { plusBusinessDays } from "./business-days";
import { decideReview, fileReport, openReview, type Review, releaseBlocked } from "./review";

const at = new Date("2026-11-20T15:00:00Z");
const hit = { entryId: "e1", entryDigest: "d", likeness: 1 } as unknown as Review["hits"][number];
const open = (facts: Partial<Review> = {}): Review => ({
  ...openReview(
    { id: "r", tenant: "demo", kind: "PAYMENT", subjectId: "p", hits: [hit], awaitsProvider: false, listVersion: "1" },
    at,
  ),
  ...facts,
});
const judged = (facts: Partial<Review>, decision: { approve: boolean; block: boolean }): Review =>
  decideReview(open(facts), { ...decision, author: "ada", note: "seen" }, at);
const blocked = judged({}, { approve: false, block: true });
const release = {
  approve: true,
  author: "ada",
  approver: "bob",
  authorityReference: "L-7",
  payTo: "",
  note: "licensed",
};

describe("a review that blocks", () => {
  it("is for payments alone, and approves nothing", () => {
    expect(blocked).toMatchObject({ status: "BLOCKED", author: "ada", version: 2 });
    expect(() => judged({ kind: "PERSON" }, { approve: false, block: true })).toThrow("block is for payments alone");
    expect(() => judged({}, { approve: true, block: true })).toThrow("block must not be true where approve is");
  });

  it("owes the authority a report after ten business days, and so does a refusal by a list", () => {
    const dueAt = new Date("2026-12-04T15:00:00Z");

    expect(blocked.report).toEqual({ dueAt });
    expect(judged({}, { approve: false, block: false }).report).toEqual({ dueAt });
    expect(judged({ hits: [], embargo: "KP" }, { approve: false, block: false }).report).toEqual({ dueAt });
    for (const none of [
      judged({}, { approve: true, block: false }),
      judged({ kind: "PERSON" }, { approve: false, block: false }),
      judged({ hits: [], awaitsProvider: true }, { approve: false, block: false }),
    ]) {
      expect(none.report).toBeUndefined();
    }
  });

  it("notes a report once, under one reference", () => {
    const filed = fileReport(blocked, "R-1", "ada");

    expect(filed.report?.reference).toBe("R-1");
    expect(fileReport(filed, "R-1", "bob")).toBe(filed);
    expect(() => fileReport(filed, "R-2", "ada")).toThrow("another");
    expect(() => fileReport(open(), "R-1", "ada")).toThrow("the review has no sanction report to file");
  });
});

describe("the release of what is blocked", () => {
  it("takes two people, a reference and a note", () => {
    const asked = { ...release, author: "", approver: "", authorityReference: " ", note: "" };

    expect(() => releaseBlocked(blocked, asked, at)).toThrow("author is required (and 3 more)");
    expect(() => releaseBlocked(blocked, { ...release, approver: "ada" }, at)).toThrow("another operator");
  });

  it("ends it as the authority allows, and owes its report still", () => {
    expect(releaseBlocked(blocked, release, at)).toMatchObject({
      ...{ status: "APPROVED", version: 3, report: blocked.report },
      release: { authorityReference: "L-7", approver: "bob" },
    });
    expect(releaseBlocked(blocked, { ...release, approve: false }, at).status).toBe("REJECTED");
  });

  it("changes nothing when it is repeated, and nothing else releases after it, nor what is not blocked", () => {
    const ended = releaseBlocked(blocked, release, at);

    expect(releaseBlocked(ended, release, at)).toBe(ended);
    for (const other of [{ authorityReference: "L-8" }, { approve: false }, { author: "eve" }])
      expect(() => releaseBlocked(ended, { ...release, ...other }, at)).toThrow("not BLOCKED");
    expect(() => releaseBlocked(open(), release, at)).toThrow("not BLOCKED");
  });
});

describe("business days", () => {
  it.each([
    ["2026-11-20T15:00:00Z", 1, "2026-11-23T15:00:00.000Z"],
    ["2026-11-21T01:00:00Z", 1, "2026-11-23T01:00:00.000Z"],
    ["2026-11-23T00:00:00Z", 10, "2026-12-07T00:00:00.000Z"],
  ])("%s and %d more are %s", (from, days, to) => {
    expect(plusBusinessDays(new Date(from), days).toISOString()).toBe(to);
  });
});
