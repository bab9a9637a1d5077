import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where servers are installed but users often do not look. */
const systemFolders = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin"];

/** The file that runs a program: the first of its name on `path`, else in the folders of the system's servers. */
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
