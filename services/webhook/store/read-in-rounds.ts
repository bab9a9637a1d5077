/** Documents that hold one thing or many are read in rounds, each twice as large as the one before: few too many are read. */
const firstRound = 4;
const largestRound = 256;

/** Reads on as long as a round answers true. */
export async function readInRounds(round: (count: number) => Promise<boolean>): Promise<void> {
  for (let count = firstRound; await round(count); count = Math.min(largestRound, count * 2));
}
