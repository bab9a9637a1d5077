import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../../..");

/** Processes with the document that has the tables of their settings. */
const documents: readonly (readonly [title: string, path: string])[] = [
  ["Every process", "docs/settings.md"],
  ["gateway", "gateway/README.md"],
  ...["auth", "schema", "fx", "payment", "wallet", "identity", "webhook"].map((name): [string, string] => [
    name,
    `services/${name}/README.md`,
  ]),
  ["sandbox", "sandbox/README.md"],
];

/** True for the lines of a table of variables. */
const isOfSettings = ([head = "", , first = ""]: readonly string[]): boolean =>
  /^\| (Variable|Key)\b/.test(head) && /^\| `[A-Z][A-Z0-9_]{3,}`/.test(first);

/** All settings on one page: the tables of variables of every process, from its own document. */
export function settingsPage(): string {
  const parts = documents.map(([title, path]) => {
    const tables = tablesIn(readFileSync(join(root, path), "utf8"));
    return `## ${title}\n\nFrom [${path}](../${path}), which says more.\n\n${tables.length === 0 ? "Nothing beside those." : tables.join("\n\n")}\n`;
  });
  return `${introduction}\n${parts.join("\n")}`;
}

/** Tables of variables, without padding. */
const tablesIn = (text: string): string[] =>
  text
    .split(/\n(?!\|)/)
    .map((part) => part.slice(part.startsWith("|") ? 0 : part.indexOf("\n|") + 1))
    .filter((part) => isOfSettings(part.split("\n")))
    .map((part) =>
      part
        .trim()
        .split("\n")
        .map((line) => line.replaceAll(/ {2,}/g, " ").replaceAll(/-{4,}/g, "---"))
        .join("\n"),
    );

const introduction = `# All settings on one page

Every environment variable that a process reads, made from the documents of the processes by \`npm run sdk\`; a test compares those with what
the processes really read, and \`make lint\` this page with them. How the settings of a chart become these is in
[charts/corridor](../charts/corridor/README.md); the variables of the command line are in [cli](../cli/README.md).
`;
