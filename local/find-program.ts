import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Folders of servers that are often not on a user's PATH. */
const systemFolders = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin"];

/** Path of a program: the first of its name on `path`, or in the system's server folders. */
export function findProgram(name: string, path: string): string | undefined {
  const folders = [...path.split(delimiter), ...systemFolders].filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
