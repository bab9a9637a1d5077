import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { rails } from "../sandbox/rails/rail-facts";

/** Writes where the statements of the sandbox's providers come from; returns the file. */
export function writeStatementPlaces(dir: string, sandboxUrl: string, tokenFile: string): string {
  const kinds = [...Object.keys(rails).map((name) => [name, "rail"]), ["acquirer", "acquirer"], ["debits", "debits"]];
  const places = kinds.map(([provider = "", kind]) => {
    return { provider, kind, form: "pages", url: `${sandboxUrl}/statements/${provider}`, tokenFile };
  });
  const file = join(dir, "statements.json");
  writeFileSync(file, `${JSON.stringify(places, null, 2)}\n`);
  return file;
}
