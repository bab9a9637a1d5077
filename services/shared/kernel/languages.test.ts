import { languageOf, languages } from "./languages";

describe("the language of the words", () => {
  it.each([
    ["de", "de"],
    ["DE-ch", "de"],
    ["pt-BR", "pt"],
    ["pt-Latn-BR", "pt"],
    ["deu", "en"],
    ["fr", "en"],
    ["", "en"],
  ])("for %j is %s", (tag, language) => {
    expect(languageOf(tag)).toBe(language);
  });

  it("is one of a few, so that nobody can fill a cache with tags", () => {
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const tags = letters.flatMap((one) => letters.flatMap((other) => [one + other, `${one}${other}-x1`]));

    expect(new Set(tags.map(languageOf))).toEqual(new Set(languages));
  });
});
