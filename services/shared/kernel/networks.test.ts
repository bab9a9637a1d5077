import { isNetwork, makeNetworks } from "./networks";

describe("makeNetworks", () => {
  const networks = makeNetworks(["203.0.113.0/24", "198.51.100.7/32", "2001:db8::/32", "nonsense"]);

  it.each([
    ["203.0.113.1", true],
    ["203.0.114.1", false],
    ["198.51.100.7", true],
    ["198.51.100.8", false],
    ["::ffff:203.0.113.9", true],
    ["::ffff:203.0.112.9", false],
    ["2001:db8:1::1", true],
    ["2001:db9::1", false],
    ["", false],
    ["203.0.113", false],
  ])("knows whether %s is inside: %s", (address, isInside) => {
    expect(networks.includes(address)).toBe(isInside);
  });

  it("holds nothing when there are none", () => {
    expect(makeNetworks([]).includes("127.0.0.1")).toBe(false);
  });
});

describe("isNetwork", () => {
  it.each(["0.0.0.0/0", "10.0.0.0/8", "::/0", "2001:db8::/128"])("takes %s", (text) => {
    expect(isNetwork(text)).toBe(true);
  });

  it.each(["10.0.0.0", "10.0.0.0/33", "10.0.0/8", "::/129", "10.0.0.0/8/8", "10.0.0.0/-1", "", "x/8", "10.0.0.0/"])(
    "refuses %s",
    (text) => {
      expect(isNetwork(text)).toBe(false);
    },
  );
});
