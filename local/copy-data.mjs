// Copies the data files that the compiled code reads beside itself.
import { cpSync, globSync } from "node:fs";
import { join } from "node:path";

const data = [
  "proto/gen/image.binpb",
  // The gateway serves them.
  ...globSync("docs/guides/*.md"),
  ...globSync("services/*/{packs,banks,data}/**/*"),
  ...globSync("{services/*,sandbox}/*.json"),
  // Mark the compiled client and command line as ES modules.
  ...globSync("{sdk,cli}/package.json"),
];
for (const path of data) cpSync(path, join("dist", path), { recursive: true });
