import type {
  CheckCardRequest,
  CheckCardResponse,
  CheckedCard as WireCard,
} from "../../../proto/gen/corridor/payment/v1/check_service";
import { readText } from "../../shared/kernel/text";
import type { CardCheck, CardCheckOutcome } from "../domain/card-check";
import type { PostalAddress } from "../domain/party";
import type { CheckCard } from "../operations/check-card";
import { decodeParty } from "./party-codec";

export const checkCardHandler =
  (checkCard: CheckCard) =>
  async (request: CheckCardRequest): Promise<CheckCardResponse> => ({
    outcome: encodeOutcome(await checkCard(request.tenant, decodeCheck(request))),
  });

const noAddress: PostalAddress = {
  countryCode: "",
  stateCode: "",
  state: "",
  city: "",
  line1: "",
  line2: "",
  zipCode: "",
};

/** Returns text in composed form; text that is refused stays as it is, and is refused later. */
const composed = (text: string): string => readText(text) ?? text;

function decodeCheck({ externalPaymentId: externalId, ipAddress, cardToken, cardholder }: CheckCardRequest): CardCheck {
  const {
    firstName = "",
    lastName = "",
    email = "",
    phoneNumber = "",
    address,
  } = cardholder ? decodeParty(cardholder) : {};
  return {
    externalId,
    ipAddress,
    cardToken: cardToken.toLowerCase(),
    // Verdicts are stored by these names.
    firstName: composed(firstName),
    lastName: composed(lastName),
    email,
    phoneNumber,
    address: address ?? noAddress,
  };
}

function encodeOutcome(outcome: CardCheckOutcome): CheckCardResponse["outcome"] {
  switch (outcome.kind) {
    case "verified": {
      const { card, results, oct, aft } = outcome;
      return { $case: "verified", value: { card: encodeCard(card), results, oct, aft } };
    }
    case "challenged": {
      const { card, challengeUrl } = outcome;
      return { $case: "challenged", value: { card: encodeCard(card), challengeUrl } };
    }
    case "declined": {
      const { paymentId, externalId: externalPaymentId, card, results } = outcome;
      return { $case: "declined", value: { paymentId, externalPaymentId, card: encodeCard(card), results } };
    }
  }
}

const encodeCard = (card: CardCheckOutcome["card"]): WireCard => ({ ...card });
