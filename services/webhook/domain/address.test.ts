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
