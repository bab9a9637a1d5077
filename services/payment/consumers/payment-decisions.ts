import { DecisionEvents } from "../../../proto/gen/corridor/identity/v1/decision_events";

/** A payment about which identity has decided something new. */
export interface DecidedPayment {
  paymentId: string;
}

/** Reads a message of the subject corridor.identity.decisions. Throws when it names no payment. */
export function decodeDecision(payload: Uint8Array): DecidedPayment {
  const { paymentId } = DecisionEvents.decode(payload);
  if (paymentId === "") throw new Error("the message names no payment");
  return { paymentId };
}
