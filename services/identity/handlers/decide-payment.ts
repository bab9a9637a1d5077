import type {
  DecidePaymentRequest,
  DecidePaymentResponse,
  ScreenedParty,
} from "../../../proto/gen/corridor/identity/v1/decision_service";
import { invalid } from "../../shared/kernel/errors";
import { money } from "../../shared/kernel/money";
import { type PaymentParty, parseParty, unknownParty } from "../domain/screened-payment";
import type { DecidePayment } from "../operations/decide-payment";
import { encodeDecisionStatus } from "./review-codec";

function partyOf(party: ScreenedParty | undefined, where: string): PaymentParty {
  if (party === undefined) return unknownParty;
  const { birthDate, nationalityCode, residenceCode, documentNumbers, companyName, bankName, bankCountryCode } = party;
  const countries = { nationality: nationalityCode, residence: residenceCode, bankCountry: bankCountryCode };
  const lists = { documents: documentNumbers, otherCountries: party.countryCodes };
  return parseParty({ birthDate, companyName, bankName, ...lists, ...countries }, where);
}

export const decidePaymentHandler =
  (decidePayment: DecidePayment) =>
  async ({
    tenant,
    paymentId,
    amount,
    sender,
    recipient,
    isFirst,
  }: DecidePaymentRequest): Promise<DecidePaymentResponse> => {
    if (amount === undefined || sender === undefined || tenant === "" || paymentId === "") {
      throw invalid([{ field: "payment", message: "needs a tenant, an id, an amount and a sender" }]);
    }
    const { name = "", countryCode = "", narrative = "" } = recipient ?? {};
    const decision = await decidePayment({
      payment: {
        paymentId,
        tenant,
        amount: money(amount.amountMinor, amount.currency),
        recipientName: name,
        recipientCountry: countryCode,
        narrative,
      },
      sender: { firstName: sender.firstName, lastName: sender.lastName },
      senderParty: partyOf(sender.party, "sender"),
      recipientParty: partyOf(recipient?.party, "recipient"),
      paysOut: recipient !== undefined,
      isFirst,
    });
    const { status, reason, listVersion, provider, reviewId, isFrozen, payTo } = decision;
    const providerStatus = provider && encodeDecisionStatus(provider.status);
    const blockedCaseId = isFrozen === true ? reviewId : undefined;
    const outcome = { status: encodeDecisionStatus(status), reason, listVersion, providerStatus };
    return { ...outcome, reviewId, blockedCaseId, payTo };
  };
