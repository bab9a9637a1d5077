import { filesIn, textOf } from "./tree";

/** Tables of controls: what is defended, and the tests that prove it as `file`: "title", "title"; … */
function controls(): { control: string; proof: string }[] {
  const text = textOf("docs/security.md");
  const boundaries = text.slice(text.indexOf("## Boundary by boundary"), text.indexOf("## Missing today"));
  const rows = boundaries.split("\n").filter((line) => line.startsWith("| "));
  return rows
    .map((row) => row.slice(2, -2).split(" | "))
    .map(([control = "", ...proof]) => ({ control, proof: proof.join(" | ") }))
    .filter(({ control }) => control !== "Control" && control !== "---");
}

const one = /`([^`]+\.test\.ts)`: ("[^"]+"(?:, "[^"]+")*)/y;

/** The files and titles that a proof names; undefined when it is not written as one. */
function namedIn(proof: string): { file: string; title: string }[] | undefined {
  const named: { file: string; title: string }[] = [];
  for (let at = 0; at < proof.length; ) {
    one.lastIndex = at;
    const [whole = "", file = "", titles = ""] = one.exec(proof) ?? [];
    if (whole === "") return undefined;
    named.push(...[...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => ({ file, title })));
    at += whole.length;
    if (proof.startsWith("; ", at)) at += 2;
    else if (at < proof.length) return undefined;
  }
  return named;
}

describe("docs/security.md", () => {
  it("names for every control a test that exists, by file and title", () => {
    const known = new Set(filesIn().filter((path) => path.endsWith(".test.ts")));
    const wrong = controls().flatMap(({ control, proof }) => {
      const named = namedIn(proof);
      if (named === undefined || named.length === 0) return [`${control}: no proof as \`file\`: "title"`];
      return named.flatMap(({ file, title }) => {
        if (!known.has(file)) return [`${control}: there is no ${file}`];
        return textOf(file).includes(`"${title}"`) ? [] : [`${control}: ${file} has no test ${title}`];
      });
    });

    expect(controls().length).toBeGreaterThan(45);
    expect(wrong).toEqual([]);
  });

  it("names no file that does not exist", () => {
    const paths = [...textOf("docs/security.md").matchAll(/`((?:test|services|gateway|local|docs)\/[^`]+\.\w+)`/g)];
    const all = new Set(filesIn());
    expect(paths.flatMap(([, path = ""]) => (all.has(path) ? [] : [path]))).toEqual([]);
  });
});
