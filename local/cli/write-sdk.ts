import { readFileSync, writeFileSync } from "node:fs";
import { generatedSources } from "../sdk/sources";

/**
 * `npm run sdk`: writes the parts of the client and its guides that are generated from the route tables, the country schemas and the values
 * of the sandbox; with --check it only compares.
 */
async function main(): Promise<void> {
  const isCheck = process.argv.includes("--check");
  for (const [path, content] of Object.entries(await generatedSources())) {
    if (!isCheck) writeFileSync(path, content);
    else if (readFileSync(path, "utf8") !== content) {
      console.error(`${path} is not what the routes, schemas and sandbox make: make build && npm run sdk`);
      process.exitCode = 1;
    }
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
