import { levelsOf } from "./compliance-level";
import type { Participant } from "./participant";

const address = { countryCode: "BR" };
const person: Pick<Participant, "kind" | "fields" | "reasonCodes"> = {
  kind: "PERSON",
  fields: { firstName: "Ana", lastName: "Lima", birthDate: "1990-01-01", address },
  reasonCodes: [],
};
const company = { ...person, kind: "COMPANY" as const, fields: { companyName: "Acme", address } };
const missingFor = (level: string, ...given: Parameters<typeof levelsOf>) =>
  levelsOf(...given).levels.find((one) => one.level === level)?.missing;
const none = new Set<string>();

describe("the compliance level", () => {
  it.each([
    ["a person without anything", { ...person, fields: {} }, [], none, "NONE"],
    ["a person with its data", person, [], none, "BASIC"],
    ["a person that lacks what its country asks for", person, ["identification"], none, "NONE"],
    ["a person in review", { ...person, reasonCodes: ["SCREENING_HIT"] as const }, [], none, "NONE"],
    ["a person with one document", person, [], new Set(["PASSPORT"]), "BASIC"],
    ["a person with both", person, [], new Set(["NATIONAL_ID", "PROOF_OF_ADDRESS"]), "FULL"],
    [
      "a person in review with both",
      { ...person, reasonCodes: ["SCREENING_HIT"] as const },
      [],
      new Set(["PASSPORT", "PROOF_OF_ADDRESS"]),
      "NONE",
    ],
    ["a person with documents of no identity", person, [], new Set(["PROOF_OF_FUNDS", "PROOF_OF_ADDRESS"]), "BASIC"],
    ["a company with its data", company, [], none, "BASIC"],
    ["a company with a passport", company, [], new Set(["PASSPORT", "PROOF_OF_ADDRESS"]), "BASIC"],
    ["a company that is registered", company, [], new Set(["COMPANY_REGISTRATION", "PROOF_OF_ADDRESS"]), "FULL"],
  ])("of %s", (_case, participant, unmet, verified, level) => {
    expect(levelsOf(participant, unmet, verified).level).toBe(level);
  });

  it("says what is missing for each level, once", () => {
    expect(missingFor("NONE", { ...person, fields: {} }, [], none)).toEqual([]);
    expect(missingFor("BASIC", { ...person, fields: {}, reasonCodes: ["SCREENING_HIT"] }, ["birthDate"], none)).toEqual(
      ["firstName", "lastName", "birthDate", "address.countryCode", "screening"],
    );
    expect(missingFor("FULL", person, [], none)).toEqual(["documents.IDENTITY", "documents.PROOF_OF_ADDRESS"]);
    expect(missingFor("FULL", company, [], new Set(["PROOF_OF_ADDRESS"]))).toEqual(["documents.COMPANY_REGISTRATION"]);
  });
});
