import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TitledManifest } from "./kinds";
import { parseManifests } from "./manifest";

const folder = "k8s";

/** Hand-written manifests for the cluster around a release, each with its file. */
export const handWritten = (): TitledManifest[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .flatMap((name) => {
      const title = join(folder, name);
      return parseManifests(readFileSync(title, "utf8")).map((object) => ({ object, title }));
    });
