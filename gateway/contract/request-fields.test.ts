import { invalid } from "../../services/shared/kernel/errors";
import { caseCommand } from "./case-commands";
import { inRequestWords, refusedIn } from "./request-fields";
import type { ObjectSchema } from "./schema";

const query: ObjectSchema = {
  type: "object",
  description: "What is shown.",
  properties: { after: { type: "string", description: "Cursor." } },
};

describe("inRequestWords", () => {
  const words = inRequestWords({ body: caseCommand, params: ["caseId"] });
  it.each([
    ["settleStep.amount", "amount"],
    ["settleStep.kind", "kind"],
    ["beginStep.amount.amountMinor", "amount"],
    ["postCorrection.postings.0.account", "postings.0.account"],
    ["postCorrection.postings.1.minor", "postings.1"],
    ["evidence", "evidence"],
    ["caseId", "caseId"],
    ["body", "body"],
    ["author", "body"],
    ["", "body"],
  ])("names %j of the service %j to the caller", (theirs, own) => {
    expect(words(theirs)).toBe(own);
  });

  it("takes the longest alias", () => {
    const aliases = { filter: "query", "filter.cursor": "after" };
    const aliased = inRequestWords({ query, aliases });

    expect(["filter.cursor", "filter.y"].map(aliased)).toEqual(["after", "query"]);
  });

  it("names the whole of what a request has", () => {
    expect(inRequestWords({ query })("nowhere")).toBe("query");
    expect(inRequestWords({ params: ["id"] })("nowhere")).toBe("path");
  });
});

describe("refusedIn", () => {
  it("says the refused field in the message and in the list of errors", async () => {
    const words = inRequestWords({ body: caseCommand });
    const refused = refusedIn(words, () =>
      Promise.reject(invalid([{ field: "settleStep.amount", message: "is wrong" }])),
    );

    await expect(refused).rejects.toMatchObject({
      message: "amount is wrong",
      violations: [{ field: "amount", message: "is wrong" }],
    });
  });
});
