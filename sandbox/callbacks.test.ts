import { countOwed, retryDelayMs, signEvent } from "./callbacks";

describe("signEvent", () => {
  it("signs provider, event, second and body with HMAC-SHA256", () => {
    // Made with: printf 'pix.e1.1700000000.{"a":1}' | openssl dgst -sha256 -hmac key
    expect(signEvent("key", { provider: "pix", eventId: "e1", unixSeconds: 1_700_000_000, body: '{"a":1}' })).toBe(
      "t=1700000000,id=e1,v1=cf317520f749746a5e93ae8118242751d7af3d4d114e17b1391b67a0f8dfab55",
    );
  });
});

describe("retryDelayMs", () => {
  it("grows to two seconds and stays there", () => {
    expect([1, 2, 3, 4, 5, 50].map(retryDelayMs)).toEqual([50, 200, 1_000, 2_000, 2_000, 2_000]);
  });
});

describe("countOwed", () => {
  it("counts as refused each callback refused ten times, and those behind it", () => {
    const of = (provider: string, reference: string, attempts: number) => ({ provider, reference, attempts });
    const undelivered = [of("pix", "a", 10), of("pix", "a", 0), of("pix", "b", 9), of("upi", "a", 0)];

    expect(countOwed(undelivered)).toEqual({ undelivered: 4, refused: 2 });
    expect(countOwed([])).toEqual({ undelivered: 0, refused: 0 });
  });
});
