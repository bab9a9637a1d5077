import { isIP } from "node:net";
import { paymentTime } from "../../shared/kernel/clock";
import { externalIdRule, isExternalId } from "../../shared/kernel/external-id";
import type { JsonObject } from "../../shared/kernel/json";
import { readCheck } from "./check-fields";

/** A cardholder's name and address, as an issuer compares them. */
export interface Cardholder {
  firstName: string;
  lastName: string;
  address: Readonly<Record<string, string>>;
}

/** What a network says of a card's use; absent where it says nothing. */
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

/** A check of a card without a charge. */
export interface CardCheck {
  externalId: string;
  ipAddress: string;
  cardToken: string;
  /** As the caller wrote it. */
  firstName: string;
  lastName: string;
  email: string | undefined;
  phoneNumber: string | undefined;
  address: Readonly<Record<string, string>>;
}

/** What an issuer decided about a card and a name. It is given again to whoever asks the same. */
export interface CardVerdict {
  paymentId: string;
  createdAt: Date;
  report: CardReport;
}

/** The one network whose issuers compare names and publish capabilities. */
const inquiryNetwork = "VISA";
const maxNameLength = 35;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const uncomparedCategory = /BUSINESS|COMMERCIAL|CORPORATE|PREPAID/i;
const titles = /^(?:(?:mr|mrs|ms|miss|mx|dr|prof|sir|dame)\.?\s+)+/i;
const suffixes = /(?:,?\s+(?:jr|sr|ii|iii|iv|phd|md|esq)\.?)+$/i;
export const cardTokenField = "sender.paymentMethod.cardTokenId";

/** Throws INVALID_ARGUMENT with every failed field. `isAlpha3` knows the codes of ISO 3166-1. */
export function parseCardCheck(body: JsonObject, isAlpha3: (code: string) => boolean): CardCheck {
  const fields = readCheck(body);
  const externalId = fields.text("externalPaymentId");
  fields.check(isExternalId(externalId), "externalPaymentId", externalIdRule);
  const ipAddress = fields.text("ipAddress");
  const isAddress = isIP(ipAddress) !== 0 && !ipAddress.includes("%");
  fields.check(isAddress, "ipAddress", "must be an IPv4 or IPv6 address");
  const check: CardCheck = {
    externalId,
    ipAddress,
    firstName: fields.text("sender.firstName"),
    lastName: fields.text("sender.lastName"),
    email: fields.optionalText("sender.email"),
    phoneNumber: fields.optionalText("sender.phoneNumber"),
    address: addressOf(fields),
    cardToken: fields.matching(cardTokenField, uuid, "must be a UUID").toLowerCase(),
  };
  fields.check(
    isAlpha3(check.address["countryCode"] ?? ""),
    "sender.address.countryCode",
    "must be an ISO 3166-1 alpha-3 code",
  );
  fields.check(fields.text("sender.paymentMethod.type") === "CARD", "sender.paymentMethod.type", "must be CARD");
  fields.finish();
  return check;
}

function addressOf(fields: ReturnType<typeof readCheck>): Readonly<Record<string, string>> {
  const required = ["countryCode", "stateCode", "city", "line1", "zipCode"].map(
    (name) => [name, fields.text(`sender.address.${name}`)] as const,
  );
  const optional = ["state", "line2"].flatMap((name) => {
    const value = fields.optionalText(`sender.address.${name}`);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries([...required, ...optional]);
}

/** The holder as issuers compare names: without titles and suffixes. */
export function cardholderOf({ firstName, lastName, address }: Cardholder): Cardholder {
  const first = firstName.trim().replace(titles, "");
  const last = lastName.trim().replace(suffixes, "");
  return { firstName: first || firstName, lastName: last || lastName, address };
}

/** False when a name is too long to be compared. */
export const isComparable = ({ firstName, lastName }: Cardholder): boolean =>
  [firstName, lastName].every((name) => [...name].length <= maxNameLength);

/** The answer in the shape that the outcome asks for. What nobody knows is left out. */
export function cardCheckAnswer(check: CardCheck, verdict: CardVerdict): string {
  const { report } = verdict;
  if (report.status === "DECLINED") return declined(check.externalId, verdict);
  const isChallenge = report.status === "CHALLENGE";
  const isInquiryNetwork = report.scheme.toUpperCase() === inquiryNetwork && !isChallenge;
  const isCompared = isInquiryNetwork && isComparable(cardholderOf(check)) && !uncomparedCategory.test(report.category);
  return JSON.stringify({
    card: {
      created: paymentTime(verdict.createdAt),
      ...given({ issuerName: report.issuerName, issuerCountry: report.issuerCountry }),
      ...given({ bin: report.bin, lastFour: report.lastFour }),
    },
    verificationResults: {
      avs: isChallenge ? notSupported : resultOf(report.avs),
      cvc: isChallenge ? notSupported : resultOf(report.cvc),
      aavCardholderName: isCompared ? resultOf(report.cardholderName) : notSupported,
    },
    octStatus: isInquiryNetwork && report.oct !== undefined ? report.oct : notEvaluated,
    aftStatus: isInquiryNetwork && report.aft !== undefined ? report.aft : notEvaluated,
    redirectAcsUrl: isChallenge ? report.redirectAcsUrl : "",
  });
}

/** A payment's shape, for a payment that never was. */
function declined(externalId: string, { paymentId, createdAt, report }: CardVerdict): string {
  return JSON.stringify({
    paymentId,
    parentPaymentId: paymentId,
    externalPaymentId: externalId,
    created: paymentTime(createdAt),
    amount: 0,
    approved: false,
    status: "DECLINED",
    responseCode: "PAY_022",
    message: "Rejected by provider",
    ...given({ issuerName: report.issuerName, issuerCountry: report.issuerCountry }),
    avsResult: report.avs || "N/A",
    cvcResult: report.cvc || "N/A",
    aavCardholderNameResult: report.cardholderName || "N/A",
    redirectAcsUrl: "",
  });
}

const notSupported = "NOT_SUPPORTED";
const notEvaluated: CardCapability = { capable: false, highPerforming: false, lowPerforming: false };

/** An issuer that says nothing says that it does not support the question. */
const resultOf = (value: string): string => (/^(?:|NA|N\/A)$/i.test(value.trim()) ? notSupported : value);

const given = (facts: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== ""));
