import { isVowel } from "./phonetic";

/** Costs of replacing one sound by another; pairs that are not listed cost 1. */
const near = new Map<string, number>();
const say = (cost: number, ...pairs: readonly string[]): void => {
  for (const pair of pairs) near.set(pair, cost).set([...pair].toReversed().join(""), cost);
};
say(0.05, "iy", "kc");
say(0.15, "xk", "xh", "vu", "sS", "cC", "cT", "CT", "zT", "zZ", "jZ");
say(0.2, "ei", "ou", "sz", "pf", "cs", "cS", "jC", "ZS", "ey");
say(0.25, "cz", "jy", "ij", "gx", "gh", "Cx", "fv", "sT", "Ch", "SC", "jS", "jT");
say(0.35, "ae", "kg", "jz", "jg", "uv", "yg", "uf");
say(0.4, "ao", "td", "vb", "tT", "Ck", "eo");
say(0.5, "pb", "zd", "st", "ai", "eu", "au");
say(0.65, "iu", "yu", "oi");
say(0.7, "hk", "lr", "mn");
const otherVowel = 0.5;

/** The same costs by the codes of both sounds, for speed. */
const costs = new Float64Array(128 * 128).fill(1);
for (let one = 0; one < 128; one++) {
  for (let other = 0; other < 128; other++) {
    const [sound, facing] = [String.fromCharCode(one), String.fromCharCode(other)];
    const far = isVowel(sound) && isVowel(facing) ? otherVowel : 1;
    costs[one * 128 + other] = one === other ? 0 : (near.get(sound + facing) ?? far);
  }
}

/** Returns the cost of a sound that only one of two words has. `before` is the sound before it. */
function omission(sound: string, before: string, isConsonantal: boolean): number {
  if (isVowel(sound)) {
    if (isConsonantal) return 0.06;
    return sound === "y" || (before === "i" && sound !== "u") ? 0.12 : 0.42;
  }
  if (sound === "h") return isConsonantal ? 0.15 : 0.3;
  if (sound === before) return 0.1;
  if ((sound === "v" || sound === "j") && isVowel(before)) return isConsonantal ? 0.2 : 0.5;
  return 1;
}

/** A word in the form for measuring its distance to others. */
export interface Sounds {
  text: string;
  codes: Uint8Array;
  /** Cost of leaving out each sound. */
  gaps: Float32Array;
  /** The same if vowels may be missing. */
  openGaps: Float32Array;
}

const longest = 48;

export function soundsToMeasure(sounds: string): Sounds {
  const text = sounds.slice(0, longest);
  const signs = [...text];
  const gapsOf = (isConsonantal: boolean): Float32Array =>
    Float32Array.from(signs, (sound, at) => omission(sound, signs[at - 1] ?? "", isConsonantal));
  const codes = Uint8Array.from(signs, (sound) => sound.charCodeAt(0) % 128);
  return { text, codes, gaps: gapsOf(false), openGaps: gapsOf(true) };
}

/** Many words in contiguous arrays, so that one can be compared with thousands without scattered memory access. */
export interface SoundTable {
  add(sounds: string): void;
  build(): BuiltSounds;
}

export interface BuiltSounds {
  /** By word, the start of its sounds; the next word's follow them. */
  starts: Int32Array;
  codes: Uint8Array;
  gaps: Float32Array;
  openGaps: Float32Array;
}

export function makeSoundTable(): SoundTable {
  const all: string[] = [];
  return {
    add: (sounds) => {
      all.push(sounds.slice(0, longest));
    },
    build() {
      const starts = new Int32Array(all.length + 1);
      for (const [at, { length }] of all.entries()) starts[at + 1] = (starts[at] ?? 0) + length;
      const size = starts[all.length] ?? 0;
      const codes = new Uint8Array(size);
      const [gaps, openGaps] = [new Float32Array(size), new Float32Array(size)];
      for (const [at, text] of all.entries()) {
        const start = starts[at] ?? 0;
        for (let place = 0; place < text.length; place++) {
          const [sound, before] = [text.charAt(place), text.charAt(place - 1)];
          codes[start + place] = sound.charCodeAt(0) % 128;
          gaps[start + place] = omission(sound, before, false);
          openGaps[start + place] = omission(sound, before, true);
        }
      }
      return { starts, codes, gaps, openGaps };
    },
  };
}

const width = longest + 1;
const board = new Float64Array(width * width);

/** Returns the similarity of the sounds of two words: 1 means the same, 0 less than `least`. One error in five sounds is 0.8. */
export const soundLikeness = (one: Sounds, other: Sounds, isConsonantal: boolean, least: number): number =>
  one.text === other.text
    ? 1
    : likenessAt(
        one,
        other.codes,
        isConsonantal ? other.openGaps : other.gaps,
        0,
        other.codes.length,
        isConsonantal,
        least,
      );

/** The same for a word of a table. */
export function tableLikeness(
  one: Sounds,
  table: BuiltSounds,
  place: number,
  isConsonantal: boolean,
  least: number,
): number {
  const start = table.starts[place] as number;
  const size = (table.starts[place + 1] as number) - start;
  const gaps = isConsonantal ? table.openGaps : table.gaps;
  return likenessAt(one, table.codes, gaps, start, size, isConsonantal, least);
}

function likenessAt(
  one: Sounds,
  codes: Uint8Array,
  gaps: Float32Array,
  start: number,
  size: number,
  isConsonantal: boolean,
  least: number,
): number {
  const own = one.codes.length;
  const length = isConsonantal ? Math.max(own, size) : Math.max(3.5, (own + size) / 2);
  const first = firstCost(one.codes[0] as number, codes[start] as number);
  const limit = length * (1 - least) - first;
  if (limit < 0) return 0;
  const likeness = 1 - (costOf(one, codes, gaps, start, size, isConsonantal, limit) + first) / length;
  return likeness < least ? 0 : likeness;
}

/** Errors seldom affect the first sound: if it differs, the word is probably a different one. */
function firstCost(sound: number, facing: number): number {
  const cost = costs[sound * 128 + facing] as number;
  return cost >= 0.7 ? 0.5 : cost >= 0.45 ? 0.3 : 0;
}

/** Returns the least cost of turning one word into the other; a cost above `most` need not be the least. */
function costOf(
  one: Sounds,
  b: Uint8Array,
  across: Float32Array,
  start: number,
  size: number,
  isConsonantal: boolean,
  most: number,
): number {
  const a = one.codes;
  const down = isConsonantal ? one.openGaps : one.gaps;
  const strictness = isConsonantal ? 1.6 : 1;
  board[0] = 0;
  for (let j = 1; j <= size; j++) board[j] = (board[j - 1] as number) + (across[start + j - 1] as number);
  for (let i = 1; i <= a.length; i++) {
    const row = i * width;
    const above = row - width;
    const gap = down[i - 1] as number;
    const sound = a[i - 1] as number;
    const before = i > 1 ? (a[i - 2] as number) : -1;
    let left = (board[above] as number) + gap;
    let least = left;
    board[row] = left;
    for (let j = 1; j <= size; j++) {
      const facing = b[start + j - 1] as number;
      let cost = (board[above + j - 1] as number) + (costs[sound * 128 + facing] as number) * strictness;
      const gone = (board[above + j] as number) + gap;
      if (gone < cost) cost = gone;
      const come = left + (across[start + j - 1] as number);
      if (come < cost) cost = come;
      if (facing === before && j > 1 && sound === b[start + j - 2]) {
        const turned = (board[above - width + j - 2] as number) + 0.7;
        if (turned < cost) cost = turned;
      }
      board[row + j] = cost;
      left = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return least;
  }
  return board[a.length * width + size] as number;
}
