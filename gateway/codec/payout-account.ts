import {
  AccountPurpose,
  type AddPayoutAccountRequest,
  type PayoutAccount,
} from "../../proto/gen/corridor/payment/v1/payment_service";
import type { Answered, Infer } from "../contract/infer";
import type { fundingAccountRequest, payoutAccount, recipientAccountRequest } from "../contract/payouts";
import { countryOf, toAdditionalData, toMethod, toRecipient } from "./payment-intent";

export const accountPurposes = { FUNDING: AccountPurpose.FUNDING, RECIPIENT: AccountPurpose.RECIPIENT } as const;

export const toFunding = (body: Infer<typeof fundingAccountRequest>): AddPayoutAccountRequest["account"] => ({
  $case: "funding",
  value: {
    source:
      body.type === "CARD"
        ? { $case: "cardToken", value: body.cardTokenId }
        : { $case: "accountToken", value: body.accountTokenId },
  },
});

export const toDestination = ({
  recipient,
  additionalData,
}: Infer<typeof recipientAccountRequest>): AddPayoutAccountRequest["account"] => ({
  $case: "recipient",
  value: {
    recipient: toRecipient(recipient),
    countryCode: countryOf(recipient, false),
    method: toMethod(recipient.paymentMethod),
    additionalData: additionalData && toAdditionalData(additionalData),
  },
});

export function renderAccount(account: PayoutAccount | undefined): Answered<typeof payoutAccount> {
  if (account?.createdAt === undefined) throw new Error("the payment service sent no account");
  const { accountId: id, participantId, type, countryCode, masked, createdAt } = account;
  return { id, participantId, type, countryCode: countryCode ?? null, masked, createdAt };
}
