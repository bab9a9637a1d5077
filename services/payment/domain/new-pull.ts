import type { Money } from "../../shared/kernel/money";
import type { Pull } from "./payment";
import type { PaymentCommand, PullOrder } from "./payment-command";
import { collectionSources, feeKeyOf } from "./payment-methods";

/** What is learnt of a collection as it goes on, while none of it is known. */
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

/** Cards are collected by the acquirer, bank accounts by direct debit. */
export const newPull = ({ source, captureAtOnce }: PullOrder, amount: Money): Pull => ({
  provider: collectionSources[source.kind].provider,
  source,
  // A debit is authorised and collected in one.
  captureAtOnce: captureAtOnce || !collectionSources[source.kind].canHold,
  captureMinor: amount.minor,
  capturedMinor: 0n,
  refundedMinor: 0n,
  releaseAnyway: false,
  ...nothingKnown,
});

/** Fees go by the method that costs: the source of what is collected, else the way of the payout. */
export function feeMethod({ pull, payout }: PaymentCommand): string {
  if (pull !== undefined) return collectionSources[pull.source.kind].feeKey;
  return payout === undefined ? "" : feeKeyOf(payout.method);
}
