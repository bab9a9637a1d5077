import { readFileSync, writeFileSync } from "node:fs";
import { generatedSources } from "../sdk/sources";

/** `npm run sdk`: writes what of the client is made from the route tables and the country schemas; with --check it only looks. */
async function main(): Promise<void> {
  const isCheck = process.argv.includes("--check");
  for (const [path, content] of Object.entries(await generatedSources())) {
    if (!isCheck) writeFileSync(path, content);
    else if (readFileSync(path, "utf8") !== content) {
      console.error(`${path} is not what the routes and schemas make: make build && npm run sdk`);
      process.exitCode = 1;
    }
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
