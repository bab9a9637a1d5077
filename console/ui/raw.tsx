import { writeJson } from "../../sdk/src/json";
import { text } from "../text/text";
import { CopyButton } from "./id";

/** A record as the API sends it; a text as it is. */
export function Raw({ title, value }: { readonly title: string; readonly value: unknown }) {
  const shown = typeof value === "string" ? value : pretty(value);
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <CopyButton value={shown} label={text.id.copy(title)} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <pre className="raw" tabIndex={0}>
        {shown}
      </pre>
    </section>
  );
}

/** Digits stay as they arrived: they are written without being parsed again. */
function pretty(value: unknown): string {
  let depth = 0;
  let isText = false;
  let out = "";
  const compact = writeJson(value);
  for (let at = 0; at < compact.length; at += 1) {
    const char = compact.charAt(at);
    if (char === '"' && compact.charAt(at - 1) !== "\\") isText = !isText;
    if (isText) out += char;
    else if (char === "{" || char === "[") {
      const isNothing = compact.charAt(at + 1) === (char === "{" ? "}" : "]");
      depth += isNothing ? 0 : 1;
      out += isNothing ? char : `${char}\n${"  ".repeat(depth)}`;
    } else if (char === "}" || char === "]") {
      const isNothing = /[{[]/.test(compact.charAt(at - 1));
      depth -= isNothing ? 0 : 1;
      out += isNothing ? char : `\n${"  ".repeat(depth)}${char}`;
    } else if (char === ",") out += `,\n${"  ".repeat(depth)}`;
    else out += char === ":" ? ": " : char;
  }
  return out;
}
