import { type Doc, isArray, isDoc } from "../values/bson";
import { compileMatch, type MatchContext } from "./match";
import { splitPath, valueAt } from "./paths";

/**
 * Finds the index of the first array element that makes a clause of the filter true: what the positional operator `$`
 * stands for. Each clause that touches the array is tried with the array narrowed to one element.
 */
export function firstMatchingElement(
  filter: Doc,
  arrayName: string,
  context: MatchContext,
): (doc: Doc) => number | undefined {
  const clauses = clausesOn(filter, arrayName).map((clause) => compileMatch(clause, context));
  const path = splitPath(arrayName);
  return (doc) => {
    const array = valueAt(doc, path);
    if (!isArray(array)) return undefined;
    for (const matches of clauses) {
      const index = array.findIndex((item: unknown) => matches(narrowed(path, [item])));
      if (index >= 0) return index;
    }
    return undefined;
  };
}

function clausesOn(filter: Doc, arrayName: string): Doc[] {
  return Object.keys(filter).flatMap((name) => {
    const operand = filter[name];
    if (name === "$and" || name === "$or") {
      return isArray(operand) ? operand.filter(isDoc).flatMap((clause) => clausesOn(clause, arrayName)) : [];
    }
    return name === arrayName || name.startsWith(`${arrayName}.`) ? [{ [name]: operand }] : [];
  });
}

function narrowed(path: readonly string[], array: unknown[]): Doc {
  let value: unknown = array;
  for (const segment of [...path].reverse()) value = { [segment]: value };
  return isDoc(value) ? value : {};
}
