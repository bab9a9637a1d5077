/** A part of what an account has, that one process may promise to payments. */
export interface Block {
  id: string;
  /** Who may promise it. */
  holder: string;
  /** Path of the account. */
  path: string;
  asset: string;
  /** What was asked for, to tell a repeat from another request. */
  wanted: bigint;
  least: bigint;
  granted: bigint;
  /** What the account could still promise before. */
  available: bigint;
  /** The account's counter of releases at that time. */
  counter: bigint;
  takenAt: Date;
  /** What was promised to nobody; undefined until the holder has said so. */
  returned: bigint | undefined;
  /** What payments needed no more so far. */
  released: bigint;
}

/** What an account has promised. */
export interface PromiseAccount {
  /** How far promises may take it; undefined when nobody has set it. */
  floor: bigint | undefined;
  /** What was released of blocks that are closed. */
  released: bigint;
  /** Blocks that are not closed. */
  open: readonly Block[];
}

/** What a provider said that it can still pay out, and the counter of releases as it was before the provider was asked. */
export interface Figure {
  available: bigint;
  released: bigint;
}

/** Says that promises of an account have no bound. */
export const unbounded = 2n ** 63n - 1n;

/** What of a block is still promised. A block is never released beyond what was granted. */
export const promisedOf = ({ granted, returned = 0n, released }: Block): bigint => {
  const left = granted - returned - released;
  return left > 0n ? left : 0n;
};

/** What counts as released of a block. */
const releasedOf = (block: Block): bigint => block.granted - (block.returned ?? 0n) - promisedOf(block);

export const totalPromised = ({ open }: PromiseAccount): bigint =>
  open.reduce((sum, block) => sum + promisedOf(block), 0n);

/** Everything that was ever released on the account: it never goes back. */
export const totalReleased = ({ released, open }: PromiseAccount): bigint =>
  open.reduce((sum, block) => sum + releasedOf(block), released);

const mostNamed = 1_000;

/** Blocks that may still have something left that nobody was promised. */
export const unreturnedOf = ({ open }: PromiseAccount): string[] =>
  open
    .filter(({ returned }) => returned === undefined)
    .map(({ id }) => id)
    .slice(0, mostNamed);

/** Blocks of which nothing is promised any more, with what counts as released of them. */
export const finishedOf = ({ open }: PromiseAccount): Block[] =>
  open.flatMap((block) => (promisedOf(block) === 0n ? [{ ...block, released: releasedOf(block) }] : []));

/** What a tenant's account can still promise. */
export const availableAtFloor = (account: PromiseAccount, settled: bigint, floor: bigint): bigint =>
  settled - floor - totalPromised(account);

/**
 * What a provider's account can still promise. What was released after the figure was asked for may or may not be in the
 * figure, so all of it is taken off.
 */
export const availableByFigure = (account: PromiseAccount, { available, released }: Figure): bigint =>
  available - totalPromised(account) - (totalReleased(account) - released);

/** What is granted of what is available: as much as is wanted, or nothing when less is left than is of use. */
export function grantOf(available: bigint, { wanted, least }: Pick<Block, "wanted" | "least">): bigint {
  const granted = available < wanted ? available : wanted;
  return granted < least ? 0n : granted;
}
