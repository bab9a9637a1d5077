import { type LookupAddress, lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { invalid } from "../../shared/errors";
import { isReachable, type Reach } from "../domain/address";
import type { RequireReachable } from "../ports";

/** Thrown when a name leads to an address that must not be reached. */
class RefusedAddressError extends Error {
  override readonly name = "RefusedAddressError";
}

/** Resolves a name once; refuses it when any of its addresses must not be reached. */
function resolve(hostname: string, reach: Reach): Promise<LookupAddress[]> {
  return new Promise((done, fail) => {
    lookup(hostname, { all: true }, (error, addresses) => {
      if (error !== null) return fail(error);
      const areReachable = addresses.length > 0 && addresses.every(({ address }) => isReachable(address, reach));
      return areReachable ? done(addresses) : fail(new RefusedAddressError("the name leads to a refused address"));
    });
  });
}

/** Resolves names for connections: what was checked is what is connected to. */
export const makeVettedLookup =
  (reach: Reach): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, reach).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true) callback(null, addresses);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };

/** Throws when the host of a URL is, or leads to, an address that must not be reached. */
export async function checkHost(url: string, reach: Reach): Promise<void> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) === 0) await resolve(host, reach);
  else if (!isReachable(host, reach)) throw new RefusedAddressError("the address is refused");
}

/** The check at registration. */
export const makeRequireReachable =
  (reach: Reach): RequireReachable =>
  async (url) => {
    try {
      await checkHost(url, reach);
    } catch (error) {
      const isRefused = error instanceof RefusedAddressError;
      const message = isRefused ? "must lead to public addresses only" : "must name a host that can be resolved";
      throw invalid([{ field: "url", message }]);
    }
  };
