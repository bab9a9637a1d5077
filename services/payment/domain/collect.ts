import { legId } from "./legs";
import { asAsked, type Change, type CollectingPayment, move, note, update } from "./payment";
import { charge } from "./postings";

/** Moves the flow to where the payment's money is collected; the money itself was posted when its provider reported it. */
export function collect<P extends CollectingPayment>(change: Change<P>, minor: bigint, at: Date): Change<P> {
  // Money that is collected while the payment is being given up goes back, and the reason stays the same.
  const wanted = change.next.automaticReversed ? change : asAsked(change);
  const moved = move(wanted, "PaymentCaptured", at, "collected from the payer");
  const leg = legId(moved.next, "pull");
  const entry = { code: "CAPTURE", description: "collected from the payer", minor, paymentId: leg } as const;
  const noted = note(update(moved, { capturedAt: at }), entry, at);
  return charge(noted, "CAPTURE", minor, at, leg);
}
