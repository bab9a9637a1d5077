import { legId } from "./legs";
import { type Change, move, note, update } from "./payment";
import { charge } from "./postings";

/** The flow comes to where its money is collected; the money itself was posted when its provider told of it. */
export function collect(change: Change, minor: bigint, at: Date): Change {
  const moved = move(change, "PaymentCaptured", at, "collected from the payer");
  const leg = legId(moved.next, "pull");
  const entry = { code: "CAPTURE", description: "collected from the payer", minor, paymentId: leg } as const;
  const noted = note(update(moved, { capturedAt: at }), entry, at);
  return charge(noted, "CAPTURE", minor, at, leg);
}
