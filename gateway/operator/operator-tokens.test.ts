import { parseOperatorTokens } from "./operator-tokens";

const [one, two] = ["a".repeat(32), "b".repeat(32)];

describe("parseOperatorTokens", () => {
  it("reads names, tokens, roles and ends; without roles it is all of them, without an end for ever", () => {
    const text = `ada ${one}\n\nbob ${two} roles=treasury,support until=2027-01-01T00:00:00Z\r\n`;
    const tokens = parseOperatorTokens(text);

    expect([...(tokens?.get("ada")?.roles ?? [])]).toEqual(["support", "compliance", "treasury", "platform"]);
    expect(tokens?.get("ada")?.until).toBeUndefined();
    expect([...(tokens?.get("bob")?.roles ?? [])]).toEqual(["support", "treasury"]);
    expect(tokens?.get("bob")?.until).toEqual(new Date("2027-01-01T00:00:00Z"));
  });

  it.each([
    ["a short token", "ada short"],
    ["an unknown role", `ada ${one} roles=god`],
    ["no role", `ada ${one} roles=`],
    ["an end that is none", `ada ${one} until=soon`],
    ["an unknown word", `ada ${one} rolls=support`],
    ["a word twice", `ada ${one} roles=support roles=platform`],
    ["one name for two tokens", `ada ${one}\nada ${two}`],
    ["one token for two names, which would be two people", `ada ${one}\nbob ${one}`],
  ])("refuses %s", (_case, text) => {
    expect(parseOperatorTokens(text)).toBeUndefined();
  });
});
