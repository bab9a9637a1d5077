import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { loadPacks } from "../services/schema/adapters/files/load-packs";
import { presentSchemas } from "../services/schema/domain/present-schemas";

/** Relative to the root of the repository, where tests and make run. */
export const versionsFile = "services/schema/published-versions.json";

/** SHA-256 of every published document, by `<name>@<version>`. */
export type Versions = Readonly<Record<string, string>>;

/** Current documents compared with the recorded ones. */
export interface Comparison {
  /** Versions recorded with other content: publishing them would break clients that pin them. */
  changed: string[];
  /** Versions that are not recorded yet. */
  added: Versions;
}

/** Compares documents with the recorded versions. */
export function compareVersions(
  recorded: Versions,
  documents: readonly { name: string; version: string; bytes: Buffer }[],
): Comparison {
  const present = documents.map(({ name, version, bytes }): [string, string] => [
    `${name}@${version}`,
    createHash("sha256").update(bytes).digest("hex"),
  ]);
  return {
    changed: present.flatMap(([key, hash]) => (hash === (recorded[key] ?? hash) ? [] : [key])),
    added: Object.fromEntries(present.filter(([key]) => recorded[key] === undefined)),
  };
}

/** The file that sets a document's version. */
export function sourceOf(key: string): string {
  const [name = ""] = key.replace(/^person\//, "").split("@");
  return /^[A-Z]{3}$/.test(name) ? `services/schema/packs/${name}.json` : `services/schema/domain/${name}-schema.ts`;
}

/** Returns advice on versions with changed content; empty when there are none. */
export const adviceOn = (changed: readonly string[]): string[] =>
  changed.map((key) => `${key} is published with other content: raise version in ${sourceOf(key)}`);

/** Reads the recorded versions. Throws when the file contains anything but texts. */
export function readVersions(): Versions {
  const recorded: unknown = JSON.parse(readFileSync(versionsFile, "utf8"));
  if (typeof recorded !== "object" || recorded === null) throw new Error(`${versionsFile} is not an object`);
  return Object.fromEntries(
    Object.entries(recorded).map(([key, hash]) => {
      if (typeof hash !== "string") throw new Error(`${versionsFile}: ${key} is not a hash`);
      return [key, hash];
    }),
  );
}

/** The documents built from the packs and the code of this tree. */
export const documentsOfTree = async () => presentSchemas(await loadPacks("services/schema/packs"));
