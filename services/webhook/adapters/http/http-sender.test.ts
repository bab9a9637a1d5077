import { retryAfterMs } from "./http-sender";

const now = new Date("2026-01-01T00:00:00Z");

describe("retryAfterMs", () => {
  it("reads seconds and dates, and nothing else", () => {
    expect(retryAfterMs("120", now)).toBe(120_000);
    expect(retryAfterMs("Thu, 01 Jan 2026 00:01:00 GMT", now)).toBe(60_000);
    expect(retryAfterMs("Thu, 01 Jan 2020 00:01:00 GMT", now)).toBe(0);
    expect(retryAfterMs("soon", now)).toBeUndefined();
    expect(retryAfterMs(["1", "2"], now)).toBeUndefined();
    expect(retryAfterMs(undefined, now)).toBeUndefined();
  });
});
