/**
 * Before-images of documents that changed while transactions were open, for their snapshots. An image was current until the
 * commit numbered `till`. Without open snapshots nothing is kept.
 */
interface Image {
  till: number;
  bytes: Uint8Array | undefined;
}

/** A document that a commit changed, with its previous content. */
export interface Change {
  collection: number;
  key: string;
  before: Uint8Array | undefined;
}

interface Commit {
  number: number;
  documents: Omit<Change, "before">[];
  uniques: string[];
}

export type History = ReturnType<typeof makeHistory>;

export function makeHistory() {
  const images = new Map<number, Map<string, Image[]>>();
  const uniques = new Map<string, number>();
  let commits: Commit[] = [];
  let size = 0;

  function forget({ number, documents, uniques: tokens }: Commit): void {
    for (const { collection, key } of documents) {
      const ofCollection = images.get(collection);
      const list = ofCollection?.get(key) ?? [];
      for (const { till, bytes } of list) if (till === number) size -= bytes?.length ?? 0;
      const kept = list.filter(({ till }) => till !== number);
      if (kept.length > 0) ofCollection?.set(key, kept);
      else ofCollection?.delete(key);
      if (ofCollection?.size === 0) images.delete(collection);
    }
    for (const token of tokens) if (uniques.get(token) === number) uniques.delete(token);
  }

  return {
    /** Bytes held for old snapshots. */
    size: () => size,
    record(number: number, changes: Change[], tokens: string[]): void {
      for (const { collection, key, before } of changes) {
        const ofCollection = images.get(collection) ?? new Map<string, Image[]>();
        images.set(collection, ofCollection);
        ofCollection.set(key, [...(ofCollection.get(key) ?? []), { till: number, bytes: before }]);
        size += before?.length ?? 0;
      }
      for (const token of tokens) uniques.set(token, number);
      commits.push({ number, documents: changes.map(({ collection, key }) => ({ collection, key })), uniques: tokens });
    },
    /** The snapshot's version of a document that has changed since. */
    imageAt: (collection: number, key: string, snapshot: number): Image | undefined =>
      images
        .get(collection)
        ?.get(key)
        ?.find(({ till }) => till > snapshot),
    uniqueChangedSince: (token: string, snapshot: number): boolean => (uniques.get(token) ?? 0) > snapshot,
    /** Keys of a collection's documents that may have changed since some snapshot. */
    changedKeys: (collection: number): Iterable<string> => images.get(collection)?.keys() ?? [],
    /** Drops images that no snapshot from `oldest` on can need. */
    prune(oldest: number): void {
      for (const commit of commits) if (commit.number <= oldest) forget(commit);
      commits = commits.filter(({ number }) => number > oldest);
    },
  };
}
