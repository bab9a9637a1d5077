import { legId } from "./legs";
import { asAsked, type Change, type CollectingPayment, move, note, update } from "./payment";
import { charge } from "./postings";

/** The flow comes to where its money is collected; the money itself was posted when its provider reported it. */
export function collect<P extends CollectingPayment>(change: Change<P>, minor: bigint, at: Date): Change<P> {
  // What is collected while it is being given up goes back, and for the same reason.
  const wanted = change.next.automaticReversed ? change : asAsked(change);
  const moved = move(wanted, "PaymentCaptured", at, "collected from the payer");
  const leg = legId(moved.next, "pull");
  const entry = { code: "CAPTURE", description: "collected from the payer", minor, paymentId: leg } as const;
  const noted = note(update(moved, { capturedAt: at }), entry, at);
  return charge(noted, "CAPTURE", minor, at, leg);
}
