import { invalid } from "../../shared/kernel/errors";
import type { GivenToken } from "./check-ports";
import type { PayoutTexts, PullSource } from "./payment";
import type { PaymentCommand, PaymentIdentity, PayoutOrder } from "./payment-command";
import type { CollectionSource, PaymentIntent, PayoutIntent } from "./payment-intent";
import { legsOf } from "./typed-legs";

/**
 * Returns the command of a payment that meets all rules. Throws INVALID_ARGUMENT for an intent that lacks a part that every payment has.
 */
export function commandOf(identity: PaymentIdentity, intent: PaymentIntent): PaymentCommand {
  const { ipAddress, amount, sender, collection, payout } = intent;
  const legs = legsOf(
    collection && { source: sourceOf(collection.source), captureAtOnce: collection.captureAtOnce },
    payout && orderOf(payout, amount?.currency, textsOf(intent)),
  );
  if (legs === undefined) throw missing("paymentType");
  if (amount === undefined) throw missing("amount");
  if (sender === undefined) throw missing("sender");
  const { agentId } = identity;
  return {
    ...identity,
    ...legs,
    agent:
      agentId === undefined
        ? undefined
        : { id: agentId, externalTransactionId: intent.externalTransactionId || undefined },
    ipAddress,
    amount,
    sender,
  };
}

const missing = (field: string) => invalid([{ field, message: "is required" }]);

function sourceOf(source: CollectionSource | undefined): PullSource {
  if (source === undefined) throw missing("sender.paymentMethod");
  if (source.kind !== "bank") return source;
  const { routingNumber, accountNumber, accountType, holderFirstName, holderLastName } = source;
  return { kind: "bank", routingNumber, accountNumber, accountType, holder: `${holderFirstName} ${holderLastName}` };
}

const textsOf = ({ statementDescriptor, additionalData }: PaymentIntent): PayoutTexts => ({
  purpose: additionalData?.purpose ?? "",
  descriptor: statementDescriptor,
  narrative: additionalData?.narrative ?? "",
  extras: additionalData?.extras ?? {},
});

function orderOf(payout: PayoutIntent, source: string | undefined, texts: PayoutTexts): PayoutOrder {
  const { amount, recipient, countryCode, method, quoteId, exchangeRate, pricing, profile } = payout;
  if (amount === undefined) throw missing("recipientAmount");
  if (recipient === undefined) throw missing("recipient");
  if (method === undefined) throw missing("recipient.paymentMethod.type");
  return {
    recipientAmount: amount,
    exchangeRate,
    quoteId: quoteId || undefined,
    // Equal currencies need no price.
    isIndicative: pricing === "AT_ACCEPTANCE" && amount.currency !== source,
    profile,
    countryCode,
    method,
    recipient,
    texts,
  };
}

/** Returns the tokens of a payment's cards and accounts, each with its field name in the published schemas. */
export function tokensOfIntent({ collection, payout }: PaymentIntent): GivenToken[] {
  const { source } = collection ?? {};
  const { method } = payout ?? {};
  const tokens: GivenToken[] = [];
  if (source?.kind === "card") {
    const field = payout === undefined ? "sender.paymentMethod.cardTokenId" : "sender.source.card.token";
    tokens.push({ field, kind: "card", token: source.token });
  }
  if (source?.kind === "account") {
    const field = payout === undefined ? "sender.paymentMethod.accountTokenId" : "sender.source.accountTokenId";
    tokens.push({ field, kind: "account", token: source.token });
  }
  if (method?.kind === "card") {
    tokens.push({ field: "recipient.paymentMethod.cardTokenId", kind: "card", token: method.token });
  }
  return tokens.filter(({ token }) => token !== "");
}
