import { type Collection, PaymentIntent, PayoutIntent } from "../../../proto/gen/corridor/payment/v1/payment_intent";
import { type FingerprintRows, fingerprint } from "../../shared/rpc/fingerprint";

const noPayout = PayoutIntent.decode(new Uint8Array());

/** Returns a payout of which only some parts are set. */
const payoutOf = (part: Partial<PayoutIntent>): Partial<PaymentIntent> => ({
  payout: { ...noPayout, ...part },
});

const collectionOf = (part: Partial<Collection>): Partial<PaymentIntent> => ({
  collection: { source: undefined, authorizeOnly: false, ...part },
});

const intentRows: FingerprintRows<PaymentIntent> = {
  // The request is found by this id, so the id never differs.
  externalPaymentId: () => ({}),
  ipAddress: ({ ipAddress }) => ({ ipAddress: { ipAddress } }),
  amount: ({ amount }) => ({ amount: { amount } }),
  sender: ({ sender, collection }) => ({
    sender: { sender, ...(collection?.source && collectionOf({ source: collection.source })) },
  }),
  collection: ({ collection, payout }) => ({
    paymentType: { ...(collection && collectionOf({})), ...(payout && payoutOf({})) },
    capture: collection?.authorizeOnly === true ? collectionOf({ authorizeOnly: true }) : {},
  }),
  payout: ({ payout }) => (payout === undefined ? {} : rowsOfPayout(payout)),
  statementDescriptor: ({ statementDescriptor }) => ({ dynamicDescriptor: { statementDescriptor } }),
  additionalData: ({ additionalData }) => ({ additionalData: { additionalData } }),
  externalTransactionId: ({ externalTransactionId }) => ({ externalId: { externalTransactionId } }),
};

/** Assigns each part of a payout to its row, so that a part without a row does not compile. */
const payoutRows: { readonly [F in keyof PayoutIntent]-?: PayoutRow } = {
  amount: "recipientAmount",
  recipient: "recipient",
  countryCode: "recipient",
  method: "recipient",
  quoteId: "fxId",
  exchangeRate: "exchangeRate",
  pricing: "fxId",
  detailsProfile: "recipient",
};
type PayoutRow = "recipient" | "recipientAmount" | "exchangeRate" | "fxId";

function rowsOfPayout(payout: PayoutIntent): Record<string, Partial<PaymentIntent>> {
  const byRow = Map.groupBy(Object.entries(payout), ([part]) => payoutRows[part as keyof PayoutIntent]);
  const rows = [...byRow].map(([row, parts]): [string, Partial<PaymentIntent>] => {
    const isGiven = parts.some(([, value]) => value !== undefined && value !== "");
    return [row, isGiven ? payoutOf(Object.fromEntries(parts)) : {}];
  });
  return Object.fromEntries(rows);
}

/**
 * Returns the parts of a payment, named as in the REST API, each as text that is equal where the part is equal. The agent belongs to the
 * content: the same payment from another agent is a different one.
 */
export const intentFields = (intent: PaymentIntent, agentId: string | undefined): Record<string, string> => ({
  ...fingerprint(PaymentIntent, intentRows, intent),
  ...(agentId !== undefined && { agent: agentId }),
});
