import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../..");

/** Paths of the tree's files, those that are new and not ignored included, that begin with one of the prefixes. */
export function filesIn(...prefixes: readonly string[]): string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...prefixes], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
  });
  return [...new Set(listed.split("\n"))].filter(
    (path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true,
  );
}

export const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

/** Code of the platform without its tests. */
export const platformCode = (): string[] =>
  filesIn("services", "gateway").filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));

/** `path:line` of every line that a pattern is found in, comments not counted. */
export const placesOf = (pattern: RegExp, paths: readonly string[]): string[] =>
  paths.flatMap((path) =>
    textOf(path)
      .split("\n")
      .flatMap((line, index) => (pattern.test(line.replace(/^\s*(\/\/|\/?\*).*/, "")) ? `${path}:${index + 1}` : [])),
  );

/** Paths that a list of `path:line` names, each once. */
export const pathsOf = (places: readonly string[]): string[] => [
  ...new Set(places.map((place) => place.slice(0, place.lastIndexOf(":")))),
];

/** Contracts of the services. What is common to all of them is served by no service alone. */
export const protoFiles = (): string[] =>
  filesIn("proto/corridor").filter((path) => !path.startsWith("proto/corridor/common/"));
