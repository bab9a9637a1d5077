import type { Payment, PullSource } from "./payment";
import { methodInWords } from "./payment-methods";
import { numberOf, type PayoutAccount } from "./payout-account";

/** Words by which a card or an account is recognised, however it is written. Two payments with the same are of one person. */
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

/** With what a payment was paid, and where it was paid to. A sender who is not collected from has no means here. */
export const meansOf = ({ pull, payout }: Pick<Payment, "pull" | "payout">) => ({
  sender: pull === undefined ? undefined : ofSource(pull.source),
  recipient: payout === undefined ? undefined : ofRecipient(methodInWords(payout.method)),
});

/** The means that an agent keeps of a participant. */
export function meansOfAccount({ details }: Pick<PayoutAccount, "details">): Means {
  if (details.purpose === "RECIPIENT") return ofRecipient(methodInWords(details.method));
  const { kind, token } = details.source;
  return kind === "account" ? ["account", token] : ["card", token.toLowerCase()];
}
