import { endpointUrlViolations } from "./endpoint-url";

const messages = (url: string, ports: Parameters<typeof endpointUrlViolations>[1] = "443 or 8443"): string[] =>
  endpointUrlViolations(url, ports).map(({ message }) => message);

describe("endpointUrlViolations", () => {
  it.each(["https://example.com/hook", "https://example.com:443/hook?a=b", "https://example.com:8443/"])(
    "accepts %s",
    (url) => {
      expect(messages(url)).toEqual([]);
    },
  );

  it.each([
    ["http://example.com/", "must begin with https://"],
    ["ftp://example.com:8443/", "must begin with https://"],
    ["https://user@example.com/", "must not carry user information"],
    ["https://:secret@example.com/", "must not carry user information"],
    ["https://example.com/#part", "must not have a fragment"],
    ["https://example.com/#", "must not have a fragment"],
    ["https://example.com:22/", "must have port 443 or 8443"],
    ["https://example.com:9000/", "must have port 443 or 8443"],
    ["https://", "must be a URL"],
    ["example.com/hook", "must be a URL"],
    ["https:example.com", "must begin with https://"],
    ["https:/example.com/", "must begin with https://"],
    ["https:///example.com/", "must begin with https://"],
    ["https:\\\\example.com\\hook", "must be a URL"],
    [" https://example.com/", "must be a URL"],
    ["https://exam\nple.com/", "must be a URL"],
    ["https://example.com/\u0000", "must be a URL"],
    ["", "is required and must be a string"],
  ])("refuses %s", (url, message) => {
    expect(messages(url)).toEqual([message]);
  });

  it("accepts 2,048 characters and refuses 2,049", () => {
    const base = "https://example.com/";

    expect(messages(base.padEnd(2_048, "a"))).toEqual([]);
    expect(messages(base.padEnd(2_049, "a"))).toEqual(["must be at most 2048 characters long"]);
  });

  it("accepts high ports only where they are allowed", () => {
    expect(messages("https://127.0.0.1:9000/", "443, 8443 or above 1023")).toEqual([]);
    expect(messages("https://127.0.0.1:1023/", "443, 8443 or above 1023")).toHaveLength(1);
  });

  it("reports all broken rules at once", () => {
    expect(messages("http://user@example.com:22/#x")).toHaveLength(4);
  });
});
