import type { Payment } from "./payment";

/** ISO 8583 response codes: approved, declined without a reason, request in progress. */
export const approvedCode = "00";
export const declinedCode = "05";
const inProgress = "09";

/** Returns the response code of the card scheme, or a code derived from the payment's status. */
export function responseCodeOf({ status, pull }: Payment): string {
  if (pull?.responseCode !== undefined) return pull.responseCode;
  if (status === "DECLINED") return declinedCode;
  return status === "AUTHORIZED" || status === "CAPTURED" ? approvedCode : inProgress;
}
