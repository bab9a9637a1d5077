import type { Payment, PullSource } from "./payment";
import { methodInWords } from "./payment-methods";
import { numberOf, type PayoutAccount } from "./payout-account";

/** Words that identify a card or an account, however it is written. Two payments with the same means belong to the same person. */
export type Means = readonly string[];

function ofSource(source: PullSource): Means {
  switch (source.kind) {
    case "card":
      return ["card", source.token];
    case "account":
      return ["account", source.token];
    case "bank":
      return ["bank", source.routingNumber, source.accountNumber];
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const ofRecipient = (method: Readonly<Record<string, unknown>>): Means => [
  "recipient",
  textOf(method["type"]),
  numberOf(method).toLowerCase(),
];

/** Returns the means by which a payment was paid, and by which it was paid out. A sender who is not collected from has no means here. */
export const meansOf = ({ pull, payout }: Pick<Payment, "pull" | "payout">) => ({
  sender: pull === undefined ? undefined : ofSource(pull.source),
  recipient: payout === undefined ? undefined : ofRecipient(methodInWords(payout.method)),
});

/** Returns the means of an account that an agent keeps for a participant. */
export function meansOfAccount({ details }: Pick<PayoutAccount, "details">): Means {
  if (details.purpose === "RECIPIENT") return ofRecipient(methodInWords(details.method));
  const { kind, token } = details.source;
  return kind === "account" ? ["account", token] : ["card", token.toLowerCase()];
}
