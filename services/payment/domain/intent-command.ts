import { invalid } from "../../shared/kernel/errors";
import type { Payer, PullSource } from "./payment";
import type { PaymentCommand, PaymentIdentity, PayoutOrder } from "./payment-command";
import {
  type CollectionSource,
  type Party,
  type PaymentIntent,
  type PayoutIntent,
  typeOfIntent,
} from "./payment-intent";

/** The command of a payment that keeps all rules. Throws INVALID_ARGUMENT for one that lacks what every payment has. */
export function commandOf(identity: PaymentIdentity, intent: PaymentIntent): PaymentCommand {
  const { ipAddress, amount, sender, collection, payout, statementDescriptor, additionalData } = intent;
  const type = typeOfIntent(intent);
  if (type === undefined) throw missing("paymentType");
  if (amount === undefined) throw missing("amount");
  if (sender === undefined) throw missing("sender");
  const { agentId } = identity;
  const narrative = additionalData?.narrative ?? "";
  return {
    ...identity,
    type,
    agent:
      agentId === undefined
        ? undefined
        : { id: agentId, externalTransactionId: intent.externalTransactionId || undefined },
    ipAddress,
    amount,
    payer: payerOf(sender),
    narrative: [statementDescriptor, narrative].filter(Boolean).join(" "),
    pull: collection && { source: sourceOf(collection.source), captureAtOnce: collection.captureAtOnce },
    payout: payout && orderOf(payout, amount.currency, additionalData?.purpose ?? ""),
  };
}

const missing = (field: string) => invalid([{ field, message: "is required" }]);

function payerOf({ firstName, lastName, phoneNumber, email, address, countryCode }: Party): Payer {
  return {
    firstName,
    lastName,
    phoneNumber,
    email,
    countryCode: address === undefined ? "" : address.countryCode || countryCode,
    stateCode: address?.stateCode ?? "",
    state: address?.state ?? "",
    city: address?.city ?? "",
    line1: address?.line1 ?? "",
    line2: address?.line2 ?? "",
    zipCode: address?.zipCode ?? "",
  };
}

function sourceOf(source: CollectionSource | undefined): PullSource {
  if (source === undefined) throw missing("sender.paymentMethod");
  if (source.kind !== "bank") return source;
  const { routingNumber, accountNumber, accountType, holderFirstName, holderLastName } = source;
  return { kind: "bank", routingNumber, accountNumber, accountType, holder: `${holderFirstName} ${holderLastName}` };
}

function orderOf(payout: PayoutIntent, source: string, purpose: string): PayoutOrder {
  const { amount, recipient, countryCode, method, quoteId, exchangeRate, pricing, profile } = payout;
  if (amount === undefined) throw missing("recipientAmount");
  if (recipient === undefined) throw missing("recipient");
  if (method === undefined) throw missing("recipient.paymentMethod.type");
  return {
    recipientAmount: amount,
    exchangeRate,
    quoteId: quoteId || undefined,
    // Equal currencies have nothing to be priced.
    isIndicative: pricing === "AT_ACCEPTANCE" && amount.currency !== source,
    profile,
    countryCode,
    method,
    recipientName: `${recipient.firstName} ${recipient.lastName}`,
    recipientDocument: recipient.documents[0]?.number ?? "",
    purpose,
  };
}

/** The card tokens of a payment, each with the name of its field in the words of the published schemas. */
export function cardTokensOfIntent({ collection, payout }: PaymentIntent): { field: string; token: string }[] {
  const { source } = collection ?? {};
  const { method } = payout ?? {};
  const place = payout === undefined ? "sender.paymentMethod.cardTokenId" : "sender.source.card.token";
  return [
    ...(source?.kind === "card" ? [{ field: place, token: source.token }] : []),
    ...(method?.kind === "card" ? [{ field: "recipient.paymentMethod.cardTokenId", token: method.token }] : []),
  ].filter(({ token }) => token !== "");
}
