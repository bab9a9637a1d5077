import { type Doc, isArray, isDoc } from "../values/bson";
import { compileMatch, type MatchContext } from "./match";
import { splitPath, valueAt } from "./paths";

type FindIndex = (doc: Doc) => number | undefined;

/**
 * Finds the index of the first array element that makes a clause of the filter true: the target of the positional operator `$`. Each clause
 * that touches the array is tried with the array narrowed to one element.
 */
export function firstMatchingElement(filter: Doc, arrayName: string, context: MatchContext): FindIndex {
  const clauses = clausesOn(filter, arrayName).map((clause) => compileMatch(clause, context));
  const path = splitPath(arrayName);
  const narrowed = (item: unknown): Doc => {
    const [top = "", ...deeper] = path;
    return { [top]: deeper.reduceRight<unknown>((inner, name) => ({ [name]: inner }), [item]) };
  };
  return (doc) => {
    const array = valueAt(doc, path);
    if (!isArray(array)) return undefined;
    for (const matches of clauses) {
      const index = array.findIndex((item: unknown) => matches(narrowed(item)));
      if (index >= 0) return index;
    }
    return undefined;
  };
}

function clausesOn(filter: Doc, arrayName: string): Doc[] {
  return Object.entries(filter).flatMap(([name, operand]) => {
    if ((name === "$and" || name === "$or") && isArray(operand))
      return operand.filter(isDoc).flatMap((clause) => clausesOn(clause, arrayName));
    return name === arrayName || name.startsWith(`${arrayName}.`) ? [{ [name]: operand }] : [];
  });
}
