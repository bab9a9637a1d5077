import { CommandError, demand, notSupported } from "../errors";
import { type Doc, field, isArray, isDoc, isNumber, setField } from "../values/bson";
import { toNumber, toSafeInteger } from "../values/numbers";
import { compileMatch, isOperatorDoc, type MatchContext } from "./match";
import { checkPath } from "./paths";
import { firstMatchingElement } from "./positional";

export type Transform = (doc: Doc) => Doc;

/** The expression compiler is passed in, so that queries and expressions do not import each other. */
export interface ProjectionContext extends MatchContext {
  computed(spec: unknown): (doc: Doc) => unknown;
}

/** Changes one field: gets the present value and the whole document, `undefined` leaves the field out. */
type Leaf = (value: unknown, root: Doc) => unknown;
type Node = Map<string, Node | Leaf>;

const keep: Leaf = (value) => value;
const omit: Leaf = () => undefined;

const isSwitch = (value: unknown): boolean => typeof value === "boolean" || isNumber(value);
const isOn = (value: unknown): boolean => (isNumber(value) ? toNumber(value) !== 0 : value === true);

/** Compiles the projection of a find or of `$project`; `filter` serves the positional operator of find. */
export function compileProjection(spec: Doc, context: ProjectionContext, filter?: Doc): Transform {
  const { _id: id, ...others } = spec;
  const { tree, add, mode } = startTree(context, filter);
  for (const [name, value] of Object.entries(others)) add(name, value);
  const idOff = isSwitch(id) && !isOn(id);
  const including = (mode() ?? (id === undefined || idOff ? "exclude" : "include")) === "include";
  if (idOff && !including) tree.set("_id", omit);
  else if (id !== undefined && !isSwitch(id)) tree.set("_id", computedLeaf(id, context));
  else if (including && !idOff) tree.set("_id", keep);
  return (doc) => applyDoc(doc, tree, including, doc);
}

/** Returns the first names of the kept fields of a projection that keeps only named fields, unchanged. */
export function keptRoots(spec: Doc): ReadonlySet<string> | undefined {
  const { _id: id = true, ...others } = spec;
  const names = Object.entries(others);
  if (names.length === 0 || !isSwitch(id)) return undefined;
  if (!names.every(([name, value]) => isSwitch(value) && isOn(value) && !name.includes("$"))) return undefined;
  return new Set(["_id", ...names.map(([name]) => name.split(".", 1)[0] ?? name)]);
}

const computedLeaf = (spec: unknown, context: ProjectionContext): Leaf => {
  const compute = context.computed(spec);
  return (_value, root) => compute(root);
};

type Mode = "include" | "exclude";

function startTree(context: ProjectionContext, filter: Doc | undefined) {
  const tree: Node = new Map();
  let mode: Mode | undefined;

  function put(wanted: Mode | undefined, name: string, leaf: Leaf): void {
    const isMixed = wanted !== undefined && mode !== undefined && mode !== wanted;
    const code = wanted === "include" ? 31_253 : 31_254;
    demand(
      !isMixed,
      code,
      `Cannot do ${wanted === "include" ? "in" : "ex"}clusion on field ${name} in ${mode} projection`,
    );
    mode = wanted ?? mode;
    const path = checkPath(name);
    let node = tree;
    for (const segment of path.slice(0, -1)) {
      const child = node.get(segment) ?? new Map();
      if (typeof child === "function") throw new CommandError(31_249, `Path collision at ${name}`);
      node.set(segment, child);
      node = child;
    }
    const last = path.at(-1) ?? "";
    demand(!node.has(last), 31_250, `Path collision at ${name}`);
    node.set(last, leaf);
  }

  function add(name: string, spec: unknown): void {
    if (isSwitch(spec) && filter !== undefined && name.endsWith(".$")) {
      const arrayName = name.slice(0, -2);
      put("include", arrayName, positionalLeaf(firstMatchingElement(filter, arrayName, context)));
    } else if (isSwitch(spec)) {
      put(isOn(spec) ? "include" : "exclude", name, isOn(spec) ? keep : omit);
    } else if (isOperatorDoc(spec) && "$slice" in spec && filter !== undefined) {
      put(undefined, name, sliceLeaf(spec["$slice"]));
    } else if (isOperatorDoc(spec) && "$elemMatch" in spec) {
      put("include", name, elemMatchLeaf(spec["$elemMatch"], context));
    } else if (isOperatorDoc(spec) && "$meta" in spec) {
      throw notSupported("$meta");
    } else if (isDoc(spec) && !isOperatorDoc(spec)) {
      demand(Object.keys(spec).length > 0, 51_270, `an empty object is not a valid value for ${name}`);
      for (const inner of Object.keys(spec)) add(`${name}.${inner}`, spec[inner]);
    } else {
      put("include", name, computedLeaf(spec, context));
    }
  }

  return { tree, add, mode: () => mode };
}

/** `including` decides what happens to fields that the tree does not name. */
function applyDoc(doc: Doc, tree: Node, including: boolean, root: Doc): Doc {
  const result: Doc = {};
  for (const name of Object.keys(doc)) {
    const rule = tree.get(name);
    let value: unknown;
    if (rule === undefined) value = including ? undefined : doc[name];
    else value = typeof rule === "function" ? rule(doc[name], root) : applyValue(doc[name], rule, including, root);
    if (value !== undefined) setField(result, name, value);
  }
  for (const [name, rule] of tree) {
    if (field(doc, name) !== undefined) continue;
    const value = typeof rule === "function" ? rule(undefined, root) : newBranch(rule, root);
    if (value !== undefined) setField(result, name, value);
  }
  return result;
}

/** A computed field below a missing document makes that document. */
function newBranch(tree: Node, root: Doc): Doc | undefined {
  const made = applyDoc({}, tree, true, root);
  return Object.keys(made).length === 0 ? undefined : made;
}

function applyValue(value: unknown, tree: Node, including: boolean, root: Doc): unknown {
  if (isDoc(value)) return applyDoc(value, tree, including, root);
  if (!isArray(value)) return including ? undefined : value;
  return value.map((item) => applyValue(item, tree, including, root)).filter((item) => item !== undefined);
}

function sliceLeaf(spec: unknown): Leaf {
  const [first, second] = (isArray(spec) ? spec : [spec]).map(toSafeInteger);
  demand(first !== undefined, "BadValue", "$slice needs a number or [skip, limit]");
  return (value) => {
    if (!isArray(value)) return value;
    if (second === undefined) return first < 0 ? value.slice(first) : value.slice(0, first);
    const start = first < 0 ? Math.max(0, value.length + first) : first;
    return value.slice(start, start + second);
  };
}

function elemMatchLeaf(spec: unknown, context: ProjectionContext): Leaf {
  const match = compileMatch({ items: { $elemMatch: spec } }, context);
  return (value) => {
    const found = isArray(value) ? value.find((item: unknown) => match({ items: [item] })) : undefined;
    return found === undefined ? undefined : [found];
  };
}

/** `{"items.$": 1}` keeps the first element that the filter matched. */
const positionalLeaf =
  (find: (doc: Doc) => number | undefined): Leaf =>
  (value, root) => {
    const index = find(root);
    return isArray(value) && index !== undefined ? [value[index]] : value;
  };
