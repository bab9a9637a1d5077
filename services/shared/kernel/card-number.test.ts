import fc from "fast-check";
import { holdsCardNumber } from "./card-number";

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
});
