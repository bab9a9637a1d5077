import { hash } from "node:crypto";
import {
  AccountCheck as WireCheck,
  type AccountCheckReceipt as WireReceipt,
} from "../../../proto/gen/corridor/payment/v1/check_service";
import { readText } from "../../shared/kernel/text";
import { type FingerprintRows, fingerprint } from "../../shared/rpc/fingerprint";
import type { AccountCheckReceipt } from "../domain/account-check";
import type { AccountCheckRequest } from "../operations/check-account";

const none = () => ({});

const rows: FingerprintRows<WireCheck> = {
  // The check is found by this id, so the id never differs.
  externalPaymentId: none,
  countryCode: ({ countryCode, publicToken, accountId }) => ({ sender: { countryCode, publicToken, accountId } }),
  // Both are also parts of the sender.
  publicToken: none,
  accountId: none,
};

/** Returns the parts of a check, named as in the REST API, each as text that is equal where the part is equal. */
export const accountCheckFields = (check: WireCheck): Record<string, string> => fingerprint(WireCheck, rows, check);

/** Returns text in composed form; text that is refused stays as it is, and is refused later. */
const composed = (text: string): string => readText(text) ?? text;

/** Reads a check with the identity of its caller, even when it is invalid. */
export function decodeAccountCheck({
  tenant,
  check = WireCheck.decode(new Uint8Array()),
}: {
  tenant: string;
  check?: WireCheck | undefined;
}): AccountCheckRequest {
  const { externalPaymentId: externalId, countryCode } = check;
  const [publicToken, accountId] = [composed(check.publicToken), composed(check.accountId)];
  const fields = accountCheckFields({ ...check, publicToken, accountId });
  const hashes = Object.entries(fields).map(([name, text]) => [name, hash("sha256", text, "base64url")] as const);
  return {
    identity: { tenant, externalId, hashes: Object.fromEntries(hashes) },
    check: { externalId, countryCode, publicToken, accountId },
  };
}

export function encodeAccountCheck({
  form,
  paymentId,
  externalId,
  checkedAt,
  account,
}: AccountCheckReceipt): WireReceipt {
  const outcome =
    account === undefined ? { $case: "declined" as const, value: {} } : { $case: "verified" as const, value: account };
  return { answerForm: form, paymentId, externalPaymentId: externalId, checkedAt, outcome };
}
