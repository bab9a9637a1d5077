import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../..");
const tsc = join(root, "node_modules/.bin/tsc");

/** A folder in which the client was installed from its package. */
export interface SdkPackage {
  dir: string;
  /** Paths of the files that are published. */
  files: string[];
  /** Checks an integrator's program with the strictest compiler settings; returns the compiler's output. */
  compile(text: string): string;
  write(name: string, text: string): string;
  remove(): void;
}

/** Builds the package as `npm pack` would, and installs it in an empty project. */
export function installSdk(): SdkPackage {
  const dir = mkdtempSync(join(tmpdir(), "corridor-sdk-"));
  const home = join(dir, "node_modules/@corridor/sdk");
  mkdirSync(home, { recursive: true });
  execFileSync(tsc, ["-p", join(root, "sdk"), "--outDir", join(home, "dist")], { cwd: root });
  for (const name of ["package.json", "README.md"]) cpSync(join(root, "sdk", name), join(home, name));
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: home,
    encoding: "utf8",
  });
  const [{ files } = { files: [] }] = JSON.parse(packed) as { files: { path: string }[] }[];
  const compilerOptions = {
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    module: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  };
  writeFileSync(join(dir, "package.json"), JSON.stringify({ name: "integrator", private: true, type: "module" }));
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  const write = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  return {
    dir,
    files: files.map(({ path }) => path),
    compile(text) {
      write("program.ts", text);
      const { stdout, stderr } = spawnSync(tsc, ["-p", dir], { encoding: "utf8", cwd: dir });
      return stdout + stderr;
    },
    write,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** Installs the command line there too, as its package has it; returns the program. */
export function installCli({ dir }: Pick<SdkPackage, "dir">): string {
  const home = join(dir, "node_modules/@corridor/cli");
  mkdirSync(home, { recursive: true });
  execFileSync(tsc, ["-p", join(root, "cli"), "--outDir", join(home, "dist")], { cwd: root });
  cpSync(join(root, "cli/package.json"), join(home, "package.json"));
  symlinkSync(join(root, "node_modules/commander"), join(dir, "node_modules/commander"));
  const { bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { bin: { corridor: string } };
  return join(home, bin.corridor);
}

/** Writes the blocks of a document that begin with the name of a file into these files. */
export function writeFiles({ write }: Pick<SdkPackage, "write">, path: string): void {
  for (const block of [...blocksOf(path, "ts"), ...blocksOf(path, "js")]) {
    const [, name] = /^\/\/ ([\w.-]+)\n/.exec(block) ?? [];
    if (name !== undefined) write(name, block);
  }
}

/** The blocks of a document in one language, in order. */
export const blocksOf = (path: string, language: string): string[] =>
  [...readFileSync(join(root, path), "utf8").matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(
    ([, block = ""]) => block,
  );

/** The program of the client's README, block by block. */
export const readmeProgram = (): string => blocksOf("sdk/README.md", "ts").join("\n");
