import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a breakage breaks. */
export const mutantClasses = [
  "money",
  "order",
  "isolation",
  "idempotency",
  "limits",
  "signatures",
  "leases",
  "answers",
] as const;

/** One line of the code that is broken on purpose, and the test that has to notice. */
export interface Mutant {
  /** What no longer holds. */
  rule: string;
  class: (typeof mutantClasses)[number];
  file: string;
  /** Stands in the file exactly once. */
  text: string;
  replacement: string;
  /** A file of tests, and part of the names of those in it that are run; all of them when it is absent. */
  test: string;
  name?: string;
}

export const readMutants = (root: string): Mutant[] =>
  JSON.parse(readFileSync(join(root, "test/mutants/mutants.json"), "utf8")) as Mutant[];

/** The file with the mutant in it; undefined unless its text is there exactly once. */
export function mutate(root: string, { file, text, replacement }: Mutant): string | undefined {
  const parts = readFileSync(join(root, file), "utf8").split(text);
  return parts.length === 2 ? parts.join(replacement) : undefined;
}

/** A few of them, chosen by a seed: the same seed chooses the same ones. */
export function choose(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const left = [...mutants];
  const chosen: Mutant[] = [];
  let state = seed >>> 0;
  while (chosen.length < count && left.length > 0) {
    // A linear congruence (Numerical Recipes), whose high bits are good enough to choose by.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    chosen.push(...left.splice(Math.floor((state / 2 ** 32) * left.length), 1));
  }
  return chosen;
}
