// Copies the version of package.json to every other place that states it; with --check it only compares.
import { readFileSync, writeFileSync } from "node:fs";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const number = String.raw`\d+\.\d+\.\d+(?:-[\w.]+)?`;
const image = new RegExp(`(?<=corridor:)${number}`, "g");
const places = [
  ["charts/corridor/Chart.yaml", new RegExp(`(?<=^(?:version: |appVersion: "))${number}`, "gm")],
  ["gateway/openapi.ts", new RegExp(`(?<=^ +version: ")${number}`, "gm")],
  ["sdk/package.json", new RegExp(`(?<=^  "version": ")${number}`, "gm")],
  ["cli/package.json", new RegExp(`(?<=^  "version": ")${number}`, "gm")],
  ["compose.yaml", image],
  ["k8s/README.md", image],
  ["local/containers/README.md", image],
];
const isCheck = process.argv.includes("--check");
for (const [file, pattern] of places) {
  const text = readFileSync(file, "utf8");
  const found = text.match(pattern) ?? [];
  if (found.length === 0) throw new Error(`${file} has no version`);
  if (found.every((one) => one === version)) continue;
  if (!isCheck) writeFileSync(file, text.replace(pattern, version));
  else {
    console.error(`${file} names ${found.join(", ")} where package.json has ${version}: node local/write-version.mjs`);
    process.exitCode = 1;
  }
}
