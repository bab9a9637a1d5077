import type { Money } from "../../shared/kernel/money";
import type { Pull } from "./payment";
import type { PaymentCommand, PullOrder } from "./payment-command";
import { collectionSources, feeKeyOf } from "./payment-methods";

/** The fields that become known while a collection goes on, before any of them is known. */
export const nothingKnown = {
  authorizedAt: undefined,
  capturedAt: undefined,
  settledAt: undefined,
  settledMinor: undefined,
  voidedAt: undefined,
  lapseToldAt: undefined,
  returnedAt: undefined,
  providerId: undefined,
  authCode: undefined,
  responseCode: undefined,
  message: undefined,
  acsUrl: undefined,
  avs: undefined,
  cvc: undefined,
  card: undefined,
} satisfies Partial<Pull>;

/** Creates a collection: cards are collected by the acquirer, bank accounts by direct debit. */
export const newPull = ({ source, captureAtOnce }: PullOrder, amount: Money): Pull => ({
  provider: collectionSources[source.kind].provider,
  source,
  // A debit is authorised and collected in one step.
  captureAtOnce: captureAtOnce || !collectionSources[source.kind].canHold,
  captureMinor: amount.minor,
  capturedMinor: 0n,
  refundedMinor: 0n,
  releaseAnyway: false,
  ...nothingKnown,
});

/** Returns the method that fees are charged for: the source of what is collected, else the method of the payout. */
export function feeMethod({ pull, payout }: PaymentCommand): string {
  if (pull !== undefined) return collectionSources[pull.source.kind].feeKey;
  return payout === undefined ? "" : feeKeyOf(payout.method);
}
