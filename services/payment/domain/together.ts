import type { Change } from "./payment";

/** Joins two decisions, of which the later one began with the payment as the earlier one left it. */
export const together = (earlier: Change, later: Change): Change => ({
  next: later.next,
  events: [...earlier.events, ...later.events],
  history: [...earlier.history, ...later.history],
  caseNotes: [...earlier.caseNotes, ...later.caseNotes],
});
