import type { FieldViolation } from "../../shared/kernel/errors";
import { externalIdRule, isExternalId } from "../../shared/kernel/external-id";
import { evaluateFields } from "./check-fields";
import { isAlpha2 } from "./countries";

/** A check of an account that a customer has linked. */
export interface AccountCheck {
  externalId: string;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  publicToken: string;
  accountId: string;
}

/** Identifies a check: who asks for it, under which id, with which content. That is enough to find an earlier answer. */
export interface CheckIdentity {
  tenant: string;
  externalId: string;
  /** Hash of each part, by its name in the REST API. */
  hashes: Readonly<Record<string, string>>;
}

/** The customer whose link flow is opened. */
export interface LinkRequest {
  phoneNumber: string;
  /** Empty unless it is launched from an Android app. */
  androidPackageName: string;
}

/** The account of a check that succeeded. Its numbers are only shown masked. */
export interface VerifiedAccount {
  accountTokenId: string;
  accessToken: string;
  name: string;
  accountNumberMasked: string;
  routingNumberMasked: string;
}

/** The parts of a check's first answer that are stored. */
export interface AccountCheckFacts {
  /** The form that was asked for first. */
  form: number;
  checkedAt: Date;
  /** Undefined where the check was declined. */
  account: VerifiedAccount | undefined;
}

/** The first answer that the caller of a check received. */
export interface AccountCheckReceipt extends AccountCheckFacts {
  paymentId: string;
  externalId: string;
}

const e164 = /^\+[1-9]\d{6,14}$/;
const androidPackage = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/;

/** Returns a violation for every field of a link request that breaks a rule. */
export function linkViolations({ phoneNumber, androidPackageName }: LinkRequest): readonly FieldViolation[] {
  const fields = evaluateFields();
  fields.check(phoneNumber !== "", "phoneNumber", "is required");
  const numberRule = "must be an E.164 number: +, country code and number, at most 15 digits";
  fields.check(e164.test(phoneNumber), "phoneNumber", numberRule);
  fields.optionalText("androidPackageName", androidPackageName);
  const isPackage = androidPackageName === "" || androidPackage.test(androidPackageName);
  fields.check(isPackage, "androidPackageName", "must be the name of an Android package");
  return fields.violations;
}

const place = "sender.paymentMethod";

/** Returns a violation for every field of a check that breaks a rule. */
export function accountCheckViolations(check: AccountCheck): readonly FieldViolation[] {
  const { externalId, countryCode, publicToken, accountId } = check;
  const fields = evaluateFields();
  fields.check(externalId !== "", "externalPaymentId", "is required");
  fields.check(isExternalId(externalId), "externalPaymentId", externalIdRule);
  fields.text(`${place}.countryCode`, countryCode);
  fields.check(isAlpha2(countryCode), `${place}.countryCode`, "must be an ISO 3166-1 alpha-2 code");
  fields.text(`${place}.accountCheckToken`, publicToken);
  fields.text(`${place}.accountCheckId`, accountId);
  return fields.violations;
}

/** Replaces all but the last four characters with stars; the whole text when it has no more than four. */
export const masked = (number: string): string =>
  number.length <= 4 ? "*".repeat(number.length) : "*".repeat(number.length - 4) + number.slice(-4);
