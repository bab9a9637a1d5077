import type { PayoutAccount as WireAccount } from "../../../proto/gen/corridor/payment/v1/payment_service";
import { invalid } from "../../shared/kernel/errors";
import type { AccountPurpose, PayoutAccount } from "../domain/payout-account";

export function decodePurpose(purpose: string): AccountPurpose {
  if (purpose === "FUNDING" || purpose === "RECIPIENT") return purpose;
  throw invalid([{ field: "purpose", message: "must be FUNDING or RECIPIENT" }]);
}

export const encodeAccount = (account: Omit<PayoutAccount, "details">): WireAccount => ({
  accountId: account.id,
  participantId: account.participantId,
  purpose: account.purpose,
  type: account.type,
  countryCode: account.countryCode,
  masked: account.masked,
  createdAt: account.createdAt,
});
