import { CommandError, notSupported } from "../errors";
import { type Doc, field, isArray, isDoc, isNumber, setField } from "../values/bson";
import { toNumber, toSafeInteger } from "../values/numbers";
import { compileMatch, isOperatorDoc, type MatchContext } from "./match";
import { checkPath } from "./paths";
import { firstMatchingElement } from "./positional";

export type Transform = (doc: Doc) => Doc;

/** Expressions are handed in, so that queries and expressions do not import each other. */
export interface ProjectionContext extends MatchContext {
  computed(spec: unknown): (doc: Doc) => unknown;
}

/** Changes one field: gets the present value and the whole document, `undefined` leaves the field out. */
type Leaf = (value: unknown, root: Doc) => unknown;
type Node = Map<string, Node | Leaf>;

interface Plan {
  tree: Node;
  mode: "include" | "exclude" | undefined;
}

const keep: Leaf = (value) => value;
const omit: Leaf = () => undefined;

/** Compiles the projection of a find or of `$project`; `filter` serves the positional operator of find. */
export function compileProjection(spec: Doc, context: ProjectionContext, filter?: Doc): Transform {
  const plan: Plan = { tree: new Map(), mode: undefined };
  for (const name of Object.keys(spec)) if (name !== "_id") addSpec(plan, name, spec[name], context, filter);
  const id = spec["_id"];
  const idOff = id !== undefined && isSwitch(id) && !isOn(id);
  if (id !== undefined && plan.mode === undefined) plan.mode = idOff ? "exclude" : "include";
  const including = plan.mode === "include";
  if (idOff) {
    if (!including) plan.tree.set("_id", omit);
  } else if (including || (id !== undefined && !isSwitch(id))) {
    plan.tree.set("_id", id === undefined || isSwitch(id) ? keep : computedLeaf(id, context));
  }
  const { tree } = plan;
  return (doc) => applyDoc(doc, tree, including, doc);
}

const computedLeaf = (spec: unknown, context: ProjectionContext): Leaf => {
  const compute = context.computed(spec);
  return (_value, root) => compute(root);
};

const isSwitch = (value: unknown): boolean => typeof value === "boolean" || isNumber(value);
const isOn = (value: unknown): boolean => (isNumber(value) ? toNumber(value) !== 0 : value === true);

function addSpec(plan: Plan, name: string, spec: unknown, context: ProjectionContext, filter: Doc | undefined): void {
  if (isSwitch(spec)) {
    const mode = isOn(spec) ? "include" : "exclude";
    if (filter !== undefined && name.endsWith(".$")) {
      addPositional(plan, name, filter, context);
      return;
    }
    setMode(plan, mode, name);
    put(plan.tree, name, mode === "include" ? keep : omit);
  } else if (isOperatorDoc(spec) && "$slice" in spec && filter !== undefined) {
    put(plan.tree, name, sliceLeaf(spec["$slice"]));
  } else if (isOperatorDoc(spec) && "$elemMatch" in spec) {
    setMode(plan, "include", name);
    put(plan.tree, name, elemMatchLeaf(spec["$elemMatch"], context));
  } else if (isOperatorDoc(spec) && "$meta" in spec) {
    throw notSupported("$meta");
  } else if (isDoc(spec) && !isOperatorDoc(spec)) {
    if (Object.keys(spec).length === 0)
      throw new CommandError(51_270, `an empty object is not a valid value for ${name}`);
    for (const inner of Object.keys(spec)) addSpec(plan, `${name}.${inner}`, spec[inner], context, filter);
  } else {
    setMode(plan, "include", name);
    put(plan.tree, name, computedLeaf(spec, context));
  }
}

function setMode(plan: Plan, mode: "include" | "exclude", name: string): void {
  if (plan.mode !== undefined && plan.mode !== mode) {
    const [code, wrong] = mode === "include" ? [31_253, "inclusion"] : [31_254, "exclusion"];
    const present = plan.mode === "include" ? "inclusion" : "exclusion";
    throw new CommandError(code, `Cannot do ${wrong} on field ${name} in ${present} projection`);
  }
  plan.mode = mode;
}

function put(tree: Node, name: string, leaf: Leaf): void {
  const path = checkPath(name);
  let node = tree;
  for (const segment of path.slice(0, -1)) {
    const child = node.get(segment) ?? new Map();
    if (typeof child === "function") throw new CommandError(31_249, `Path collision at ${name}`);
    node.set(segment, child);
    node = child;
  }
  const last = path.at(-1) ?? "";
  if (node.has(last)) throw new CommandError(31_250, `Path collision at ${name}`);
  node.set(last, leaf);
}

/** `including` decides what happens to fields that the tree does not name. */
function applyDoc(doc: Doc, tree: Node, including: boolean, root: Doc): Doc {
  const result: Doc = {};
  for (const name of Object.keys(doc)) {
    const rule = tree.get(name);
    if (rule === undefined) {
      if (!including) setField(result, name, doc[name]);
      continue;
    }
    const value = typeof rule === "function" ? rule(doc[name], root) : applyValue(doc[name], rule, including, root);
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
  if (first === undefined) throw new CommandError("BadValue", "$slice needs a number or [skip, limit]");
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
    if (!isArray(value)) return undefined;
    const found = value.find((item: unknown) => match({ items: [item] }));
    return found === undefined ? undefined : [found];
  };
}

/** `{"items.$": 1}` keeps the first element that the filter matched. */
function addPositional(plan: Plan, name: string, filter: Doc, context: MatchContext): void {
  setMode(plan, "include", name);
  const arrayName = name.slice(0, -2);
  const find = firstMatchingElement(filter, arrayName, context);
  put(plan.tree, arrayName, (value, root) => {
    const index = find(root);
    return isArray(value) && index !== undefined ? [value[index]] : value;
  });
}
