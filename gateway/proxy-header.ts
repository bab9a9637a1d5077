import { isIP, isIPv4 } from "node:net";

/** Content of a PROXY header: its length, and the caller's address; undefined if the connection is the balancer's own. */
export interface ProxyHeader {
  size: number;
  address: string | undefined;
}

const signature = Buffer.from("0d0a0d0a000d0a515549540a", "hex");
const [firstBytes, longestText, longestRest] = [16, 107, 4_096];
/** Version and command; then family and transport, with the size of one address. */
const [local, proxied] = [0x20, 0x21];
const addressSizes: Readonly<Record<number, number>> = { 17: 4, 33: 16 };

/**
 * Reads the header with which a balancer begins a connection: version 1 or 2 of the PROXY protocol, as HAProxy specifies it. Returns
 * "incomplete" while more of it has to come, and "wrong" for anything else.
 */
export function readProxyHeader(bytes: Buffer): ProxyHeader | "incomplete" | "wrong" {
  const known = Math.min(bytes.length, signature.length);
  if (bytes.subarray(0, known).equals(signature.subarray(0, known))) {
    return bytes.length < firstBytes ? "incomplete" : readBinary(bytes);
  }
  return readText(bytes.subarray(0, longestText).toString("latin1"));
}

function readBinary(bytes: Buffer): ProxyHeader | "incomplete" | "wrong" {
  const command = bytes[12];
  const rest = bytes.readUInt16BE(14);
  if ((command !== local && command !== proxied) || rest > longestRest) return "wrong";
  const size = firstBytes + rest;
  if (bytes.length < size) return "incomplete";
  if (command === local) return { size, address: undefined };
  // Two addresses and two ports; any data after them is for the balancer's own use.
  const addressSize = addressSizes[bytes[13] ?? 0];
  if (addressSize === undefined || rest < 2 * addressSize + 4) return "wrong";
  return { size, address: addressOf(bytes.subarray(firstBytes, firstBytes + addressSize)) };
}

function readText(text: string): ProxyHeader | "incomplete" | "wrong" {
  const start = "PROXY ";
  const end = text.indexOf("\r\n");
  if (end < 0) {
    return text.length < longestText && (text.startsWith(start) || start.startsWith(text)) ? "incomplete" : "wrong";
  }
  const size = end + 2;
  if (/^PROXY UNKNOWN(?: |$)/.test(text.slice(0, end))) return { size, address: undefined };
  const [, family = "", source = "", target = ""] =
    /^PROXY TCP([46]) ([\da-fA-F.:]+) ([\da-fA-F.:]+) \d{1,5} \d{1,5}$/.exec(text.slice(0, end)) ?? [];
  if (String(isIP(source)) !== family || String(isIP(target)) !== family) return "wrong";
  return { size, address: isIPv4(source) ? source : shortest(source) };
}

const mapped = Buffer.from("00000000000000000000ffff", "hex");

/** Returns the address in these bytes as text. An IPv4 address in IPv6 form counts as IPv4. */
function addressOf(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.subarray(0, 12).equals(mapped)) return bytes.subarray(12).join(".");
  return shortest(bytes.toString("hex").replace(/(.{4})(?=.)/g, "$1:"));
}

/** Returns an IPv6 address in its canonical form (RFC 5952). */
function shortest(address: string): string {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high = "", low = ""] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(text) ?? [];
  return high === "" ? text : Buffer.from(high.padStart(4, "0") + low.padStart(4, "0"), "hex").join(".");
}
