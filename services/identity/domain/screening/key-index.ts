/** An index of the things that have a key, in two numbers for each pair of key and thing. */
export interface KeyIndex {
  /** Calls back with each thing that has the key, and occasionally with one that has another key. */
  each(key: string, visit: (id: number) => void): void;
}

const idSpan = 2 ** 21;

/** FNV-1a, 32 bits. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Collects pairs; `build` makes them into an index. */
export function makeKeyIndex(): { add(key: string, id: number): void; build(): KeyIndex } {
  let pairs = new Float64Array(1 << 16);
  let count = 0;
  return {
    add(key, id) {
      if (count === pairs.length) {
        const wider = new Float64Array(pairs.length * 2);
        wider.set(pairs);
        pairs = wider;
      }
      pairs[count++] = hashOf(key) * idSpan + id;
    },
    build() {
      const sorted = pairs.slice(0, count).sort();
      const firsts = firstsOf(sorted);
      return {
        each(key, visit) {
          const hash = hashOf(key);
          const from = hash * idSpan;
          const end = firsts[(hash >>> shift) + 1] as number;
          for (let at = firsts[hash >>> shift] as number; at < end; at++) {
            const id = (sorted[at] as number) - from;
            if (id >= idSpan) return;
            if (id >= 0) visit(id);
          }
        },
      };
    },
  };
}

/** Number of leading bits of the hash by which pairs are found, before a linear scan. */
const indexBits = 19;
const shift = 32 - indexBits;

/** Start of the pairs with each hash prefix. */
function firstsOf(sorted: Float64Array): Int32Array {
  const firsts = new Int32Array(2 ** indexBits + 1);
  for (const pair of sorted) {
    const place = (Math.floor(pair / idSpan) >>> shift) + 1;
    firsts[place] = (firsts[place] as number) + 1;
  }
  for (let place = 1; place < firsts.length; place++)
    firsts[place] = (firsts[place] as number) + (firsts[place - 1] as number);
  return firsts;
}
