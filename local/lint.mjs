// Runs every static check of the tree, prints their output and exits with 1 if one fails.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Name and command line of each check, in the order in which their failures are easiest to mend. */
export const checks = [
  ["format and fast lint", "biome", "ci", "--error-on-warnings", "."],
  ["types", "tsc", "-p", ".", "--noEmit"],
  ["types of the client, where there is no Node", "tsc", "-p", "sdk", "--noEmit"],
  ["types of the console", "tsc", "-p", "console"],
  ["type-aware lint", "oxlint", "--type-aware", "--deny-warnings"],
  [
    "import boundaries",
    "depcruise",
    "--config",
    ".dependency-cruiser.cjs",
    "services",
    "gateway",
    "sandbox",
    "cluster",
    "local",
    "sdk",
    "cli",
    "console",
    "test",
  ],
  ["dead code", "knip", "--no-config-hints"],
  ["proto format", "buf", "format", "--diff", "--exit-code", "proto"],
  ["proto lint", "buf", "lint"],
  ["proto drift", "node", "local/check-proto.mjs"],
  ["client drift", "node", "dist/local/cli/write-sdk.js", "--check"],
  ["version", "node", "local/write-version.mjs", "--check"],
  ["delivered packages and licences", "node", "local/write-sbom.mjs", "--check"],
  ["chart", "node", "dist/local/cli/check-chart.js"],
];

/** Runs all checks and returns how many passed and failed. */
export function runChecks() {
  let passed = 0;
  for (const [name, command, ...args] of checks) {
    const startedAt = performance.now();
    const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const isGood = status === 0;
    passed += isGood ? 1 : 0;
    console.log(`${isGood ? "ok    " : "FAILED"} ${name}, ${seconds} s`);
    if (!isGood) console.log([stdout, stderr, error?.message].filter(Boolean).join("\n"));
  }
  return { passed, failed: checks.length - passed, skipped: 0 };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = runChecks().failed === 0 ? 0 : 1;
}
