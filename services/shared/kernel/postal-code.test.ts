import { postalCodeForm } from "./postal-code";

describe("a postal code", () => {
  it.each([
    ["BR", "01310-100"],
    ["BR", "01310100"],
    ["US", "33131"],
    ["US", "33131-0001"],
    ["GB", "SW1A 1AA"],
    ["GB", "m1 1ae"],
    ["GB", "CR2 6XH"],
    ["IE", "D6W XY00"],
    ["IE", "A65 F4E2"],
    ["CA", "M5X 1A9"],
    ["NL", "1012 AB"],
    ["PL", "00-950"],
    ["DE", "D-10115"],
    ["LT", "LT-01103"],
    ["LV", "LV-1050"],
    ["AZ", "AZ1000"],
    ["AD", "AD500"],
    ["MT", "VLT 1117"],
    ["IN", "400 020"],
    ["TW", "100"],
    ["HK", "anything"],
  ])("of %s may be %s", (country, code) => {
    expect(postalCodeForm(country, code)).toBeUndefined();
  });

  it.each([
    ["BR", "XYZ", "00000-000"],
    ["BR", "0131-100", "00000-000"],
    ["US", "3313", "00000 or 00000-0000"],
    ["CA", "M5X 1AA", "A0A 0A0"],
    ["DE", "1011", "00000"],
    ["DE", "１０１１５", "00000"],
    ["AD", "XX500", "AD000"],
    ["IE", "A65 F4E", "A00 **** or A0A ****"],
  ])("of %s is not %s, but %s", (country, code, form) => {
    expect(postalCodeForm(country, code)).toBe(form);
  });
});
