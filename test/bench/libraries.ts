import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, resolve } from "node:path";

/** The packages that a compiled program loads at its start, by themselves and through its own files. */
export function librariesOf(main: string): string[] {
  const seen = new Set<string>();
  const libraries = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/\brequire\("([^"]+)"\)/g)) {
      if (name.startsWith(".")) visit(withExtension(resolve(dirname(file), name)));
      else if (!isBuiltin(name)) libraries.add(name);
    }
  };
  visit(main);
  return [...libraries];
}

const withExtension = (path: string): string => (/\.(js|json)$/.test(path) ? path : `${path}.js`);
