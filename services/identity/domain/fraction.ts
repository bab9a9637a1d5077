/** A part of a whole, exact. */
export interface Part {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const none: Part = { numerator: 0n, denominator: 1n };
export const all: Part = { numerator: 1n, denominator: 1n };

const reduced = (numerator: bigint, denominator: bigint): Part => {
  let [a, b] = [numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? none : { numerator: numerator / a, denominator: denominator / a };
};

export const partOf = (numerator: bigint, denominator: bigint): Part => reduced(numerator, denominator);

export const plus = (a: Part, b: Part): Part =>
  reduced(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);

export const times = (a: Part, b: Part): Part => reduced(a.numerator * b.numerator, a.denominator * b.denominator);

/** The sum over all rounds of a cycle that keeps `kept` of everything: 1 / (1 - kept); undefined when nothing ever leaves the cycle. */
export function roundsOf({ numerator, denominator }: Part): Part | undefined {
  return numerator >= denominator ? undefined : reduced(denominator, denominator - numerator);
}

export const isAtLeast = (a: Part, percent: number): boolean => a.numerator * 100n >= BigInt(percent) * a.denominator;

export const isAbove = (a: Part, percent: number): boolean => a.numerator * 100n > BigInt(percent) * a.denominator;
