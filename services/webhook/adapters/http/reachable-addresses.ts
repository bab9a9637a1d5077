import { isIP, type LookupFunction } from "node:net";
import { isReachable, type Reach } from "../../domain/address";
import type { ReachViolations } from "../../ports";
import type { Resolve } from "./resolver";

/** Thrown when a name resolves to an address that must not be reached. */
export class RefusedAddressError extends Error {
  override readonly name = "RefusedAddressError";
}

/** The rules for reachable addresses, and the resolver of names. */
export interface Vetting {
  resolve: Resolve;
  reach: Reach;
}

/** Resolves a name; refuses it when any of its addresses must not be reached. */
async function vettedAddresses(hostname: string, { resolve, reach }: Vetting): Promise<readonly string[]> {
  const addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname];
  if (addresses.every((address) => isReachable(address, reach))) return addresses;
  throw new RefusedAddressError("the name resolves to a refused address");
}

/** Resolves names for connections, so that the checked address is the one that is connected to. */
export const makeVettedLookup =
  (vetting: Vetting): LookupFunction =>
  (hostname, options, callback) => {
    vettedAddresses(hostname, vetting).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (options.all === true) callback(null, found);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };

/** Throws when the host of a URL is, or resolves to, an address that must not be reached. */
export async function checkHost(url: string, vetting: Vetting): Promise<void> {
  await vettedAddresses(new URL(url).hostname.replace(/^\[|\]$/g, ""), vetting);
}

/** The check at registration. With `mayBeOffline`, a name that cannot be resolved is only checked at each attempt. */
export const makeReachViolations =
  (vetting: Vetting, mayBeOffline: boolean): ReachViolations =>
  async (url) => {
    try {
      await checkHost(url, vetting);
      return [];
    } catch (error) {
      const isRefused = error instanceof RefusedAddressError;
      if (!isRefused && mayBeOffline) return [];
      // One answer for both: a caller must not learn which names our own network can resolve.
      return [{ field: "url", message: "must name a host that can be resolved to public addresses" }];
    }
  };
