/** Reads a table of signs, each with the text that follows it up to the next space. */
export const pairsOf = (table: string): ReadonlyMap<string, string> =>
  new Map(table.split(" ").map((pair) => [pair.charAt(0), pair.slice(1)] as const));
