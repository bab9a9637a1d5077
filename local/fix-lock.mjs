// Adds to package-lock.json every optional platform package that npm left out because the registry it talked to did not
// serve it. Without them `npm ci` refuses the lock file ("Missing ... from lock file"). Run after each dependency change.
import { readFileSync, writeFileSync } from "node:fs";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const platforms = {
  os: ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"],
};
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

let added = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const nested = `${path === "" ? "" : `${path}/`}node_modules/${name}`;
    if (lock.packages[nested] || lock.packages[`node_modules/${name}`]) continue;
    const words = name.split(/[/-]/);
    lock.packages[`node_modules/${name}`] = {
      version: version.replace(/^[~^]/, ""),
      os: platforms.os.filter((os) => words.includes(os)),
      cpu: processors.filter((cpu) => words.includes(cpu)),
      optional: true,
      ...(entry.dev ? { dev: true } : {}),
    };
    for (const key of ["os", "cpu"])
      if (lock.packages[`node_modules/${name}`][key].length === 0) delete lock.packages[`node_modules/${name}`][key];
    added += 1;
  }
  // A lock file must not depend on the registry it was made with.
  delete entry.resolved;
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
console.log(`package-lock.json: ${added} optional platform packages added`);
