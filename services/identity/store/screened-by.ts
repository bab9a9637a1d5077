import { notScreened } from "../domain/participant";

/** Values stored instead of a list version, for records that no list has screened, in this order: */
export const screenedBy = {
  /** The record was erased. */
  erased: "",
  /** The record cannot be opened, for example under a lost key: it is skipped until the next start. */
  unreadable: "!",
  /** The record must be screened whatever the list is. */
  none: notScreened,
} as const;

/** Filter for records that another version of the list has screened, or none. */
export const screenedByOther = (listVersion: string) => ({
  $or: [{ listVersion: { $gt: screenedBy.unreadable, $lt: listVersion } }, { listVersion: { $gt: listVersion } }],
});

/** Records of a page, and the ids of those that cannot be opened. */
export interface Page<T> {
  readable: T[];
  unreadable: string[];
}

/** Opens records one by one: one that cannot be opened must not prevent the others from being read. */
export function openEach<R extends { _id: string }, T>(
  records: readonly R[],
  open: (record: R) => T | undefined,
): Page<T> {
  const page: Page<T> = { readable: [], unreadable: [] };
  for (const record of records) {
    try {
      const opened = open(record);
      if (opened !== undefined) page.readable.push(opened);
    } catch {
      page.unreadable.push(record._id);
    }
  }
  return page;
}
