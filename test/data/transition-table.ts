/** Outcomes by status and by what happens to it. */
export type TransitionTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Reads a table: its first line names what can happen, each other line a status and every outcome. Throws for a gap. */
export function readTransitions(text: string): TransitionTable {
  const [inputs = [], ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  return Object.fromEntries(
    rows.map(([status = "", ...outcomes]) => {
      if (outcomes.length !== inputs.length) throw new Error(`${status} has ${outcomes.length} outcomes`);
      return [status, Object.fromEntries(inputs.map((input, index) => [input, outcomes[index] ?? ""]))];
    }),
  );
}

/** Every pair of a status and an input, with its outcome. */
export const cellsOf = (table: TransitionTable): [status: string, input: string, outcome: string][] =>
  Object.entries(table).flatMap(([status, row]) =>
    Object.entries(row).map(([input, outcome]): [string, string, string] => [status, input, outcome]),
  );

/** The pairs that a table must have and does not, and those that it has and must not. */
export function differences(table: TransitionTable, statuses: readonly string[], inputs: readonly string[]): string[] {
  const wanted = statuses.flatMap((status) => inputs.map((input) => `${status} ${input}`));
  const present = cellsOf(table).map(([status, input]) => `${status} ${input}`);
  return [
    ...wanted.filter((pair) => !present.includes(pair)).map((pair) => `missing: ${pair}`),
    ...present.filter((pair) => !wanted.includes(pair)).map((pair) => `unknown: ${pair}`),
  ];
}
