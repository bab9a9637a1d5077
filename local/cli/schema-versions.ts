import { writeFileSync } from "node:fs";
import { adviceOn, compareVersions, documentsOfTree, readVersions, versionsFile } from "../schema-versions";

/** `make schema-versions`: records new versions of schemas. Writes nothing if a recorded one would change. */
async function main(): Promise<void> {
  const recorded = readVersions();
  const { changed, added } = compareVersions(recorded, await documentsOfTree());
  if (changed.length > 0) throw new Error(adviceOn(changed).join("\n"));
  const all = Object.entries({ ...recorded, ...added }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(versionsFile, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
  console.log(`${versionsFile}: ${Object.keys(added).length} new of ${all.length}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
