/** Returns the known name that is most like a misspelt one: at most two letters apart, or one if the name is short. */
export function nearName(given: string, known: readonly string[]): string | undefined {
  let best: { name: string; edits: number } | undefined;
  for (const name of known) {
    const most = Math.min(name.length, given.length) < 5 ? 1 : 2;
    const edits = editsBetween(plain(given), plain(name));
    if (edits <= most && (best === undefined || edits < best.edits)) best = { name, edits };
  }
  return best?.name;
}

/** `first_name`, `First-Name` and `firstName` count as the same name. */
const plain = (name: string): string => name.replaceAll(/[_\-\s]/g, "").toLowerCase();

/** Returns how many letters must be changed, removed, inserted or swapped with their neighbour to turn one word into the other. */
function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const at = (cells: readonly number[], index: number): number => cells[index] ?? 0;
      let edits = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, at(beforeLast, j - 2) + 1);
      }
      row.push(edits);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
