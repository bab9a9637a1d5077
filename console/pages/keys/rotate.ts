import type { Credential } from "../../../sdk/src/gen/api";
import { callTenant } from "../../app/api";

const dayMs = 86_400_000;

/**
 * Makes a second credential like this one, and lets this one expire in a day. `hasEnd` is false when the new one was made and the old one
 * has kept its own expiry: the new one is shown all the same.
 */
export async function rotate(old: Credential): Promise<{ readonly secret: string; readonly hasEnd: boolean }> {
  const { id, kind, owner, scopes, allowlist, expiresAt } = old;
  const bounds = { ...(scopes === null ? {} : { scopes: [...scopes] }), allowlist: [...allowlist] };
  const made = await callTenant("POST /organizations/{tenant}/credentials", {
    body: { kind, owner, ...bounds },
  });
  const inADay = new Date(Date.now() + dayMs).toISOString();
  const end = expiresAt !== null && expiresAt < inADay ? expiresAt : inADay;
  const hasEnd = await callTenant("PUT /organizations/{tenant}/credentials/{credentialId}/bounds", {
    params: { credentialId: id },
    body: { ...bounds, expiresAt: end },
  }).then(
    () => true,
    () => false,
  );
  return { secret: made.credential, hasEnd };
}
