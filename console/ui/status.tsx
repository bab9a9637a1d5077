import { statusText } from "../text/status";

export type Tone = "good" | "wait" | "bad" | "off";

const good =
  "CAPTURED Paid Completed DELIVERED ACTIVE APPROVED VERIFIED USED CLOSED SPENT ReviewApproved PayoutAccepted completed";
const wait =
  "PENDING AUTHORIZED OPEN WAITING IN_REVIEW PENDING_APPROVAL ManualReview PayoutHold WaitingPayout ProcessingPayout PaymentProcessing Created PaymentAuthorized PaymentCaptured WaitingSettlement PaymentSettled WaitingChallenge3ds CancelRequested PendingReversalApproval PayoutReleased begun asked";
const bad =
  "DECLINED ERROR FAILED REJECTED BLOCKED FROZEN SUSPENDED PaymentDeclined PayoutRejected ReviewRejected Error BlockedPendingReview unknown UNKNOWN REFUSED";
const toneByWord: ReadonlyMap<string, Tone> = new Map(
  (
    [
      ["good", good],
      ["wait", wait],
      ["bad", bad],
    ] as const
  ).flatMap(([tone, words]) => words.split(" ").map((word): [string, Tone] => [word, tone])),
);

/** The tone of a status. An unknown one is neutral. */
export const toneOf = (status: string): Tone => toneByWord.get(status) ?? "off";

/** A status by word and shape, not only by colour. */
export const Status = ({ value, tone = toneOf(value) }: { readonly value: string; readonly tone?: Tone }) => (
  <span className={`pill ${tone}`}>{statusText(value)}</span>
);
