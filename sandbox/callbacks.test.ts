import { retryDelayMs, signCallback } from "./callbacks";

describe("signCallback", () => {
  it("signs the second and the body with HMAC-SHA256", () => {
    // Made with: printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac key
    expect(signCallback("key", 1_700_000_000, '{"a":1}')).toBe(
      "t=1700000000,v1=a438e398bfafc57e4396bb7fc2304422f0f768e965d073ca313cb52e22e6ad03",
    );
  });
});

describe("retryDelayMs", () => {
  it("grows to two seconds and stays there", () => {
    expect([1, 2, 3, 4, 5, 50].map(retryDelayMs)).toEqual([50, 200, 1_000, 2_000, 2_000, 2_000]);
  });
});
