/** A part of an account's money that one process may promise to payments. */
export interface Block {
  id: string;
  /** The process that may promise it. */
  holder: string;
  /** Path of the account. */
  path: string;
  asset: string;
  /** The requested amount; distinguishes a repeat from another request. */
  wanted: bigint;
  least: bigint;
  granted: bigint;
  /** What the account could promise before this grant. */
  available: bigint;
  /** The account's counter of releases at that time. */
  counter: bigint;
  takenAt: Date;
  /** The amount returned unpromised; undefined until the holder returns the block. */
  returned: bigint | undefined;
  /** The amount that payments have released so far. */
  released: bigint;
}

/** The promises of an account. */
export interface PromiseAccount {
  /** Lowest balance that promises may lead to; undefined when it was never set. */
  floor: bigint | undefined;
  /** The amount released of closed blocks. */
  released: bigint;

  /** Blocks that are not closed. */
  open: readonly Block[];
}

/** The balance that a provider reported, and the counter of releases as read before the provider was asked. */
export interface Figure {
  available: bigint;
  released: bigint;
}

/** Stands for an account whose promises are unbounded. */
export const unbounded = 2n ** 63n - 1n;

/** The part of a block that is still promised. A block is never released beyond its grant. */
export const promisedOf = ({ granted, returned = 0n, released }: Block): bigint => {
  const left = granted - returned - released;
  return left > 0n ? left : 0n;
};

/** The amount of a block that counts as released. */
const releasedOf = (block: Block): bigint => block.granted - (block.returned ?? 0n) - promisedOf(block);

export const totalPromised = ({ open }: PromiseAccount): bigint =>
  open.reduce((sum, block) => sum + promisedOf(block), 0n);

/** The sum of all releases on the account; it never decreases. */
export const totalReleased = ({ released, open }: PromiseAccount): bigint =>
  open.reduce((sum, block) => sum + releasedOf(block), released);

const mostNamed = 1_000;

/** Blocks that may still have an unpromised part. */
export const unreturnedOf = ({ open }: PromiseAccount): string[] =>
  open
    .filter(({ returned }) => returned === undefined)
    .map(({ id }) => id)
    .slice(0, mostNamed);

/** Blocks without any remaining promise, with the amounts that count as released. */
export const finishedOf = ({ open }: PromiseAccount): Block[] =>
  open.flatMap((block) => (promisedOf(block) === 0n ? [{ ...block, released: releasedOf(block) }] : []));

/** The amount that a tenant's account can still promise. */
export const availableAtFloor = (account: PromiseAccount, settled: bigint, floor: bigint): bigint =>
  settled - floor - totalPromised(account);

/**
 * The amount that a provider's account can still promise. Releases after the provider was asked may or may not be in
 * its reported balance, so all of them are subtracted.
 */
export const availableByFigure = (account: PromiseAccount, { available, released }: Figure): bigint =>
  available - totalPromised(account) - (totalReleased(account) - released);

/** The amount to grant: up to `wanted`, or nothing when less than the useful minimum is available. */
export function grantOf(available: bigint, { wanted, least }: Pick<Block, "wanted" | "least">): bigint {
  const granted = available < wanted ? available : wanted;
  return granted < least ? 0n : granted;
}
