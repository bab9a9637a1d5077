/** A review or an exception with its enums as words, without the prefix on the wire. */
export function inReviewWords<T extends { kind: string; status?: string }>(
  record: T,
): Omit<T, "kind" | "status"> & { kind: string; status: string | undefined } {
  const { kind, status } = record;
  return { ...record, kind: kind.replace("REVIEW_KIND_", ""), status: status?.replace("REVIEW_STATUS_", "") };
}

/** The word of a decision's status. */
export const decisionWord = (status: string | undefined): string | undefined => status?.replace("DECISION_STATUS_", "");
