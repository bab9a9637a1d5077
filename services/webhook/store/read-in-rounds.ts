/** Documents with one item or many are read in rounds, each twice as large as the one before, so that few are read in excess. */
const firstRound = 4;
const largestRound = 256;

/** Reads another round as long as the last one answered true. */
export async function readInRounds(round: (count: number) => Promise<boolean>): Promise<void> {
  for (let count = firstRound; await round(count); count = Math.min(largestRound, count * 2));
}
