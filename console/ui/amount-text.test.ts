import { amountText } from "./amount-text";

describe("amountText", () => {
  it.each([
    ["1204.5", "USD", "1,204.50"],
    ["0", "USD", "0.00"],
    ["1000", "JPY", "1,000"],
    ["1.5", "BHD", "1.500"],
    ["-12345678.9", "EUR", "−12,345,678.90"],
    ["90071992547409931234.01", "USD", "90,071,992,547,409,931,234.01"],
    ["0.123456789", "USD", "0.123456789"],
  ])("writes %s %s as %s, digit for digit", (total, currency, text) => {
    expect(amountText(total, currency)).toBe(text);
  });
});
