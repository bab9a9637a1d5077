import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";

const { isLong } = createRequire(import.meta.url)("../test/support/long-first.js");

const written = "test/.grouped";
const filesOfGroup = 8;

/**
 * Writes the tests of services as files that each run several files of one folder after each other. To load a service and what it
 * imports, and to run all that for the first time, takes longer than most files take with it. Long files stay alone: they begin first.
 */
export function groupTests() {
  rmSync(written, { recursive: true, force: true });
  const files = globSync("test/{integration,contract}/**/*.test.ts").sort();
  const folders = Map.groupBy(
    files.filter((file) => !isLong(`/${file}`)),
    (file) => dirname(file),
  );
  for (const file of files.filter((one) => isLong(`/${one}`))) writeGroup(file, [file]);
  for (const [folder, members] of folders) {
    const count = Math.ceil(members.length / filesOfGroup);
    for (let index = 0; index < count; index++) {
      const group = members.filter((_, place) => place % count === index);
      writeGroup(`${folder}/group-${index + 1}.test.ts`, group);
    }
  }
}

function writeGroup(name, files) {
  const target = join(written, relative("test", name));
  const lines = files.map((file) => {
    const path = relative(dirname(target), join(dirname(file), basename(file, ".ts")));
    return `describe(${JSON.stringify(file)}, () => {\n  require(${JSON.stringify(path)});\n});\n`;
  });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, lines.join("\n"));
}
