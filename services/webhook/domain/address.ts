import { BlockList, isIP } from "node:net";

/** Where deliveries may go. */
export type Reach = "public" | "public and loopback";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** IPv4 space that is not globally reachable (IANA special-purpose registry), with multicast and reserved space. */
const specialV4 = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  specialV4.addSubnet(network, prefix, "ipv4");
}

/** Unicast IPv6 space, and what of it is not globally reachable or hides an IPv4 address. */
const globalV6 = new BlockList();
globalV6.addSubnet("2000::", 3, "ipv6");
const specialV6 = new BlockList();
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  specialV6.addSubnet(network, prefix, "ipv6");
}

/** True when an IP address may be connected to. What is not known to be public is refused. */
export function isReachable(address: string, reach: Reach): boolean {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (isIP(address) === 0 || address.includes("%")) return false;
  if (reach === "public and loopback" && loopback.check(address, family)) return true;
  return family === "ipv4"
    ? !specialV4.check(address, "ipv4")
    : globalV6.check(address, "ipv6") && !specialV6.check(address, "ipv6");
}
