import fc from "fast-check";
import { describeReason, readReasonCode, reasonCodes } from "./reason-codes";

describe("describeReason", () => {
  it.each([
    ["AC04", "pull", "payer"],
    ["AC04", "payout", "recipient"],
    ["AM04", "pull", "payer"],
    ["AM04", "payout", "platform"],
    ["51", "pull", "payer"],
    ["RR04", "payout", "platform"],
  ] as const)("says whose move %s of a %s is: %s", (code, leg, whoseMove) => {
    expect(describeReason({ code, leg })).toEqual({ code, whoseMove, sentence: reasonCodes[code].sentence });
  });

  it("keeps a code that the table does not know, and any other text", () => {
    expect(describeReason({ code: "ZZ99", leg: "payout" })).toMatchObject({ code: "ZZ99", whoseMove: "provider" });
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("pull" as const, "payout" as const), (code, leg) => {
        expect(describeReason({ code, leg })).toEqual({
          code,
          whoseMove: expect.any(String),
          sentence: expect.any(String),
        });
      }),
    );
  });
});

describe("reason codes", () => {
  it("have four characters in ISO 20022 and two in the card schemes, and one sentence each", () => {
    for (const [code, { scheme, sentence }] of Object.entries(reasonCodes)) {
      expect(code).toMatch(scheme === "card" ? /^[A-Z0-9]{2}$/ : /^[A-Z0-9]{4}$/);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
  });

  it.each(["AC03", "05", "N7", "ABC"])("can be %s", (code) => {
    expect(readReasonCode(code)).toBe(code);
  });

  it.each(["", "A", "ac03", "AC03 ", "TOOLONG", "<b>", undefined])("cannot be %j", (code) => {
    expect(readReasonCode(code)).toBeUndefined();
  });
});
