import { isIP } from "node:net";
import type { FieldViolation } from "../../shared/kernel/errors";
import { externalIdRule, isExternalId } from "../../shared/kernel/external-id";
import { evaluateFields } from "./check-fields";
import { isAlpha3 } from "./countries";
import type { PostalAddress } from "./party";

/** A cardholder's name and address, as an issuer compares them. */
export interface Cardholder {
  firstName: string;
  lastName: string;
  address: PostalAddress;
}

/** What a network reports about a card's use; absent where it reports nothing. */
export interface CardCapability {
  capable: boolean;
  highPerforming: boolean;
  lowPerforming: boolean;
}

/** A provider's answer to a card check. Empty texts were not given. */
export interface CardReport {
  status: "VERIFIED" | "DECLINED" | "CHALLENGE";
  redirectAcsUrl: string;
  scheme: string;
  category: string;
  issuerName: string;
  issuerCountry: string;
  bin: string;
  lastFour: string;
  avs: string;
  cvc: string;
  cardholderName: string;
  oct: CardCapability | undefined;
  aft: CardCapability | undefined;
}

/** A check of a card without a charge. Texts that were not given are empty. */
export interface CardCheck {
  externalId: string;
  ipAddress: string;
  cardToken: string;
  /** As the caller wrote it. */
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string;
  address: PostalAddress;
}

/** What an issuer decided about a card and a name. Repeating the question returns the same verdict. */
export interface CardVerdict {
  paymentId: string;
  createdAt: Date;
  report: CardReport;
}

/** The only network whose issuers compare names and publish capabilities. */
const inquiryNetwork = "VISA";
const maxNameLength = 35;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const uncomparedCategory = /BUSINESS|COMMERCIAL|CORPORATE|PREPAID/i;
const titles = /^(?:(?:mr|mrs|ms|miss|mx|dr|prof|sir|dame)\.?\s+)+/i;
const suffixes = /(?:,?\s+(?:jr|sr|ii|iii|iv|phd|md|esq)\.?)+$/i;
export const cardTokenField = "sender.paymentMethod.cardTokenId";

/** Returns a violation for every field of a check that breaks a rule. */
export function cardCheckViolations(check: CardCheck): readonly FieldViolation[] {
  const { externalId, ipAddress, firstName, lastName, address, cardToken } = check;
  const fields = evaluateFields();
  fields.check(externalId !== "", "externalPaymentId", "is required");
  fields.check(isExternalId(externalId), "externalPaymentId", externalIdRule);
  const isAddress = isIP(ipAddress) !== 0 && !ipAddress.includes("%");
  fields.check(ipAddress !== "", "ipAddress", "is required");
  fields.check(isAddress, "ipAddress", "must be an IPv4 or IPv6 address");
  fields.text("sender.firstName", firstName);
  fields.text("sender.lastName", lastName);
  fields.optionalText("sender.email", check.email);
  fields.optionalText("sender.phoneNumber", check.phoneNumber);
  const place = "sender.address";
  for (const name of ["countryCode", "stateCode", "city", "line1", "zipCode"] as const) {
    fields.text(`${place}.${name}`, address[name]);
  }
  for (const name of ["state", "line2"] as const) fields.optionalText(`${place}.${name}`, address[name]);
  fields.check(isAlpha3(address.countryCode), `${place}.countryCode`, "must be an ISO 3166-1 alpha-3 code");
  fields.text(cardTokenField, cardToken);
  fields.check(uuid.test(cardToken), cardTokenField, "must be a UUID");
  return fields.violations;
}

/** Returns the holder as issuers compare names: without titles and suffixes. */
export function cardholderOf({ firstName, lastName, address }: Cardholder): Cardholder {
  const first = firstName.trim().replace(titles, "");
  const last = lastName.trim().replace(suffixes, "");
  return { firstName: first || firstName, lastName: last || lastName, address };
}

/** False when a name is too long to be compared. */
export const isComparable = ({ firstName, lastName }: Cardholder): boolean =>
  [firstName, lastName].every((name) => [...name].length <= maxNameLength);

/** A card as its issuer or network describes it. Absent texts are empty. */
export interface CheckedCard {
  checkedAt: Date;
  issuerName: string;
  issuerCountry: string;
  bin: string;
  lastFour: string;
}

/** What the issuer has compared: APPROVED, NOT_CHECKED, NOT_SUPPORTED, or the issuer's own word. */
export interface CardResults {
  avs: string;
  cvc: string;
  cardholderName: string;
}

/** What the caller of a card check receives. */
export type CardCheckOutcome =
  | { kind: "verified"; card: CheckedCard; results: CardResults; oct: CardCapability; aft: CardCapability }
  | { kind: "challenged"; card: CheckedCard; challengeUrl: string }
  | { kind: "declined"; paymentId: string; externalId: string; card: CheckedCard; results: CardResults };

/** Returns what the caller of the check receives for a verdict or a challenge. */
export function outcomeOf(check: CardCheck, { paymentId, createdAt, report }: CardVerdict): CardCheckOutcome {
  const { issuerName, issuerCountry, bin, lastFour, avs, cvc, cardholderName } = report;
  const card = { checkedAt: createdAt, issuerName, issuerCountry, bin, lastFour };
  if (report.status === "DECLINED") {
    const declined = { ...card, bin: "", lastFour: "" };
    return {
      kind: "declined",
      paymentId,
      externalId: check.externalId,
      card: declined,
      results: { avs, cvc, cardholderName },
    };
  }
  if (report.status === "CHALLENGE") return { kind: "challenged", card, challengeUrl: report.redirectAcsUrl };
  const isInquiryNetwork = report.scheme.toUpperCase() === inquiryNetwork;
  const isCompared = isInquiryNetwork && isComparable(cardholderOf(check)) && !uncomparedCategory.test(report.category);
  return {
    kind: "verified",
    card,
    results: {
      avs: resultOf(avs),
      cvc: resultOf(cvc),
      cardholderName: isCompared ? resultOf(cardholderName) : notSupported,
    },
    oct: (isInquiryNetwork ? report.oct : undefined) ?? notEvaluated,
    aft: (isInquiryNetwork ? report.aft : undefined) ?? notEvaluated,
  };
}

const notSupported = "NOT_SUPPORTED";
const notEvaluated: CardCapability = { capable: false, highPerforming: false, lowPerforming: false };

/** Returns the issuer's result; an issuer that gives none does not support the question. */
const resultOf = (value: string): string => (/^(?:|NA|N\/A)$/i.test(value.trim()) ? notSupported : value);
