const words: Readonly<Record<string, string>> = {
  IN_REVIEW: "In review",
  PENDING_APPROVAL: "Waits for approval",
  WaitingChallenge3ds: "Waits for 3-D Secure",
  BlockedPendingReview: "Blocked",
  PendingReversalApproval: "Reversal waits",
};

/** A status as a word of plain English: what is not known is shown as it is, only spaced. */
export function statusText(value: string): string {
  const known = words[value];
  if (known !== undefined) return known;
  const spaced = value
    .replace(/_/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
