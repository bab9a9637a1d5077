import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../..");
const operations = readdirSync(join(root, "services/payment/operations"))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => file.replace(/\.ts$/, ""));

describe("operations of the payment service", () => {
  it.each(operations)("%s has its own test on a real store, between hostile providers", (operation) => {
    expect(existsSync(join(root, `test/integration/payment/${operation}.test.ts`))).toBe(true);
  });
});
