import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeText, type Rendered, renderMarkdown } from "./render-markdown";

/** The guides in reading order. */
export const guideNames = [
  "first-payout",
  "webhooks",
  "sandbox",
  "errors",
  "reason-codes",
  "testing",
  "going-live",
] as const;

const folder = join(__dirname, "../../docs/guides");

/** Keeps links between guides; other targets exist in the repository only. */
function resolveLink(target: string): string | undefined {
  const [, name, place = ""] = /^(?:\.\/)?([a-z-]+)\.md(#.*)?$/.exec(target) ?? [];
  if (name !== undefined && (guideNames as readonly string[]).includes(name)) return `/docs/guides/${name}${place}`;
  return target.startsWith("#") ? target : undefined;
}

const render = async (name: string): Promise<Rendered> =>
  renderMarkdown(await readFile(join(folder, `${name}.md`), "utf8"), resolveLink);

const readAll = (): Promise<[name: string, guide: Rendered][]> =>
  Promise.all(guideNames.map(async (name): Promise<[string, Rendered]> => [name, await render(name)]));

/** The search field at the top of every page. */
export const navigation = `<nav>
      <a href="/docs">Reference</a>
      ${guideNames.map((name) => `<a href="/docs/guides/${name}">${name.replaceAll("-", " ")}</a>`).join("\n      ")}
      <input id="search" type="search" placeholder="Search guides and operations" aria-label="Search guides and operations">
      <ul id="found" aria-live="polite"></ul>
    </nav>`;

/** Returns the page of a guide. */
export async function guidePage(name: string): Promise<string> {
  const { title, html } = await render(name);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeText(title)}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/guides.css">
  </head>
  <body>
    ${navigation}
    <main>
${html}
    </main>
    <script src="/docs/search.js"></script>
  </body>
</html>
`;
}

/** Script that finds sections of guides, and operations of the reference, as the reader types. It inserts text as text, never as markup. */
export async function searchScript(): Promise<string> {
  const guides = await readAll();
  const sections = guides.flatMap(([name, { title, sections: all }]) =>
    all.map((section) => ({
      at: `/docs/guides/${name}#${section.id}`,
      title: `${title}: ${section.title}`,
      text: section.text,
    })),
  );
  return `const sections = ${JSON.stringify(sections)};
const most = 12;
const [input, list] = ["search", "found"].map((id) => document.getElementById(id));
let operations;

async function readOperations() {
  const { paths } = await (await fetch("/openapi.json")).json();
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { summary, operationId, tags }]) => ({
      at: "/docs#/" + encodeURIComponent(tags[0]) + "/" + operationId,
      title: method.toUpperCase() + " " + path,
      text: summary,
    })),
  );
}

input.addEventListener("input", async () => {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
  operations ??= readOperations();
  const all = [...sections, ...(await operations)];
  const score = ({ title, text }) =>
    words.reduce((sum, word) => {
      if (title.toLowerCase().includes(word)) return sum + 3;
      return text.toLowerCase().includes(word) ? sum + 1 : Number.NEGATIVE_INFINITY;
    }, 0);
  const found = all.map((one) => [score(one), one]).filter(([points]) => points > 0).sort(([a], [b]) => b - a);
  list.replaceChildren(
    ...found.slice(0, words.length === 0 ? 0 : most).map(([, { at, title, text }]) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = at;
      link.textContent = title;
      item.append(link, " " + text.slice(0, 120));
      return item;
    }),
  );
});
`;
}

export const guideStyle = `:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; }
nav { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; padding: .6rem 1rem; border-bottom: 1px solid #8886; }
nav a { text-transform: capitalize; }
nav ul { flex-basis: 100%; margin: 0; padding-left: 1.2rem; font-size: .9em; }
nav ul:empty { display: none; }
nav ul a { text-transform: none; }
input[type="search"] { flex: 1; min-width: 12rem; font: inherit; padding: .2rem .5rem; }
main { max-width: 58rem; margin: 0 auto; padding: 0 1rem 4rem; }
pre { overflow-x: auto; padding: .8rem; border: 1px solid #8886; border-radius: 6px; }
code { font: .9em ui-monospace, monospace; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #8886; padding: .3rem .6rem; text-align: left; vertical-align: top; }
`;
