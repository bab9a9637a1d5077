import { readOwnList } from "./lists/own-list";
import { makeScreeningList, type Names, namesOf, type ScreeningList, screen as screenAll } from "./screening";

const parseScreeningList = (text: string): ScreeningList => {
  const { entries, ...facts } = readOwnList(text);
  return makeScreeningList({ name: "", ...facts }, entries);
};
const screen = (list: ScreeningList, ...people: readonly Names[]) => screenAll(list, people);

const list = parseScreeningList(
  JSON.stringify({
    version: "7",
    entries: [
      { id: "p1", names: ["Aleksandr Vymyshlenny", "Александр Вымышленный"] },
      { id: "p2", names: ["Nobody"] },
      { id: "p3", names: ["Ivan Petrov"] },
      { id: "c1", names: ["Fictitious Trading Co."] },
    ],
  }),
);
const hitOf = (firstName: string, lastName: string): string | undefined =>
  screen(list, { firstName, lastName })[0]?.entryId;

describe("screen", () => {
  it.each([
    ["Aleksandr", "Vymyshlenny", "p1"],
    ["VYMYSHLENNY", "aleksandr", "p1"],
    ["Алекса́ндр", "Вымышленный", "p1"],
    ["Alexandr", "Vymyshlenny", "p1"],
    ["Maria", "Nobody", "p2"],
    ["Nóbody", "", "p2"],
    // Sorted, these words would be in a different order than the listed ones.
    ["Yvan", "Petrov", "p3"],
    ["Petrov", "Ivan", "p3"],
    ["Alexander", "Vymyshlenny", "p1"],
    ["Aleksander", "Wymyschlennyj", "p1"],
    ["A.", "Vymyshlennyi", "p1"],
    ["Mr Alek\u200bsandr", "Vymy\u0007shlenny", "p1"],
    ["", "\u202eynnelhsymyV rdnaskelA", "p1"],
    ["Аleksandr", "Vymуshlеnny", "p1"],
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
    expect(screen(list, { companyName: "FICTITIOUS TRADING CO" })).toMatchObject([{ entryId: "c1", likeness: 1 }]);
    expect(screen(list, { companyName: "Honest Trading Ltd" })).toEqual([]);
  });

  it("finds a company beside a person's name, and a person beside a company's", () => {
    const both = { firstName: "Maria", lastName: "Silva", companyName: "Fictitious Trading Co" };

    expect(screen(list, both)).toMatchObject([{ entryId: "c1", likeness: 1 }]);
    expect(screen(list, { lastName: "Nobody", companyName: "Honest Ltd" })).toMatchObject([{ entryId: "p2" }]);
  });
});

describe("screen, of several people", () => {
  it("names each entry once, the most alike first", () => {
    const hits = screen(list, namesOf("Aleksander Vymyshlenni"), { lastName: "Nobody" }, { lastName: "Nobody" });

    expect(hits.map(({ entryId }) => entryId)).toEqual(["p2", "p1"]);
  });

  it("takes the last word of a name that is not parted for the surname", () => {
    expect(screen(list, namesOf("Maria  de Nobody"))).toMatchObject([{ entryId: "p2" }]);
    expect(screen(list, namesOf("Nobody Special"))).toEqual([]);
    expect(screen(list, namesOf(""))).toEqual([]);
  });
});

describe("a list", () => {
  const of = (version: string, ...entries: object[]) => parseScreeningList(JSON.stringify({ version, entries }));
  const entry = { id: "a", names: ["One Name", "Other Name"] };

  it("has another version when an entry changes, also where its file forgets to say so", () => {
    const versions = [
      of("1", entry),
      of("2", entry),
      of("1", { ...entry, names: ["One Name"] }),
      of("1", { ...entry, id: "b" }),
      of("1"),
    ].map(({ version }) => version);

    expect(new Set(versions).size).toBe(versions.length);
    expect(of("1", { ...entry, names: entry.names.toReversed() }).version).toBe(versions[0]);
  });

  it("knows an entry again unless its names change", () => {
    const digestOf = (names: string[]) => screen(of("1", { id: "a", names }), { lastName: "Name" })[0]?.entryDigest;

    expect(digestOf(["Name"])).toBe(digestOf(["NAME"]));
    expect(digestOf(["Name", "Alias"])).not.toBe(digestOf(["Name"]));
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
    '{"version":"1","entries":[{"id":"a","names":["A"]},{"id":"a","names":["B"]}]}',
  ])("refuses %s", (text) => {
    expect(() => parseScreeningList(text)).toThrow("the screening list");
  });
});
