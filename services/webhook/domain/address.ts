import { isIP } from "node:net";
import { IPv6, parse } from "ipaddr.js";

/** Where deliveries may go. */
export type Reach = "public" | "public and loopback";

/** IPv6 space that is given out for unicast (RFC 4291, 2.4); the library calls all other space unicast, too. */
const globalUnicast = IPv6.parseCIDR("2000::/3");

/**
 * True when an IP address may be connected to. Public is what no registry of special purposes names; IPv6 forms that hide
 * an IPv4 address are not.
 */
export function isReachable(address: string, reach: Reach): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = parse(address);
  const range = parsed.range();
  if (reach === "public and loopback" && range === "loopback") return true;
  return range === "unicast" && (!(parsed instanceof IPv6) || parsed.match(globalUnicast));
}
