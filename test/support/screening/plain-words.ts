import type { ListEntry } from "../../../services/identity/domain/screening/list-entry";

/** The common form of the commonest spelling systems, so that one name in two of them does not count as two. */
export const plainly = (word: string): string =>
  word
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[jy]/g, "i")
    .replaceAll("w", "v")
    .replaceAll("ou", "u")
    .replaceAll(/(.)\1+/gu, "$1");

const wordsOf = (name: string): string[] => [...new Set(name.split(/[\s,-]+/).map(plainly))].filter(Boolean);

/**
 * Returns whether an entry other than `own` has all words of a name, or a name all of an entry's, at least two. Names with one part more or
 * less must be found, so such a person cannot be required to pass.
 */
export function describedBy(entries: readonly ListEntry[]): (name: string, own?: string) => boolean {
  const listed = entries.flatMap(({ id, names }) =>
    names.map(({ text }) => ({ id, size: wordsOf(text).length, text })),
  );
  const byWord = new Map<string, number[]>();
  for (const [place, { text }] of listed.entries()) {
    for (const word of wordsOf(text)) byWord.set(word, [...(byWord.get(word) ?? []), place]);
  }
  return (name, own) => {
    const words = wordsOf(name);
    const shared = new Map<number, number>();
    for (const place of words.flatMap((word) => byWord.get(word) ?? []))
      shared.set(place, (shared.get(place) ?? 0) + 1);
    return [...shared].some(([place, count]) => {
      const entry = listed[place];
      return entry !== undefined && entry.id !== own && count >= 2 && count >= Math.min(words.length, entry.size);
    });
  };
}
