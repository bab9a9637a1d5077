import { SaxesParser } from "saxes";

/** An element of a list, without its namespace. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
  children: XmlElement[];
}

/**
 * Reads a document element by element: only elements named in `whole` are kept with their content; for others text and attributes are
 * reported. Throws for a document that is not well-formed or is truncated, so that none is read in part.
 */
export function readXml(
  text: string,
  whole: readonly string[],
  visit: (element: XmlElement) => void,
  told: (name: string, attributes: Readonly<Record<string, string>>, text: string) => void = () => undefined,
): void {
  const parser = new SaxesParser();
  const open: XmlElement[] = [];
  let outside = 0;
  parser.on("error", (error) => {
    throw new Error(`the list is no well-formed XML: ${error.message}`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = {
      name: bare(name),
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [bare(key), value])),
      text: "",
      children: [],
    };
    if (open.length === outside && !whole.includes(element.name)) outside++;
    open.push(element);
  });
  const add = (part: string): void => {
    const last = open.at(-1);
    if (last !== undefined) last.text += part;
  };
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("closetag", () => {
    const element = open.pop();
    if (element === undefined) return;
    element.text = element.text.trim();
    if (open.length < outside) {
      outside--;
      told(element.name, element.attributes, element.text);
    } else if (open.length === outside) visit(element);
    else open.at(-1)?.children.push(element);
  });
  parser.write(text.replace(/^\uFEFF/, "")).close();
}

const bare = (name: string): string => name.slice(name.indexOf(":") + 1);

/** Returns the elements at that path below an element. */
export const below = (element: XmlElement, ...path: readonly string[]): XmlElement[] =>
  path.reduce<XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  );
export const textBelow = (element: XmlElement, ...path: readonly string[]): string =>
  below(element, ...path)[0]?.text ?? "";
