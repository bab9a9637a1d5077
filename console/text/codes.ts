import type { Problem } from "../app/problem";
import { text } from "./text";

/** The sentence above a problem: what its code, of docs/errors.md, means to the person at the screen. */
export function meaningOf(problem: Problem | undefined): string {
  const { codes, problem: words } = text;
  if (problem === undefined) return words.ours;
  return codes[problem.code] ?? (problem.status >= 500 ? words.theirs : words.refused);
}
