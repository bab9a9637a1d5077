import fc from "fast-check";
import { readProxyHeader } from "./proxy-header";

const text = (line: string): Buffer => Buffer.from(line, "latin1");
const version2 = (command: number, family: number, rest: string): Buffer => {
  const body = Buffer.from(rest, "hex");
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length);
  return Buffer.concat([Buffer.from("0d0a0d0a000d0a515549540a", "hex"), Buffer.from([command, family]), length, body]);
};
const four = "cb007107c0000201d43101bb";
const six = "20010db800000000000000000000000720010db8000000000000000000000001d43101bb";
const mapped = "00000000000000000000ffffcb00710700000000000000000000ffffc0000201d43101bb";

const good: [string, Buffer, string | undefined][] = [
  ["version 1, IPv4", text("PROXY TCP4 203.0.113.7 192.0.2.1 54321 443\r\n"), "203.0.113.7"],
  ["version 1, IPv6", text("PROXY TCP6 2001:DB8:0:0:0:0:0:7 2001:db8::1 54321 443\r\n"), "2001:db8::7"],
  ["version 1, IPv4 as IPv6", text("PROXY TCP6 ::ffff:203.0.113.7 ::ffff:192.0.2.1 5 443\r\n"), "203.0.113.7"],
  ["version 1, nothing known", text("PROXY UNKNOWN\r\n"), undefined],
  ["version 1, something unknown", text("PROXY UNKNOWN ffff:f::1 ffff:f::2 65535 65535\r\n"), undefined],
  ["version 2, IPv4", version2(0x21, 0x11, four), "203.0.113.7"],
  ["version 2, IPv6", version2(0x21, 0x21, six), "2001:db8::7"],
  ["version 2, IPv4 as IPv6", version2(0x21, 0x21, mapped), "203.0.113.7"],
  ["version 2 with more behind the addresses", version2(0x21, 0x11, `${four}0300041234abcd`), "203.0.113.7"],
  ["version 2, the balancer's own look", version2(0x20, 0x00, ""), undefined],
];

const wrong: [string, Buffer][] = [
  ["a TLS handshake", Buffer.from("160301020001", "hex")],
  ["a request", text("GET / HTTP/1.1\r\n\r\n")],
  ["version 1 with another family", text("PROXY TCP4 2001:db8::7 2001:db8::1 5 443\r\n")],
  ["version 1 without ports", text("PROXY TCP4 203.0.113.7 192.0.2.1\r\n")],
  ["version 1 with a word too many", text("PROXY TCP4 203.0.113.7 192.0.2.1 5 443 6\r\n")],
  ["version 1 with no address", text("PROXY TCP4 203.0.113.256 192.0.2.1 5 443\r\n")],
  ["version 1 in small letters", text("proxy TCP4 203.0.113.7 192.0.2.1 5 443\r\n")],
  ["version 1 without an end", text(`PROXY UNKNOWN ${"a".repeat(200)}`)],
  ["version 2 of another version", version2(0x31, 0x11, four)],
  ["version 2 with another command", version2(0x22, 0x11, four)],
  ["version 2 of datagrams", version2(0x21, 0x12, four)],
  ["version 2 of a path", version2(0x21, 0x31, "00".repeat(216))],
  ["version 2 with too little in it", version2(0x21, 0x21, four)],
  ["version 2 without end", version2(0x21, 0x11, "00".repeat(5_000))],
];

describe("readProxyHeader", () => {
  it.each(good)("reads %s", (_name, bytes, address) => {
    expect(readProxyHeader(Buffer.concat([bytes, text("\x16\x03\x01")]))).toEqual({ size: bytes.length, address });
  });

  it.each(good)("waits for all of %s", (_name, bytes) => {
    for (let size = 0; size < bytes.length; size += 1)
      expect([size, readProxyHeader(bytes.subarray(0, size))]).toEqual([size, "incomplete"]);
  });

  it.each(wrong)("refuses %s", (_name, bytes) => {
    expect(readProxyHeader(bytes)).toBe("wrong");
  });

  it("never waits for more than 4,112 bytes, and never throws", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...good),
        fc.uint8Array({ size: "max", maxLength: 4_200 }),
        fc.nat(40),
        (known, noise, at) => {
          const bytes = Buffer.concat([known[1].subarray(0, at), noise]);
          const header = readProxyHeader(bytes);

          expect(header === "incomplete" && bytes.length > 4_112).toBe(false);
          if (typeof header === "object") expect(header.size).toBeLessThanOrEqual(bytes.length);
        },
      ),
    );
  });
});
