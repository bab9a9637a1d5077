/** A part of a document below one of its headings, for the search. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface Rendered {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
}

/** Returns the target of a document's link; undefined if nothing is served there. */
export type ResolveLink = (target: string) => string | undefined;

interface Block {
  readonly html: string;
  /** Number of lines that it consumed. */
  readonly lines: number;
  readonly heading?: { level: number; text: string };
}

/**
 * Renders the Markdown that our guides use: headings, paragraphs, lists, tables, code, and emphasis, code and links within a line. Text
 * never reaches the page as markup.
 */
export function renderMarkdown(source: string, resolveLink: ResolveLink): Rendered {
  const lines = source.split("\n");
  const html: string[] = [];
  const sections: { id: string; title: string; text: string[] }[] = [];
  for (let at = 0; at < lines.length; ) {
    const block = readBlock(lines.slice(at), resolveLink);
    html.push(block.html);
    if (block.heading !== undefined)
      sections.push({ id: idOf(block.heading.text), title: block.heading.text, text: [] });
    else sections.at(-1)?.text.push(lines.slice(at, at + block.lines).join(" "));
    at += block.lines;
  }
  return {
    title: sections[0]?.title ?? "",
    html: html.filter((one) => one !== "").join("\n"),
    sections: sections.map(({ text, ...section }) => ({ ...section, text: plain(text.join(" ")) })),
  };
}

function readBlock(lines: readonly string[], resolveLink: ResolveLink): Block {
  const [first = ""] = lines;
  const heading = /^(#{1,4}) (.+)$/.exec(first);
  if (first.trim() === "") return { html: "", lines: 1 };
  if (first.startsWith("```")) return readCode(lines);
  if (first.startsWith("|")) return readTable(lines, resolveLink);
  if (/^(- |\d+\. )/.test(first)) return readList(lines, resolveLink);
  if (heading !== null) return readHeading(heading, resolveLink);
  // At least one, so that reading proceeds whatever the line contains.
  const count = Math.max(
    1,
    countWhile(lines, (line) => line.trim() !== "" && !/^(#|```|\||- )/.test(line)),
  );
  return { html: `<p>${inline(lines.slice(0, count).join(" "), resolveLink)}</p>`, lines: count };
}

function readHeading([, marks = "", text = ""]: RegExpExecArray, resolveLink: ResolveLink): Block {
  const level = marks.length;
  const html = `<h${level} id="${idOf(text)}">${inline(text, resolveLink)}</h${level}>`;
  return { html, lines: 1, heading: { level, text: plain(text) } };
}

function readCode([, ...rest]: readonly string[]): Block {
  const count = countWhile(rest, (line) => line !== "```");
  return { html: `<pre><code>${escapeText(rest.slice(0, count).join("\n"))}</code></pre>`, lines: count + 2 };
}

function readTable(lines: readonly string[], resolveLink: ResolveLink): Block {
  const count = countWhile(lines, (line) => line.startsWith("|"));
  const [head = [], , ...rows] = lines.slice(0, count).map((line) =>
    line
      .slice(1, line.lastIndexOf("|"))
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.trim().replaceAll("\\|", "|"), resolveLink)),
  );
  const rowOf = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  const body = rows.map((cells) => rowOf(cells, "td")).join("");
  return { html: `<table><thead>${rowOf(head, "th")}</thead><tbody>${body}</tbody></table>`, lines: count };
}

function readList(lines: readonly string[], resolveLink: ResolveLink): Block {
  const tag = lines[0]?.startsWith("- ") === true ? "ul" : "ol";
  const count = countWhile(lines, (line) => /^(- |\d+\. |\s+\S)/.test(line));
  const items: string[] = [];
  for (const line of lines.slice(0, count)) {
    if (/^(- |\d+\. )/.test(line)) items.push(line.replace(/^(- |\d+\. )/, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return {
    html: `<${tag}>${items.map((item) => `<li>${inline(item, resolveLink)}</li>`).join("")}</${tag}>`,
    lines: count,
  };
}

/** Returns how many lines at the beginning match. */
function countWhile(lines: readonly string[], isIn: (line: string) => boolean): number {
  const end = lines.findIndex((line) => !isIn(line));
  return end === -1 ? lines.length : end;
}

/** Code comes first, since nothing inside it is markup. */
const inline = (text: string, resolveLink: ResolveLink): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith("`") && part.length > 2
        ? `<code>${escapeText(part.slice(1, -1))}</code>`
        : words(part, resolveLink),
    )
    .join("");

const words = (text: string, resolveLink: ResolveLink): string =>
  escapeText(text)
    .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_all, shown: string, target: string) => {
      const place = resolveLink(target);
      return place === undefined ? shown : `<a href="${escapeText(place)}">${shown}</a>`;
    });

const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, "$1")
    .replaceAll(/[`*|]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

const idOf = (title: string): string =>
  plain(title)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

export const escapeText = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => `&#${one.codePointAt(0)};`);
