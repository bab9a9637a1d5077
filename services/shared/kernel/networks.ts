import { BlockList, isIP } from "node:net";
import type { Profile } from "./profile";

/** A set of networks. */
export interface Networks {
  /** True when the address, IPv4 or IPv6, is in one of them. An IPv4 address in IPv6 form counts as IPv4. */
  includes(address: string): boolean;
}

/** True for a network in CIDR form (RFC 4632, RFC 4291 section 2.3): `203.0.113.0/24`, `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = "", bits = "", ...rest] = text.split("/");
  const family = isIP(address);
  return (
    rest.length === 0 &&
    family > 0 &&
    /^\d{1,3}$/.test(bits) &&
    Number.parseInt(bits, 10) <= widths[family === 4 ? 0 : 1]
  );
}

const widths = [32, 128] as const;

/**
 * True when a tenant with this list may call from the address. In the local profile every address may; an empty list
 * denies in production and allows elsewhere.
 */
export function allowsAddress(
  profile: Profile,
  allowlist: readonly string[],
  networks: Networks,
  address: string,
): boolean {
  if (profile === "local") return true;
  return allowlist.length === 0 ? profile !== "production" : networks.includes(address);
}

/** Reads networks in CIDR form; malformed ones are ignored. */
export function makeNetworks(texts: readonly string[]): Networks {
  const list = new BlockList();
  const known = texts.filter(isNetwork);
  if (known.length === 0) return { includes: () => false };
  for (const text of known) {
    const [address = "", bits = ""] = text.split("/");
    list.addSubnet(address, Number.parseInt(bits, 10), isIP(address) === 4 ? "ipv4" : "ipv6");
  }
  return {
    includes(address) {
      const family = isIP(address);
      return family > 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
    },
  };
}
