import { PaymentEvents } from "../../../proto/gen/corridor/payment/v1/payment_events";
import { requirePostable, requireReleases } from "../domain/rules";
import type { MoneyMoved } from "../operations/post-money";

/** The movements of money in a message; empty when its events are about other things. */
export interface PaymentMoney {
  paymentId: string;
  /** The caller's id of the payment. */
  externalId: string | undefined;
  moved: MoneyMoved[];
}

/** Reads a message of subject corridor.payment.events. Throws when it contains money that a ledger cannot post. */
export function decodePaymentMoney(payload: Uint8Array): PaymentMoney {
  const { tenant, paymentId, externalPaymentId: externalId, events } = PaymentEvents.decode(payload);
  if (tenant === "" || paymentId === "") throw new Error("the message names no payment");
  const moved = events.flatMap(({ eventId, change, releases: ended }) => {
    const money = change?.$case === "money" ? change.value : undefined;
    if (money === undefined && ended.length === 0) return [];
    if (eventId === "") throw new Error("an event lacks its id");
    const postings = (money?.postings ?? []).map(({ account, currency, minor }) => ({
      path: account,
      asset: currency,
      minor,
    }));
    const releases = ended.map(({ account, currency, ...release }) => ({ ...release, path: account, asset: currency }));
    requireReleases(releases);
    if (postings.length > 0 || releases.length === 0) requirePostable(postings);
    const { kind, entryId } = money ?? { kind: "release", entryId: "" };
    return [{ eventId, entryId, tenant, paymentId, kind, postings, releases }];
  });
  return { paymentId, externalId, moved };
}
