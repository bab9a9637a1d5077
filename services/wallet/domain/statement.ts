import { derivedUuid } from "../../shared/kernel/ids";

/** What a line of a provider's statement can be. */
export const lineKinds = [
  "CAPTURE",
  "REFUND",
  "RETURN",
  "CHARGEBACK",
  "PAYOUT",
  "PAYOUT_RETURN",
  "FEE",
  "DEPOSIT",
] as const;
export type LineKind = (typeof lineKinds)[number];

/** One line of a provider's statement. */
export interface StatementLine {
  /** Number within the provider's statement; numbers have no gaps. */
  sequence: number;
  lineId: string;
  /** Our reference, or the provider's word for what has none. */
  reference: string;
  /** The provider's own id of the movement. */
  movementId: string;
  kind: LineKind;
  asset: string;
  /** As on our clearing account: what the provider paid for us is positive, what it holds for us is negative. */
  minor: bigint;
  bookedAt: Date;
}

/** What entered our clearing account of a provider, by one entry. */
export interface BookedMove {
  entryId: string;
  paymentId: string | undefined;
  /** What an operator linked it to. */
  links: readonly string[];
  asset: string;
  minor: bigint;
  at: Date;
}

/** Whether a line adds to our clearing account: what the provider paid on our behalf, or charged us, it is owed. */
const signs: Readonly<Record<LineKind, bigint>> = {
  CAPTURE: -1n,
  REFUND: 1n,
  RETURN: 1n,
  CHARGEBACK: 1n,
  PAYOUT: 1n,
  PAYOUT_RETURN: -1n,
  FEE: 1n,
  DEPOSIT: -1n,
};

/** A line's amount as it is on our clearing account. */
export const signedMinor = (kind: LineKind, minor: bigint): bigint => signs[kind] * minor;

/** Facts of payments that a line may be, by role and kind. */
const facts: Readonly<Record<LineKind, readonly (readonly [string, string])[]>> = {
  CAPTURE: [
    ["pull", "CAPTURED"],
    ["pull", "SETTLED"],
  ],
  REFUND: [["pull", "REFUNDED"]],
  RETURN: [["pull", "RETURNED"]],
  CHARGEBACK: [["pull", "CHARGED_BACK"]],
  PAYOUT: [["payout", "PAID"]],
  PAYOUT_RETURN: [["payout", "RETURNED"]],
  FEE: [],
  DEPOSIT: [],
};

/** Id of the entry that the ledger posts itself for what only the statement tells. */
export const lineEntryId = (provider: string, { kind, reference, movementId }: StatementLine): string =>
  derivedUuid("statement", provider, kind, reference, movementId);

/**
 * Ids of entries that a line may be: payments derive the id of a fact from provider, role, reference, kind and the provider's
 * id of the movement, for which our reference stands where the provider told none.
 */
export function entryIdsOf(provider: string, line: StatementLine): string[] {
  const { kind, reference, movementId } = line;
  const ids = facts[kind].flatMap(([role, fact]) =>
    [movementId, reference].map((movement) => derivedUuid("fact", provider, role, reference, fact, movement)),
  );
  return [...new Set([lineEntryId(provider, line), ...ids])];
}

/** One movement of money as both books have it. */
export interface Item {
  /** `<provider>/<entry id>`. */
  id: string;
  provider: string;
  reference: string;
  /** Ids of entries that are this movement, and of lines. */
  aliases: readonly string[];
  lines: readonly StatementLine[];
  moves: readonly BookedMove[];
  /** True until both books say the same. */
  isOpen: boolean;
  /** When either book had it first, by our clock. */
  since: Date;
  /** Set once it is a break. */
  brokenAt: Date | undefined;
}

const sumOf = (parts: readonly { minor: bigint }[]): bigint => parts.reduce((sum, { minor }) => sum + minor, 0n);

/** True when both books say the same of it: the same sum in one asset, told once. */
function isBalanced({ lines, moves }: Pick<Item, "lines" | "moves">): boolean {
  const assets = new Set([...lines, ...moves].map(({ asset }) => asset));
  return assets.size <= 1 && sumOf(lines) === sumOf(moves) && !isDoubled(lines);
}

/** A movement that the statement has under two line ids. */
const isDoubled = (lines: readonly StatementLine[]): boolean =>
  new Set(lines.map(({ kind, movementId }) => `${kind} ${movementId}`)).size < lines.length;

export const breakClasses = [
  "MISSING_HERE",
  "MISSING_THERE",
  "AMOUNT",
  "CURRENCY",
  "DOUBLED",
  "GAP",
  "SUSPENSE",
] as const;
export type BreakClass = (typeof breakClasses)[number];

/** Why an open item is one. */
export function classOf({ lines, moves }: Pick<Item, "lines" | "moves">): BreakClass {
  if (isDoubled(lines)) return "DOUBLED";
  if (moves.length === 0) return "MISSING_HERE";
  if (lines.length === 0) return "MISSING_THERE";
  return new Set([...lines, ...moves].map(({ asset }) => asset)).size > 1 ? "CURRENCY" : "AMOUNT";
}

/** What a side has, in the asset that it names first; undefined when it has nothing. */
export function sideOf(parts: readonly { asset: string; minor: bigint }[]) {
  const [first] = parts;
  if (first === undefined) return undefined;
  return { asset: first.asset, minor: sumOf(parts.filter(({ asset }) => asset === first.asset)) };
}

/** The items that a page is about, in memory while it is worked on. */
export interface Matching {
  /** Takes a line in; one that was read before changes nothing. */
  addLine(line: StatementLine): void;
  addMove(move: BookedMove): void;
  /** Items that are not as they were. */
  changed(): Item[];
}

export function makeMatching(provider: string, present: readonly Item[], now: Date): Matching {
  const items = new Map(present.map((item) => [item.id, item]));
  const changed = new Set<string>();
  const nameOf = (id: string): string => `${provider}/${id}`;
  const withAlias = (ids: readonly string[]): Item | undefined => {
    const names = new Set(ids.map(nameOf));
    return [...items.values()].find(({ aliases }) => aliases.some((alias) => names.has(alias)));
  };
  /** The open item of a reference that the addition would balance. */
  const balancedBy = (reference: string, addition: Partial<Pick<Item, "lines" | "moves">>): Item | undefined =>
    [...items.values()].find((item) => {
      const { lines = [], moves = [] } = addition;
      const isSame = item.isOpen && item.reference === reference;
      return isSame && isBalanced({ lines: [...item.lines, ...lines], moves: [...item.moves, ...moves] });
    });
  const fresh = (id: string, reference: string): Item => ({
    id: nameOf(id),
    provider,
    reference,
    aliases: [],
    lines: [],
    moves: [],
    isOpen: true,
    since: now,
    brokenAt: undefined,
  });
  const keep = (item: Item, ids: readonly string[]): void => {
    const aliases = [...new Set([...item.aliases, ...ids.map(nameOf)])];
    items.set(item.id, { ...item, aliases, isOpen: !isBalanced(item) });
    changed.add(item.id);
  };
  return {
    addLine(line) {
      const ids = [...entryIdsOf(provider, line), line.lineId];
      const [first = line.lineId] = ids;
      const known = withAlias(ids) ?? balancedBy(line.reference, { lines: [line] });
      const item = known ?? fresh(first, line.reference);
      if (item.lines.some(({ lineId }) => lineId === line.lineId)) return;
      keep({ ...item, lines: [...item.lines, line] }, ids);
    },
    addMove(move) {
      const { entryId, paymentId = entryId, links } = move;
      const known = withAlias([entryId, ...links]) ?? balancedBy(paymentId, { moves: [move] });
      const item = known ?? fresh(entryId, paymentId);
      if (item.moves.some((other) => other.entryId === entryId)) return;
      keep({ ...item, moves: [...item.moves, move] }, [entryId]);
    },
    changed: () => [...items.values()].filter(({ id }) => changed.has(id)),
  };
}

/** Numbers that a statement has left out, both ends inclusive. */
export interface Gap {
  from: number;
  until: number;
  since: Date;
}

/** What is known of the numbers of a statement. */
export interface Numbering {
  last: number;
  gaps: readonly Gap[];
}

/** The numbering after one more line: it opens a gap when it jumps, and closes one when it was late. */
export function numberingAfter({ last, gaps }: Numbering, sequence: number, now: Date): Numbering {
  if (sequence > last) {
    const gap = { from: last + 1, until: sequence - 1, since: now };
    return { last: sequence, gaps: sequence === last + 1 ? gaps : [...gaps, gap] };
  }
  const split = gaps.flatMap((gap) => {
    if (sequence < gap.from || sequence > gap.until) return [gap];
    const [before, after] = [
      { ...gap, until: sequence - 1 },
      { ...gap, from: sequence + 1 },
    ];
    return [before, after].filter(({ from, until }) => from <= until);
  });
  return { last, gaps: split };
}
