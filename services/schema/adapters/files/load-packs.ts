import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type CorridorPack, parseCorridorPack } from "../../domain/corridor-pack";

/** Packs are data and stay in the source tree; compiled code runs from dist/services/schema. */
const directories = [join(__dirname, "../../packs"), join(__dirname, "../../../../../services/schema/packs")];

/** Reads every pack: one file per country, named after it. */
export async function loadPacks(directory = directories.find(existsSync)): Promise<CorridorPack[]> {
  if (directory === undefined) throw new Error("the corridor packs are not installed");
  const files = (await readdir(directory)).filter((file) => file.endsWith(".json")).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const pack = parseCorridorPack(await readFile(join(directory, file), "utf8"), file);
      if (pack.country !== basename(file, ".json"))
        throw new Error(`corridor pack ${file} is named after another country`);
      return pack;
    }),
  );
}
