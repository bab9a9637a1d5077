/** Which of many things have a key, in two numbers for each pair of key and thing. */
export interface KeyIndex {
  /** Calls with each thing that has the key, and now and then with one that has another. */
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
      return {
        each(key, visit) {
          const from = hashOf(key) * idSpan;
          for (let at = firstNotBelow(sorted, from); at < sorted.length; at++) {
            const id = (sorted[at] ?? 0) - from;
            if (id >= idSpan) return;
            visit(id);
          }
        },
      };
    },
  };
}

function firstNotBelow(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
