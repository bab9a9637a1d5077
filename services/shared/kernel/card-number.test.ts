import fc from "fast-check";
import { holdsCardNumber, withoutCardNumbers } from "./card-number";

/** Bytes of the longest body, and what a text of them may cost on a slow machine. */
const [longestBody, mostMs] = [64 * 1024, 1_500];

describe("holdsCardNumber", () => {
  it.each([
    ["4111111111111111", true],
    ["my card is 5555-5555-5555-4444, thanks", true],
    ["3782 822463 10005", true],
    ["6011 1111 1111 1117", true],
    ["4111.1111.1111.1111", true],
    ["2223003122003222", true],
    ["6222021234567890128", true],
    ["id:4111111111111111:x", true],
    ["\uff14111111111111111", true],
    ["\u0664\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661", true],
    ["4111111111111111 12/29", true],
    ["4111111111111111 12/29 123", true],
    ["4111 1111 1111 1111 123", true],
    ["1 4111111111111111", true],
    ["pan-2026-1-4111111111111111", true],
    ["+4111111111111111", true],
    ["+1 4111 1111 1111 1111", true],
    ["4111  1111  1111  1111", true],
    ["4111 - 1111 - 1111 - 1111", true],
    ["4111\u20131111\u20131111\u20131111", true],
    ["4111\u22121111\u22121111\u22121111", true],
    ["4111_1111_1111_1111", true],
    ["4111/1111/1111/1111", true],
    ["4111\u00a01111\u00a01111\u00a01111", true],
    ["4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", true],
    ["41111111-1111-1111-1111-111111111111 4111111111111111", true],
    ["51.82193351651999", false],
    ["0.4111111111111111", false],
    ["1763900000000-0.4111111111111111", false],
    ["+49 411 1111 1111 111", false],
    ["4111111111111112", false],
    ["1700000000000", false],
    ["94111111111111111", false],
    ["12 Hill Road", false],
    ["+4915112345678", false],
    ["41111111-1111-1111-1111-111111111111", false],
    ["DE89370400440532013000", false],
  ])("reads %s as %p", (text, expected) => {
    expect(holdsCardNumber(text)).toBe(expected);
  });

  it("never takes a random id for one", () => {
    fc.assert(fc.property(fc.uuid(), (id) => !holdsCardNumber(id) && !holdsCardNumber(`payment-${id}`)));
  });

  it.each(["4 ", "4-", "4.", "\u0664 "])("takes no long time over a long text of %j", (unit) => {
    const text = unit.repeat(Math.ceil(longestBody / unit.length));
    const before = process.threadCpuUsage();
    holdsCardNumber(text);
    const { user, system } = process.threadCpuUsage(before);

    // Work that grew with the square of the length would take seconds.
    expect((user + system) / 1_000).toBeLessThan(mostMs);
  });
});

describe("withoutCardNumbers", () => {
  it("replaces card numbers, grouped or not, and leaves all else", () => {
    const text =
      '{"pan":"4111111111111111","id":"4111111111111112","n":4111111111111111,"t":"5555_5555-5555 4444, 20261128"}';

    expect(withoutCardNumbers(text)).toBe(
      '{"pan":"[card number]","id":"4111111111111112","n":[card number],"t":"[card number], 20261128"}',
    );
  });

  it("takes a moment for a text of digits and separators", () => {
    const begun = performance.now();
    withoutCardNumbers("4 ".repeat(longestBody / 2));
    expect(performance.now() - begun).toBeLessThan(mostMs);
  });
});
