import { textOf } from "../../shared/crypto/callback-signature";
import type { ProviderCall } from "../../shared/http/provider-call";
import { parseInstant } from "../../shared/kernel/clock";

/**
 * Asks a vendor to erase what it keeps under a path. Only an answer that names the reference and a time is an acknowledgement: an answer
 * from a wrong address, or one that nothing is known there, is not.
 */
export async function eraseAtVendor(call: ProviderCall, path: string, reference: string): Promise<boolean> {
  const answer = await call("POST", `${path}/erasure`);
  if (answer?.status !== 200 || textOf(answer.body, "reference") !== reference) return false;
  return parseInstant(textOf(answer.body, "erasedAt") ?? "") !== undefined;
}
