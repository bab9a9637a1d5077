import { strongEtag } from "./etag";
import type { SchemaDocument } from "./json-schema";

/** A name with every version published under it. */
export interface PublishedSchema {
  name: string;
  title: string;
  version: string;
  etag: string;
  /** Oldest first. */
  versions: string[];
}

/** The current documents by name, each with every known version. */
export function publishedSchemas(
  present: readonly SchemaDocument[],
  known: readonly Pick<SchemaDocument, "name" | "version">[],
): PublishedSchema[] {
  const published = present.map(({ name, version, bytes }) => ({
    name,
    title: titleOf(bytes),
    version,
    etag: strongEtag(bytes),
    versions: known
      .filter((other) => other.name === name)
      .map((other) => other.version)
      .toSorted(byVersion),
  }));
  return published.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function titleOf(bytes: Buffer): string {
  const title: unknown = Object(JSON.parse(bytes.toString()))["title"];
  return typeof title === "string" ? title : "";
}

/** Orders versions such as `1.2.3` by number, not by letter. */
function byVersion(a: string, b: string): number {
  const [ours, theirs] = [a, b].map((version) => version.split(".").map((part) => Number.parseInt(part, 10)));
  for (const [index, part] of (ours ?? []).entries()) {
    const difference = part - (theirs?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
