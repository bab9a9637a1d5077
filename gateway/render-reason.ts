import type { Reason } from "../proto/gen/corridor/payment/v1/payment_events";
import { knownWord } from "./codec/known-word";
import { reasonMembers } from "./contract/reasons";

type Shown = Partial<Record<"reasonCode" | "reasonMessage", string>> & {
  whoseMove?: (typeof reasonMembers.whoseMove.enum)[number];
};

/** Returns the reason as fields of the object that it explains; none if the reason is plain. */
export function renderReason(reason: Reason | undefined): Shown {
  if (reason === undefined) return {};
  const whoseMove = knownWord(reasonMembers.whoseMove.enum, reason.whoseMove);
  return { reasonCode: reason.code, whoseMove, reasonMessage: reason.sentence };
}
