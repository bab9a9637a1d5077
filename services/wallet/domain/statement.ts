import { derivedUuid } from "../../shared/kernel/ids";

/** The kinds of lines of a provider's statement. */
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
  /** Our reference, or the provider's own text for a movement without one. */
  reference: string;
  /** The provider's own id of the movement. */
  movementId: string;
  kind: LineKind;
  asset: string;
  /** As on our clearing account: what the provider paid for us is positive, what it holds for us is negative. */
  minor: bigint;
  bookedAt: Date;
}

/** The amount that one entry posted to our clearing account of a provider. */
export interface BookedMove {
  entryId: string;
  paymentId: string | undefined;
  /** Ids that an operator linked it to. */
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

/** The half of a payment that money belongs to. */
export const legs = ["pull", "payout"] as const;
export type Leg = (typeof legs)[number];

/** The payment facts that a line may correspond to, as role and kind. */
const facts: Readonly<Record<LineKind, readonly (readonly [Leg, string])[]>> = {
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

/** The half of a payment that lines say money belongs to; undefined without such lines. */
export const legOf = (lines: readonly Pick<StatementLine, "kind">[]): Leg | undefined =>
  lines.map(({ kind }) => facts[kind][0]?.[0]).find((leg) => leg !== undefined);

/** Id of the entry that the ledger itself posts for a movement that only the statement reports. */
export const lineEntryId = (provider: string, { kind, reference, movementId }: StatementLine): string =>
  derivedUuid("statement", provider, kind, reference, movementId);

/**
 * Ids of the entries that a line may match: payments derive the id of a fact from provider, role, reference, kind and
 * the provider's id of the movement, or our reference where the provider gave none.
 */
export function entryIdsOf(provider: string, line: StatementLine): string[] {
  const { kind, reference, movementId } = line;
  const ids = facts[kind].flatMap(([role, fact]) =>
    [movementId, reference].map((movement) => derivedUuid("fact", provider, role, reference, fact, movement)),
  );
  return [...new Set([lineEntryId(provider, line), ...ids])];
}

/** One movement of money as each of the two books shows it. */
export interface Item {
  /** `<provider>/<entry id>`. */
  id: string;
  provider: string;
  reference: string;
  /** Ids of the entries and lines that are this movement. */
  aliases: readonly string[];
  lines: readonly StatementLine[];
  moves: readonly BookedMove[];
  /** True until both books agree. */
  isOpen: boolean;
  /** When it first appeared in either book, by our clock. */
  since: Date;
  /** When it became a break. */
  brokenAt: Date | undefined;
}

const sumOf = (parts: readonly { minor: bigint }[]): bigint => parts.reduce((sum, { minor }) => sum + minor, 0n);

/** True when both books agree: the same sum in one asset, with a single line id. */
function isBalanced({ lines, moves }: Pick<Item, "lines" | "moves">): boolean {
  const assets = new Set([...lines, ...moves].map(({ asset }) => asset));
  return assets.size <= 1 && sumOf(lines) === sumOf(moves) && !isDoubled(lines);
}

/** True when the statement lists the movement under two line ids, or has given one number to two lines. */
const isDoubled = (lines: readonly StatementLine[]): boolean =>
  new Set(lines.map(({ kind, movementId }) => `${kind} ${movementId}`)).size < lines.length ||
  new Set(lines.map(({ sequence }) => sequence)).size < lines.length;

/** Alias of the item that has the line of a number. */
export const numberAlias = ({ sequence }: StatementLine): string => `#${sequence}`;

/** True when two lines report the same about the money. */
export const isSameLine = (one: StatementLine, other: StatementLine): boolean =>
  (["lineId", "reference", "movementId", "kind", "asset", "minor"] as const).every((name) => one[name] === other[name]);

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

/** Classifies the difference of an open item. */
export function classOf({ lines, moves }: Pick<Item, "lines" | "moves">): BreakClass {
  if (isDoubled(lines)) return "DOUBLED";
  if (moves.length === 0) return "MISSING_HERE";
  if (lines.length === 0) return "MISSING_THERE";
  return new Set([...lines, ...moves].map(({ asset }) => asset)).size > 1 ? "CURRENCY" : "AMOUNT";
}

/** The sum of one side in the asset that it names first; undefined when the side is empty. */
export function sideOf(parts: readonly { asset: string; minor: bigint }[]) {
  const [first] = parts;
  if (first === undefined) return undefined;
  return { asset: first.asset, minor: sumOf(parts.filter(({ asset }) => asset === first.asset)) };
}

/** The items that a page affects, held in memory while it is processed. */
export interface Matching {
  /** Adds a line; one that was read before changes nothing. */
  addLine(line: StatementLine): void;
  addMove(move: BookedMove): void;
  /** Items that differ from their stored state. */
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
      const known = withAlias([numberAlias(line)]) ?? withAlias(ids) ?? balancedBy(line.reference, { lines: [line] });
      const item = known ?? fresh(first, line.reference);
      if (item.lines.some((other) => isSameLine(other, line))) return;
      keep({ ...item, lines: [...item.lines, line] }, [...ids, numberAlias(line)]);
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

/** Numbers missing from a statement, both ends inclusive. */
export interface Gap {
  from: number;
  until: number;
  since: Date;
  /** Where to begin reading the statement again to find them. */
  place: string | undefined;
  /** When it was last read again. */
  askedAt: Date | undefined;
}

/** The line numbers of a statement seen so far. */
export interface Numbering {
  last: number;
  gaps: readonly Gap[];
}

/** The numbering after one more line, read from `place`: a jump opens a gap, and a late line closes one. */
export function numberingAfter(
  { last, gaps }: Numbering,
  sequence: number,
  { place, now }: { place: string | undefined; now: Date },
): Numbering {
  if (sequence > last) {
    const gap = { from: last + 1, until: sequence - 1, since: now, place, askedAt: undefined };
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

export const isMissing = (gaps: readonly Gap[], sequence: number): boolean =>
  gaps.some(({ from, until }) => from <= sequence && sequence <= until);

/** Returns up to `most` gaps at different places, first those that were not asked for the longest. */
export function gapsToAsk(gaps: readonly Gap[], most: number): Gap[] {
  const waiting = gaps.toSorted((one, other) => askedMs(one) - askedMs(other));
  const isFirst = ({ place }: Gap, index: number): boolean =>
    waiting.findIndex((other) => other.place === place) === index;
  return waiting.filter(isFirst).slice(0, most);
}

const askedMs = ({ askedAt }: Gap): number => askedAt?.getTime() ?? 0;
