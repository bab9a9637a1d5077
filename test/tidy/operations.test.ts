import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../..");
/** What operations are made of: each has no caller but those that are named, whose tests prove it. */
const parts: Readonly<Record<string, readonly string[]>> = {
  "check-intent": ["accept-payment", "validate-payment"],
  "choose-rail": ["appraise-payment"],
  "known-tokens": ["add-payout-account", "appraise-payment"],
  "promise-funds": ["funds"],
  "rail-balances": ["funds"],
  "save-reported": ["ask-provider"],
  "limit-card-checks": ["check-card"],
};
const operations = readdirSync(join(root, "services/payment/operations"))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => file.replace(/\.ts$/, ""));

describe("operations of the payment service", () => {
  it.each(operations)("%s has its own test on a real store, between hostile providers", (operation) => {
    for (const test of parts[operation] ?? [operation]) {
      expect(existsSync(join(root, `test/integration/payment/${test}.test.ts`))).toBe(true);
    }
  });

  it("have the parts that are named, and no others", () => {
    expect(Object.keys(parts).filter((part) => !operations.includes(part))).toEqual([]);
  });
});
