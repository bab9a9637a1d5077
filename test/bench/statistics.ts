/** The middle value; of an even number, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** The value that the given share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Median of the ratios of the rounds: each round is compared with its own neighbour, so that slow drift cancels out. */
export function pairRatio<T>(of: readonly T[], to: readonly T[], read: (sample: T) => number): number {
  return median(of.map((sample, round) => read(sample) / (to[round] === undefined ? Number.NaN : read(to[round]))));
}

/**
 * Runs every variant once as a warm-up and then in rounds: A B, B A, A B, … What comes first in a round changes, so that
 * neither variant always follows the other.
 */
export async function interleave<K extends string, T>(
  variants: Readonly<Record<K, () => Promise<T>>>,
  rounds: number,
): Promise<Record<K, T[]>> {
  const names = Object.keys(variants) as K[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, T[]>;
  for (const name of names) await variants[name]();
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) samples[name].push(await variants[name]());
  }
  return samples;
}
