// Fails when proto/gen is not what the proto files generate, or when a contract breaks callers of the last release.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const root = process.cwd();
const kept = mkdtempSync(join(tmpdir(), "corridor-proto-"));

const run = (command, ...args) => spawnSync(command, args, { encoding: "utf8", cwd: root });
const files = (dir) =>
  readdirSync(dir, { recursive: true })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile());

/** Path and content of all generated files. The image holds no time or place, so it compares too. */
const contents = (dir) =>
  new Map(files(dir).map((path) => [relative(dir, path), readFileSync(path).toString("base64")]));

const problems = [];
cpSync("proto/gen", kept, { recursive: true });
try {
  const generated = run("npm", "run", "--silent", "proto");
  if (generated.status !== 0) problems.push(generated.stderr || generated.stdout);
  const [before, after] = [contents(kept), contents("proto/gen")];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(path) !== after.get(path))
      problems.push(`proto/gen/${path} is not what the proto files generate: run make proto`);
  }
} finally {
  // A check leaves the tree as it was.
  rmSync("proto/gen", { recursive: true });
  cpSync(kept, "proto/gen", { recursive: true });
  rmSync(kept, { recursive: true });
}

/** Upgrades are promised from the release after this one on: this one has not been installed anywhere. */
const unpromised = "v0.1.0";
const describe = ["describe", "--tags", "--abbrev=0", "--match", "v*", "--exclude", unpromised];
const base = run("git", ...describe).stdout.trim();
if (base !== "") {
  const image = spawnSync("git", ["show", `${base}:proto/gen/image.binpb`], { maxBuffer: 64 * 1024 * 1024 }).stdout;
  const breaking = spawnSync("buf", ["breaking", "--against", "-#format=binpb"], { input: image, encoding: "utf8" });
  if (breaking.status !== 0) problems.push(breaking.stdout || breaking.stderr);
}

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
}
