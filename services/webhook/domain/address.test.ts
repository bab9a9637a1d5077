import fc from "fast-check";
import { isReachable } from "./address";

describe("isReachable", () => {
  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.168.1.1",
    "198.19.255.255",
    "203.0.113.9",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:10.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "100::1",
    "fc00::1",
    "fd12::1",
    "fe80::1",
    "fe80::1%eth0",
    "ff02::1",
    "2001:db8::1",
    "2001::1",
    "2002:7f00:1::",
    "localhost",
    "",
  ])("refuses %s", (address) => {
    expect(isReachable(address, "public")).toBe(false);
  });

  it.each(["1.1.1.1", "8.8.8.8", "172.32.0.1", "100.128.0.1", "223.255.255.255", "2606:4700::1111", "2a00::1"])(
    "accepts %s",
    (address) => {
      expect(isReachable(address, "public")).toBe(true);
    },
  );

  it("adds loopback, and nothing else, where it is allowed", () => {
    expect(isReachable("127.0.0.1", "public and loopback")).toBe(true);
    expect(isReachable("127.9.9.9", "public and loopback")).toBe(true);
    expect(isReachable("::1", "public and loopback")).toBe(true);
    expect(isReachable("10.0.0.1", "public and loopback")).toBe(false);
    expect(isReachable("::ffff:127.0.0.1", "public and loopback")).toBe(false);
  });
});

/**
 * Space that is not public, written down here again from the registries of special-purpose addresses (IANA) with the
 * anycast services that receive no webhooks. IPv6 outside 2000::/3 is not public as a whole.
 */
const closedV4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;
const closedV6 = `::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20`;

const v4Number = (text: string): bigint => text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
function v6Number(text: string): bigint {
  const [head = "", tail = ""] = text.split("::").map((half) =>
    half
      .split(":")
      .filter((group) => group !== "")
      .join(":"),
  );
  const [left, right] = [head, tail].map((half) => (half === "" ? [] : half.split(":")));
  const groups = [
    ...(left ?? []),
    ...Array(8 - (left?.length ?? 0) - (right?.length ?? 0)).fill("0"),
    ...(right ?? []),
  ];
  return groups.reduce((sum: bigint, group: string) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

interface Block {
  first: bigint;
  last: bigint;
}
const blocks = (table: string, bits: number, read: (text: string) => bigint): Block[] =>
  table.split(/\s+/).map((cidr) => {
    const [base = "", length = ""] = cidr.split("/");
    const first = read(base);
    return { first, last: first + (1n << BigInt(bits - Number(length))) - 1n };
  });

const v4Text = (number: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 255n).join(".");
const v6Text = (number: bigint): string =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((number >> shift) & 65_535n).toString(16)).join(":");

describe("isReachable and an independent table", () => {
  it.each([
    ["IPv4", 32, blocks(closedV4, 32, v4Number), v4Text],
    ["IPv6", 128, blocks(closedV6, 128, v6Number), v6Text],
  ] as const)("agree on 100,000 addresses of %s, many of them at the ends of blocks", (_name, bits, table, text) => {
    const top = (1n << BigInt(bits)) - 1n;
    const inBounds = (number: bigint): bigint => (number < 0n ? 0n : number > top ? top : number);
    const ends = table.flatMap(({ first, last }) => [first, last]);
    const nearEnd = fc
      .tuple(fc.constantFrom(...ends), fc.bigInt({ min: -3n, max: 3n }))
      .map(([end, step]) => inBounds(end + step));
    const inside = fc
      .tuple(fc.constantFrom(...table), fc.bigInt({ min: 0n, max: top }))
      .map(([{ first, last }, random]) => first + (random % (last - first + 1n)));
    const open = fc
      .bigInt({ min: 0n, max: top })
      .map((number) => (bits === 128 ? (number >> 3n) | (1n << 125n) : number));
    const seen = { closed: 0, open: 0 };

    fc.assert(
      fc.property(fc.oneof(fc.bigInt({ min: 0n, max: top }), nearEnd, inside, open), (number) => {
        const isClosed = table.some(({ first, last }) => number >= first && number <= last);
        seen[isClosed ? "closed" : "open"] += 1;
        return isReachable(text(number), "public") === !isClosed;
      }),
      { numRuns: 100_000, seed: 20_260_101 },
    );

    expect(seen.open).toBeGreaterThan(10_000);
    expect(seen.closed).toBeGreaterThan(10_000);
  });
});
