import fs from "node:fs";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";

/**
 * Writes a copy of the whole database, as it is between two transactions, to `copies/<name>.sqlite` of its folder. It appears under its
 * name only when it is complete and on disk; an error is written to `copies/<name>.error`.
 */
export function copyDatabase(db: DatabaseSync, dir: string, name: string): void {
  const folder = path.join(dir, "copies");
  const [part, whole] = [path.join(folder, `${name}.part`), path.join(folder, `${name}.sqlite`)];
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (fs.existsSync(whole)) throw new Error("there is a copy of this name");
    fs.rmSync(part, { force: true });
    db.prepare("VACUUM INTO ?").run(part);
    sync(part);
    fs.renameSync(part, whole);
    sync(folder);
  } catch (error) {
    fs.rmSync(part, { force: true });
    fs.writeFileSync(path.join(folder, `${name}.error`), error instanceof Error ? error.message : String(error));
  }
}

function sync(file: string): void {
  const fd = fs.openSync(file, "r");
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}
