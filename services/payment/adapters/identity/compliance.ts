import { alpha3ToAlpha2 } from "i18n-iso-countries";
import type {
  DecisionServiceService,
  ScreenedParty,
} from "../../../../proto/gen/corridor/identity/v1/decision_service";
import { DecisionStatus } from "../../../../proto/gen/corridor/identity/v1/decision_status";
import type { Rpc } from "../../../shared/rpc/rpc";
import type { Party } from "../../domain/party";
import type { Payment } from "../../domain/payment";
import { nameOf, narrativeOf } from "../../domain/payout-instruction";
import type { ScreeningReport } from "../../domain/screening";
import type { Screening } from "../../ports";

export type DecisionClient = Pick<Rpc<typeof DecisionServiceService>, "decidePayment">;

const statuses: Readonly<Record<DecisionStatus, ScreeningReport["status"] | undefined>> = {
  [DecisionStatus.UNSPECIFIED]: undefined,
  [DecisionStatus.APPROVED]: "APPROVED",
  [DecisionStatus.REVIEW]: "REVIEW",
  [DecisionStatus.BLOCKED]: "BLOCKED",
  [DecisionStatus.REJECTED]: "REJECTED",
  [DecisionStatus.UNRECOGNIZED]: undefined,
};

/**
 * Asks the identity service, which decides whether a payment may go on. It decides a payment's id once, and asking again changes nothing,
 * so asking and instructing are the same call. While it is unavailable the outcome is unknown, and the payment does not go on.
 */
export const makeScreening =
  (client: DecisionClient): Screening =>
  async (payment, isFirst) => {
    try {
      const answer = await client.decidePayment({ ...toRequest(payment), isFirst });
      const { status: wire, reason, blockedCaseId, payTo } = answer;
      const status = statuses[wire];
      return status === undefined ? undefined : { status, reason, blockedCase: blockedCaseId, payTo };
    } catch {
      return undefined;
    }
  };

function toRequest({ id, tenant, amount, sender, pull, payout }: Payment) {
  const { minor, currency } = payout?.amount ?? amount;
  const recipient = payout && {
    name: nameOf(payout.recipient),
    countryCode: payout.countryCode,
    narrative: narrativeOf(payout),
    party: toParty(payout.recipient, payout.countryCode),
  };
  return {
    tenant,
    paymentId: id,
    amount: { amountMinor: minor, currency },
    sender: { firstName: sender.firstName, lastName: sender.lastName, party: toParty(sender, bankCountryOf(pull)) },
    recipient,
  };
}

/** Returns what is known of a party besides the name. Of its bank, only the country is known. */
function toParty({ firstName, lastName, birthDate, address, documents, ...party }: Party, bank: string): ScreenedParty {
  const residence = address?.countryCode || party.countryCode;
  const passport = documents.find(({ type, countryCode }) => type === "PASSPORT" && countryCode !== "");
  // A person's country of birth does not show who the money is for.
  const others = [party.countryCode, ...documents.map(({ countryCode }) => countryCode)];
  return {
    birthDate,
    nationalityCode: knownCountry(passport?.countryCode ?? ""),
    residenceCode: knownCountry(residence),
    documentNumbers: documents.map(({ number }) => number),
    companyName: firstName === "" ? lastName : "",
    bankName: "",
    bankCountryCode: knownCountry(bank),
    countryCodes: [...new Set(others.map(knownCountry).filter(Boolean))],
  };
}

/** Returns the bank's country: accounts that are debited by their numbers are American. */
const bankCountryOf = (pull: Payment["pull"]): string => (pull?.source.kind === "bank" ? "USA" : "");

/** Returns the alpha-2 code; empty for a code that belongs to no country. */
const knownCountry = (code: string): string => (code === "XKX" ? "XK" : (alpha3ToAlpha2(code) ?? ""));
