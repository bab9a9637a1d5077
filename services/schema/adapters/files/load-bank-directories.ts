import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type BankDirectory, parseBankDirectory } from "../../domain/bank-directory";

/** The directories are data and found in the same way as the packs. */
const directories = [join(__dirname, "../../banks"), join(__dirname, "../../../../../services/schema/banks")];

const sourcesFile = "_sources.json";

/** Reads the directory of every country: one file per country, named after it. */
export async function loadBankDirectories(folder = directories.find(existsSync)): Promise<BankDirectory[]> {
  if (folder === undefined) throw new Error("the bank directories are not installed");
  const text = (file: string): Promise<string> => readFile(join(folder, file), "utf8");
  const titles = new Map(Object.entries(JSON.parse(await text(sourcesFile)) as Record<string, string>));
  const files = (await readdir(folder)).filter((file) => file.endsWith(".json") && file !== sourcesFile).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const directory = parseBankDirectory(await text(file), titles, file);
      if (directory.country !== basename(file, ".json"))
        throw new Error(`bank directory ${file} is named after another country`);
      return directory;
    }),
  );
}
