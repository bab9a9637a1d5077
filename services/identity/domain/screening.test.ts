import { parseScreeningList, screen } from "./screening";

const list = parseScreeningList(
  JSON.stringify({
    version: "7",
    entries: [
      { id: "p1", names: ["Aleksandr Vymyshlenny", "Александр Вымышленный"] },
      { id: "p2", names: ["Nobody"] },
      { id: "c1", names: ["Fictitious Trading Co."] },
    ],
  }),
);
const hitOf = (firstName: string, lastName: string): string | undefined =>
  screen(list, { firstName, lastName })?.entryId;

describe("screen", () => {
  it.each([
    ["Aleksandr", "Vymyshlenny", "p1"],
    ["VYMYSHLENNY", "aleksandr", "p1"],
    ["Алекса́ндр", "Вымышленный", "p1"],
    ["Alexandr", "Vymyshlenny", "p1"],
    ["Maria", "Nobody", "p2"],
    ["Nóbody", "", "p2"],
  ])("finds %s %s", (firstName, lastName, entry) => {
    expect(hitOf(firstName, lastName)).toBe(entry);
  });

  it.each([
    ["Aleksandr", "Petrov"],
    ["Nobody", "Special"],
    ["Maria", "Silva"],
    ["", ""],
    ["--", "!!"],
  ])("lets %s %s pass", (firstName, lastName) => {
    expect(hitOf(firstName, lastName)).toBeUndefined();
  });

  it("finds a company, whatever its form is written like", () => {
    expect(screen(list, { companyName: "FICTITIOUS TRADING CO" })).toEqual({
      entryId: "c1",
      listVersion: "7",
      likeness: 1,
    });
    expect(screen(list, { companyName: "Honest Trading Ltd" })).toBeUndefined();
  });
});

describe("parseScreeningList", () => {
  it.each([
    "{}",
    '{"version":"","entries":[]}',
    '{"version":"1"}',
    '{"version":"1","entries":[{}]}',
    '{"version":"1","entries":[{"id":"a","names":[]}]}',
    '{"version":"1","entries":[{"id":"a","names":["!"]}]}',
    '{"version":"1","entries":[{"id":"a","names":["A",1]}]}',
  ])("refuses %s", (text) => {
    expect(() => parseScreeningList(text)).toThrow("the screening list");
  });
});
