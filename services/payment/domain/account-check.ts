import { paymentTime } from "../../shared/kernel/clock";
import { externalIdRule, isExternalId } from "../../shared/kernel/external-id";
import type { JsonObject, ParsedJson } from "../../shared/kernel/json";
import { readCheck } from "./check-fields";

/** A check of an account that a customer has linked. */
export interface AccountCheck {
  publicToken: string;
  accountId: string;
}

/** A body with the texts of its numbers. */
export type Body = { value: JsonObject; numbers: ParsedJson["numbers"] };

/** Who asks for a check, under which id, with which content. Enough to find an earlier answer. */
export interface CheckIdentity {
  tenant: string;
  externalId: string;
  /** Hash of each top-level field. */
  hashes: Record<string, string>;
}

/** Whose link flow it is. */
export interface LinkRequest {
  phoneNumber: string;
  androidPackageName?: string;
}

/** The account of a check that ended well. Its numbers are shown masked only. */
export interface CheckedAccount {
  accountTokenId: string;
  accessToken: string;
  name: string;
  accountNumber: string;
  routingNumber: string;
}

/** Throws INVALID_ARGUMENT with every failed field. */
export function parseLinkRequest(body: JsonObject): LinkRequest {
  const fields = readCheck(body);
  const { phoneNumber } = body;
  const isPhone = typeof phoneNumber === "string" && /^\+[1-9]\d{6,14}$/.test(phoneNumber);
  fields.check(phoneNumber !== undefined, "phoneNumber", "is required");
  fields.check(isPhone, "phoneNumber", "must be an E.164 number: +, country code and number, at most 15 digits");
  const androidPackageName = fields.optionalText("androidPackageName");
  const isPackage = androidPackageName === undefined || /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/.test(androidPackageName);
  fields.check(isPackage, "androidPackageName", "must be the name of an Android package");
  fields.finish();
  const named = androidPackageName === undefined ? {} : { androidPackageName };
  return { phoneNumber: isPhone ? phoneNumber : "", ...named };
}

/** Throws INVALID_ARGUMENT with every failed field, the id of the check too. `isAlpha2` knows the codes of ISO 3166-1. */
export function parseAccountCheck(body: JsonObject, isAlpha2: (code: string) => boolean): AccountCheck {
  const fields = readCheck(body);
  fields.check(isExternalId(fields.text("externalPaymentId")), "externalPaymentId", externalIdRule);
  const place = "sender.paymentMethod";
  const type = fields.text(`${place}.type`);
  fields.check(type === "BANK_DEPOSIT", `${place}.type`, "must be BANK_DEPOSIT");
  fields.check(
    isAlpha2(fields.text(`${place}.countryCode`)),
    `${place}.countryCode`,
    "must be an ISO 3166-1 alpha-2 code",
  );
  const publicToken = fields.text(`${place}.accountCheckToken`);
  const accountId = fields.text(`${place}.accountCheckId`);
  fields.finish();
  return { publicToken, accountId };
}

/** The body that a check is answered with, and answered with again for ever. Without an account it was refused. */
export function accountCheckAnswer(
  { paymentId, externalId, createdAt }: { paymentId: string; externalId: string; createdAt: Date },
  account: CheckedAccount | undefined,
): string {
  const common = {
    paymentId,
    parentPaymentId: paymentId,
    externalPaymentId: externalId,
    ...(account === undefined ? {} : { accountTokenId: account.accountTokenId }),
    created: paymentTime(createdAt),
  };
  if (account === undefined) return JSON.stringify({ ...common, approved: false, status: "DECLINED" });
  return JSON.stringify({
    ...common,
    approved: true,
    accessToken: account.accessToken,
    status: "VERIFIED",
    bankAccountName: account.name,
    accountNumberMasked: masked(account.accountNumber),
    routingNumberMasked: masked(account.routingNumber),
  });
}

/** The last four characters, and a star for each one before them; all stars when there are no more than four. */
const masked = (number: string): string =>
  number.length <= 4 ? "*".repeat(number.length) : "*".repeat(number.length - 4) + number.slice(-4);
