import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { choose, mutantClasses, mutate, readMutants } from "../mutants/mutant";

const root = join(__dirname, "../..");
const mutants = readMutants(root);
/** Titles that jest makes of a template. */
const madeTitles = new Set(["8.0.4 are nothing when a document", "answers HTML to exchange"]);

describe("mutants", () => {
  it.each(mutants.map((mutant) => [`${mutant.file}: ${mutant.rule}`, mutant] as const))(
    "apply: %s",
    (_name, mutant) => {
      const { replacement, text, test } = mutant;

      expect(mutate(root, mutant)).toBeDefined();
      expect(replacement).not.toBe(text);
      expect(existsSync(join(root, test))).toBe(true);
    },
  );

  it("name tests that their files have", () => {
    const strays = mutants.filter(({ name, test }) => {
      const source = readFileSync(join(root, test), "utf8").replaceAll('\\"', '"');
      return name !== undefined && !madeTitles.has(name) && !source.includes(name);
    });

    expect(strays.map(({ name, test }) => `${test}: ${name}`)).toEqual([]);
  });

  it.each(mutantClasses)("break at least five rules of %s", (wanted) => {
    expect(mutants.filter((mutant) => mutant.class === wanted).length).toBeGreaterThanOrEqual(5);
  });

  it("are at least half in operations, stores and workers", () => {
    const deep = mutants.filter(({ file }) => /\/(operations|store|workers|storage)\//.test(file));

    expect(deep.length * 2).toBeGreaterThanOrEqual(mutants.length);
  });

  it("are chosen by their seed, none twice", () => {
    const chosen = choose(mutants, 6, 7);

    expect(choose(mutants, 6, 7)).toEqual(chosen);
    expect(choose(mutants, 6, 8)).not.toEqual(chosen);
    expect(new Set(chosen).size).toBe(6);
    expect(choose(mutants, mutants.length, 7)).toHaveLength(mutants.length);
  });
});
