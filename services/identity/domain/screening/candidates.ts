import type { Asked } from "./compare-names";
import type { NameIndex } from "./name-index";
import { leastJoined, leastParted } from "./word-match";

/** What a search has found for each name so far. One object serves all searches, since they run synchronously. */
interface Board {
  /** Information in the common words, in bits. */
  worth: Float32Array;
  /** The words that have been found, one bit each: the query's words above the listed ones. */
  covered: Int32Array;
  /** The same, with matches that count only beside a birth date. */
  alsoCovered: Int32Array;
  touched: Int32Array;
  count: number;
}

let shared: Board = boardOf(0);

function boardOf(size: number): Board {
  const [worth, covered, alsoCovered, touched] = [
    new Float32Array(size),
    new Int32Array(size),
    new Int32Array(size),
    new Int32Array(size),
  ];
  return { worth, covered, alsoCovered, touched, count: 0 };
}

const mostCompared = 400;
/** Number of bits that distinguish the words of a name. */
const mostWords = 12;
const listedBits = (1 << mostWords) - 1;

/** A listed name that may match the query. */
export interface Candidate {
  name: number;
  /** True: both names have a word without a similar one in the other. */
  isConflict: boolean;
  /** True: they have such a word even if a birth date agrees. */
  isConflictDated: boolean;
}

/**
 * Returns the names that have enough words in common with the query to be compared with it. The word that most names have counts only for
 * names with another common word: alone it is enough only for names of one word.
 */
export function candidatesOf(asked: Asked, index: NameIndex, mayHit: (candidate: Candidate) => boolean): number[] {
  if (shared.worth.length < index.names.length) shared = boardOf(index.names.length);
  const board = shared;
  const sized = asked.spans.map((span) => ({ span, places: placesOf(span.found.words, index) }));
  sized.sort((one, other) => one.places - other.places);
  for (const [rank, { span, places }] of sized.entries()) {
    const isMost = rank > 0 && rank === sized.length - 1 && places > 200;
    touchAll(asked, span, isMost, index, board);
  }
  const found = nearest(asked, index, board, mayHit);
  for (let at = 0; at < board.count; at++) {
    const name = board.touched[at] as number;
    board.worth[name] = 0;
    board.covered[name] = 0;
    board.alsoCovered[name] = 0;
  }
  board.count = 0;
  return found;
}

function placesOf(words: ReadonlyMap<number, unknown>, index: NameIndex): number {
  let places = 0;
  for (const id of words.keys()) places += index.postings.countOf(id);
  return places;
}

function touchAll(
  asked: Asked,
  { start, length, found }: Asked["spans"][number],
  isMost: boolean,
  index: NameIndex,
  board: Board,
): void {
  const own = (((1 << length) - 1) << start) << mostWords;
  const { starts, names, places } = index.postings;
  const least = length > 1 ? leastJoined : 0.01;
  for (const [wordId, { likeness, system, isFar, isSame }] of found.words) {
    const best = Math.max(likeness, system);
    const worth = index.bitsOf(wordId) * best;
    const isPlain = likeness >= least && (isSame || !isFar);
    const isEnough = best >= least;
    const end = starts[wordId + 1] as number;
    for (let at = starts[wordId] as number; at < end; at++) {
      const name = names[at] as number;
      if (isMost && board.worth[name] === 0 && index.sizeOf(name) !== 1) continue;
      const covers = own | (places[at] as number);
      const isStrict = isSame || !(asked.isEastAsian && index.isEastAsian(name));
      touch(board, name, worth, isPlain && isStrict ? covers : 0, isEnough ? covers : 0);
    }
  }
  for (const { name, start: from, length: size, likeness, system, isFar } of found.spans) {
    const best = Math.max(likeness, system);
    const covers = own | (((1 << size) - 1) << from);
    const isEnough = best >= (length > 1 ? leastParted : leastJoined);
    touch(board, name, 6 * size * best, isEnough && !isFar ? covers : 0, isEnough ? covers : 0);
  }
}

function touch(board: Board, name: number, worth: number, covers: number, alsoCovers: number): void {
  if (board.worth[name] === 0) board.touched[board.count++] = name;
  board.worth[name] = (board.worth[name] as number) + worth;
  board.covered[name] = (board.covered[name] as number) | covers;
  board.alsoCovered[name] = (board.alsoCovered[name] as number) | alsoCovers;
}

function nearest(
  asked: Asked,
  index: NameIndex,
  { worth, covered, alsoCovered, touched, count }: Board,
  mayHit: (candidate: Candidate) => boolean,
): number[] {
  const own = asked.words.reduce((sum, { bits }) => sum + bits, 0);
  const near: number[] = [];
  for (let at = 0; at < count; at++) {
    const name = touched[at] as number;
    if ((worth[name] as number) < 0.5 * Math.min(own, index.totalOf(name))) continue;
    const differs = isConflict(asked, covered[name] as number, name, index);
    const differsDated = differs && isConflict(asked, alsoCovered[name] as number, name, index);
    if (mayHit({ name, isConflict: differs, isConflictDated: differsDated })) near.push(name);
  }
  if (near.length <= mostCompared) return near;
  return near.toSorted((a, b) => (worth[b] as number) - (worth[a] as number)).slice(0, mostCompared);
}

/** Initials and the abbreviated words of companies are compared in other ways as well. */
function isConflict(asked: Asked, covered: number, name: number, index: NameIndex): boolean {
  const listed = index.neededOf(name);
  if (asked.needed === 0 || listed === 0) return false;
  return (asked.needed & ~(covered >> mostWords)) !== 0 && (listed & ~(covered & listedBits)) !== 0;
}
