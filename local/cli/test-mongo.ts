import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../find-program";
import { chooseStore } from "../local-store";
import { endWith, mongoSuites, runMongoSuites, skip, type Totals } from "../mongo-suites";

/** `make test-mongo`: runs the suites on the replica set that MONGODB_URI names, or on one member of a mongod on PATH. */
async function main(): Promise<Totals> {
  const { MONGODB_URI: configured, PATH = "" } = process.env;
  if (!configured && findProgram("mongod", PATH) === undefined) {
    const why = "there is no MONGODB_URI and no mongod on PATH";
    return skip(`${mongoSuites.join(" and ")} on MongoDB`, why, mongoSuites.length);
  }
  const dir = mkdtempSync(join(tmpdir(), "corridor-mongo-"));
  const store = await chooseStore({ dir, failpoints: true, log: (line) => console.log(line) });
  try {
    return await runMongoSuites(store.uri);
  } finally {
    await store.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

main().then(endWith, (error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
