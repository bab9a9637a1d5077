import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { mongo } from "mongoose";

/** The irreplaceable parts of a local platform's folder: the store refills the bus, and providers keep their own books. */
const kept = ["keys", "tls", "credentials.json"];

/**
 * `npm run operator -- backup <folder>`: copies a local platform while it runs. All seven databases are one file of the
 * embedded store, copied between two transactions. Returns the time up to which the copy is complete.
 */
export async function backUp(target: string, env: NodeJS.ProcessEnv = process.env): Promise<Date> {
  const dir = resolve(env["CORRIDOR_DIR"] ?? ".local");
  const folder = resolve(target);
  if (existsSync(folder)) throw new Error(`${folder} is there already; name a new folder`);
  const uri = await readFile(join(dir, "store.uri"), "utf8").catch(() => {
    throw new Error(`no platform runs in ${dir}`);
  });
  const { name, at } = await copyStore(uri);
  const copies = join(dir, "store", "copies");
  const failure = await readFile(join(copies, `${name}.error`), "utf8").catch(() => undefined);
  if (failure !== undefined) throw new Error(`the store could not be copied: ${failure}`);
  await mkdir(join(folder, "store"), { recursive: true, mode: 0o700 });
  const [from, to] = [join(copies, `${name}.sqlite`), join(folder, "store", "store.sqlite")];
  await rename(from, to).catch(async () => {
    // The target is on another disk.
    await cp(from, to);
    await rm(from);
  });
  for (const one of kept) await cp(join(dir, one), join(folder, one), { recursive: true });
  return at;
}

async function copyStore(uri: string): Promise<{ name: string; at: Date }> {
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: 3_000 });
  try {
    const admin = client.db("admin");
    const { modules, localTime } = {
      ...(await admin.command({ buildInfo: 1 })),
      ...(await admin.command({ hello: 1 })),
    };
    const isEmbedded = Array.isArray(modules) && modules.includes("corridor-embedded-store");
    if (!isEmbedded || !(localTime instanceof Date)) {
      throw new Error("backup copies the embedded store only; docs/backup.md describes the backup of MongoDB");
    }
    const name = `backup-${localTime.getTime()}`;
    await admin.command({ corridorCopy: name });
    return { name, at: localTime };
  } finally {
    await client.close();
  }
}
