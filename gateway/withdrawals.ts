import type { Upstreams } from "./clients";

/** Calls of the auth service that may take away access. */
export const withdrawals = [
  "revokeToken",
  "endSession",
  "endUserSession",
  "endUserSessions",
  "changeUser",
  "changeTenant",
  "changeClient",
  "changeAgentStatus",
  "revokeCredential",
  "setCredentialBounds",
  "revokeSigningKey",
] as const satisfies readonly (keyof Upstreams["auth"])[];

/**
 * Calls `lookAnew` after each call that may take away access, whatever its outcome, and answers when that has ended. The bus notifies the
 * other gateways, and may be late for the next request of the same caller.
 */
export function lookingAnew(auth: Upstreams["auth"], lookAnew: () => Promise<void>): Upstreams["auth"] {
  const after =
    <Request, Response>(call: (request: Request) => Promise<Response>) =>
    async (request: Request): Promise<Response> => {
      try {
        return await call(request);
      } finally {
        await lookAnew();
      }
    };
  const watched: Upstreams["auth"] = { ...auth };
  for (const name of withdrawals)
    Object.assign(watched, { [name]: after(auth[name] as (request: unknown) => Promise<unknown>) });
  return watched;
}
