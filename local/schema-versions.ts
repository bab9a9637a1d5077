import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { loadPacks } from "../services/schema/adapters/files/load-packs";
import { presentSchemas } from "../services/schema/domain/present-schemas";

/** Relative to the root of the repository, where tests and make run. */
export const versionsFile = "services/schema/published-versions.json";

/** SHA-256 of every document that was ever published, by `<name>@<version>`. */
export type Versions = Readonly<Record<string, string>>;

/** A present document against what is recorded. */
export interface Comparison {
  /** Versions that are recorded with other content: publishing them would break who holds on to them. */
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

/** Where the version of a document is raised. */
export function sourceOf(key: string): string {
  const [name = ""] = key.replace(/^person\//, "").split("@");
  return /^[A-Z]{3}$/.test(name) ? `services/schema/packs/${name}.json` : `services/schema/domain/${name}-schema.ts`;
}

/** What to do about versions whose content changed; empty when there are none. */
export const adviceOn = (changed: readonly string[]): string[] =>
  changed.map((key) => `${key} is published with other content: raise version in ${sourceOf(key)}`);

/** The recorded versions. Throws when the file holds anything but texts. */
export function readVersions(): Versions {
  const recorded: unknown = JSON.parse(readFileSync(versionsFile, "utf8"));
  if (typeof recorded !== "object" || recorded === null) throw new Error(`${versionsFile} is no object`);
  return Object.fromEntries(
    Object.entries(recorded).map(([key, hash]) => {
      if (typeof hash !== "string") throw new Error(`${versionsFile}: ${key} is not a hash`);
      return [key, hash];
    }),
  );
}

/** The documents that the packs and the code of this tree make. */
export const documentsOfTree = async () => presentSchemas(await loadPacks("services/schema/packs"));
