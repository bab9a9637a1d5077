import type { Payment, PullSource } from "./payment";
import { numberOf, type PayoutAccount } from "./payout-account";

/** Words by which a card or an account is known again, whoever writes it down. Two payments with the same are of one person. */
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
  recipient: payout === undefined ? undefined : ofRecipient(payout.account),
});

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

/** The means that an agent keeps of a participant. */
export function meansOfAccount({ purpose, details }: Pick<PayoutAccount, "purpose" | "details">): Means {
  const { cardTokenId, accountTokenId, recipient } = details;
  if (purpose === "RECIPIENT") return ofRecipient(objectOf(objectOf(recipient)["paymentMethod"]));
  return typeof accountTokenId === "string" && accountTokenId !== ""
    ? ["account", accountTokenId]
    : ["card", textOf(cardTokenId).toLowerCase()];
}
