import type { Path } from "../query/paths";
import { type Doc, field, isArray, isDoc, setField } from "../values/bson";

/**
 * Writes at the path of a pipeline stage: creates missing documents, enters arrays element by element, and removes on
 * `undefined`. Updates have stricter rules of their own.
 */
export function writePath(doc: Doc, path: Path, value: unknown): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    if (value === undefined) delete doc[name];
    else setField(doc, name, value);
    return;
  }
  const child = field(doc, name);
  if (isArray(child)) {
    for (const item of child) if (isDoc(item)) writePath(item, rest, value);
  } else if (isDoc(child)) {
    writePath(child, rest, value);
  } else if (value !== undefined) {
    const made: Doc = {};
    writePath(made, rest, value);
    setField(doc, name, made);
  }
}
