import type { Change } from "./payment";

/** Two decisions of which the later one began with the payment as the earlier one left it, as one. */
export const together = (earlier: Change, later: Change): Change => ({
  next: later.next,
  events: [...earlier.events, ...later.events],
  history: [...earlier.history, ...later.history],
  caseNotes: [...earlier.caseNotes, ...later.caseNotes],
});
