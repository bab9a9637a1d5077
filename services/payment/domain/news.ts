import type { Change, Payment } from "./payment";

/** True when a decision changes anything in the payment. */
export const hasNews = (before: Payment, { next, events, caseNotes, history }: Change): boolean =>
  events.length > 0 ||
  caseNotes.length > 0 ||
  history.length > 0 ||
  next.facts !== before.facts ||
  next.refunds !== before.refunds ||
  next.blocked !== before.blocked ||
  next.execution.step !== before.execution.step;
