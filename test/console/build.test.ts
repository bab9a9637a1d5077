import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const folder = join(__dirname, "../../dist/console");
const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");
const page = textOf("index.html");
const kilobytes = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0) / 1_000;

describe("what browsers get", () => {
  const scripts = globSync("**/*.js", { cwd: folder });

  it("is at most 130 kB before the first page shows", () => {
    const first = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name = ""]) => name);

    expect(first.length).toBeGreaterThan(1);
    expect(kilobytes(first)).toBeLessThanOrEqual(130);
  });

  it("is at most 40 kB for each further part", () => {
    const further = scripts.filter((name) => !page.includes(name));

    expect(further.length).toBeGreaterThan(10);
    expect(further.filter((name) => kilobytes([name]) > 40)).toEqual([]);
  });

  it("has nothing inline, nothing of another origin, and makes no code of texts", () => {
    expect(page).not.toMatch(/<script(?![^>]*src=)|<style|style=|https?:/);
    expect(scripts.filter((name) => /\beval\(|new Function\(/.test(textOf(name)))).toEqual([]);
  });
});
