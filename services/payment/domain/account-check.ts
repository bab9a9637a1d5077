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

/** Who asks for a check, under which id, with which content. Enough to find an earlier answer. */
export interface CheckIdentity {
  tenant: string;
  externalId: string;
  /** Hash of each part, by its name in the REST API. */
  hashes: Readonly<Record<string, string>>;
}

/** Whose link flow it is. */
export interface LinkRequest {
  phoneNumber: string;
  /** Empty unless it is launched from an Android app. */
  androidPackageName: string;
}

/** The account of a check that ended well. Its numbers are shown masked only. */
export interface VerifiedAccount {
  accountTokenId: string;
  accessToken: string;
  name: string;
  accountNumberMasked: string;
  routingNumberMasked: string;
}

/** What of the first answer to a check is stored. */
export interface AccountCheckFacts {
  /** Form that was asked for first. */
  form: number;
  checkedAt: Date;
  /** Undefined where the check was declined. */
  account: VerifiedAccount | undefined;
}

/** What the caller of a check was answered first. */
export interface AccountCheckReceipt extends AccountCheckFacts {
  paymentId: string;
  externalId: string;
}

const e164 = /^\+[1-9]\d{6,14}$/;
const androidPackage = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/;

/** Every field of a link request that breaks a rule. */
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

/** Every field of a check that breaks a rule. */
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

/** The last four characters, and a star for each one before them; all stars when there are no more than four. */
export const masked = (number: string): string =>
  number.length <= 4 ? "*".repeat(number.length) : "*".repeat(number.length - 4) + number.slice(-4);
