// Completes package-lock.json after each dependency change. Requests entries without integrity again, so that they get one where
// the registry serves the package. npm leaves out packages that the registry does not serve, and `npm ci` then refuses the lock
// file ("Missing ... from lock file"): these optional platform packages are added by name, version and platform alone.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const read = () => JSON.parse(readFileSync("package-lock.json", "utf8"));
const write = (lock) => writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);

const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = [
  "arm64",
  "arm",
  "ia32",
  "loong64",
  "mips64el",
  "ppc64",
  "ppc64le",
  "riscv64",
  "s390x",
  "universal",
  "wasm32",
  "x64",
];

/** The platform in a package's name. A package of an unknown platform is never installed. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const isMusl = words.some((word) => word.startsWith("musl"));
  const some = (list) => (list.length > 0 ? list : undefined);
  return {
    os: some(systems.filter((os) => words.includes(os))),
    cpu: words.includes("armv7") ? ["arm"] : some(processors.filter((cpu) => words.includes(cpu))),
    libc: words.includes("linux") && isMusl ? ["musl"] : undefined,
  };
}

function askAgain() {
  const lock = read();
  for (const [path, { integrity }] of Object.entries(lock.packages)) {
    if (path !== "" && integrity === undefined) delete lock.packages[path];
  }
  write(lock);
  const args = ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", args, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`npm ended with ${status}`);
}

askAgain();
const lock = read();
let added = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const nested = `${path === "" ? "" : `${path}/`}node_modules/${name}`;
    if (lock.packages[nested] || lock.packages[`node_modules/${name}`]) continue;
    const { os, cpu, libc } = platformOf(name);
    // In npm's own order, so that npm does not reorder it next time.
    lock.packages[`node_modules/${name}`] = {
      version: version.replace(/^[~^]/, ""),
      cpu,
      dev: entry.dev,
      libc,
      optional: true,
      os,
    };
    added += 1;
  }
  // A lock file must not depend on the registry that it was made with.
  delete entry.resolved;
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
write(lock);
console.log(
  `package-lock.json: ${added} optional platform packages have no integrity, since the registry does not serve them`,
);
