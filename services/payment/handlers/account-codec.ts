import {
  type AddPayoutAccountRequest,
  type PayoutAccount as WireAccount,
  type PayoutDestination as WireDestination,
  AccountPurpose as WirePurpose,
  type FundingSource as WireSource,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { enumCodec } from "../../shared/kernel/enum-codec";
import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import type { AccountPurpose, FundingSource, PayoutAccount } from "../domain/payout-account";
import type { GivenAccount } from "../operations/add-payout-account";
import { decodeData, decodeMethod, inComposedForm } from "./intent-codec";
import { decodeParty } from "./party-codec";

const purposeCodec = enumCodec<WirePurpose, AccountPurpose>({
  [WirePurpose.UNSPECIFIED]: undefined,
  [WirePurpose.FUNDING]: "FUNDING",
  [WirePurpose.RECIPIENT]: "RECIPIENT",
  [WirePurpose.UNRECOGNIZED]: undefined,
});

export function decodePurpose(purpose: WirePurpose): AccountPurpose {
  const known = purposeCodec.decode(purpose);
  if (known === undefined) throw invalid([{ field: "purpose", message: "must be FUNDING or RECIPIENT" }]);
  return known;
}

/** Reads a payment method, even when it is invalid. Throws INVALID_ARGUMENT when there is none. */
export function decodeGiven({ account }: AddPayoutAccountRequest): GivenAccount {
  switch (account?.$case) {
    case "funding":
      return { purpose: "FUNDING", source: decodeSource(account.value) };
    case "recipient":
      return decodeDestination(inComposedForm(account.value));
    default:
      throw invalid([{ field: "account", message: "is required" }]);
  }
}

function decodeSource({ source }: WireSource): FundingSource | undefined {
  if (source === undefined) return undefined;
  return { kind: source.$case === "cardToken" ? "card" : "account", token: source.value };
}

function decodeDestination({ recipient, countryCode, method, additionalData }: WireDestination): GivenAccount {
  const violations: FieldViolation[] = [];
  const destination = {
    recipient: recipient && decodeParty(recipient),
    countryCode,
    method: method && decodeMethod(method, violations),
    additionalData: additionalData && decodeData(additionalData, violations),
  };
  return { purpose: "RECIPIENT", destination, violations };
}

export const encodeAccount = (account: Omit<PayoutAccount, "details">): WireAccount => ({
  accountId: account.id,
  participantId: account.participantId,
  purpose: purposeCodec.encode(account.purpose),
  type: account.type,
  countryCode: account.countryCode,
  masked: account.masked,
  createdAt: account.createdAt,
});
