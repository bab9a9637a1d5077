import { isIP } from "node:net";
import { IPv6, parse } from "ipaddr.js";

/** Addresses that deliveries may be sent to. */
export type Reach = "public" | "public and loopback";

/** IPv6 space allocated for unicast (RFC 4291, 2.4); the library calls all other space unicast, too. */
const globalUnicast = IPv6.parseCIDR("2000::/3");

/**
 * True when an IP address may be connected to. An address is public if no special-purpose registry lists it;
 * IPv6 forms that embed an IPv4 address are not public.
 */
export function isReachable(address: string, reach: Reach): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = parse(address);
  const range = parsed.range();
  if (reach === "public and loopback" && range === "loopback") return true;
  return range === "unicast" && (!(parsed instanceof IPv6) || parsed.match(globalUnicast));
}
