import { CommandError } from "../errors";
import { makeSorter, parseSort } from "../query/sort";
import { type Doc, isArray, isDoc, typeOf } from "../values/bson";
import { toSafeInteger } from "../values/numbers";
import { compare } from "../values/order";

interface PushOptions {
  items: unknown[];
  position: number | undefined;
  slice: number | undefined;
  order: ((items: unknown[]) => unknown[]) | undefined;
}

/** `$push` with `$each`, `$position`, `$sort` and `$slice`, applied in that order. */
export function compilePush(operand: unknown, path: string): (current: unknown) => unknown {
  const { items, position, slice, order } = parsePush(operand);
  return (current) => {
    if (current !== undefined && !isArray(current)) {
      throw new CommandError("BadValue", `The field '${path}' must be an array but is of type ${typeOf(current)}`);
    }
    const present: unknown[] = current ?? [];
    const at =
      position === undefined ? present.length : position < 0 ? Math.max(0, present.length + position) : position;
    const joined = [...present.slice(0, at), ...items, ...present.slice(at)];
    const ordered = order === undefined ? joined : order(joined);
    if (slice === undefined) return ordered;
    return slice < 0 ? ordered.slice(slice) : ordered.slice(0, slice);
  };
}

function parsePush(operand: unknown): PushOptions {
  if (!isDoc(operand) || !("$each" in operand)) {
    return { items: [operand], position: undefined, slice: undefined, order: undefined };
  }
  const { $each: items, $position: position, $slice: slice, $sort: order, ...others } = operand;
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined) throw new CommandError("BadValue", `Unrecognized clause in $push: ${unknown}`);
  if (!isArray(items)) throw new CommandError("BadValue", "The argument to $each in $push must be an array");
  return {
    items,
    position: integer("$position", position),
    slice: integer("$slice", slice),
    order: order === undefined ? undefined : compileOrder(order),
  };
}

function integer(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const number = toSafeInteger(value);
  if (number === undefined) throw new CommandError("BadValue", `The value for ${name} must be an integer`);
  return number;
}

/** Whole elements sort by value, documents by their fields. */
function compileOrder(spec: unknown): (items: unknown[]) => unknown[] {
  if (!isDoc(spec)) {
    const direction = toSafeInteger(spec);
    if (direction !== 1 && direction !== -1)
      throw new CommandError("BadValue", "The $sort element value must be either 1 or -1");
    return (items) => [...items].sort((left, right) => compare(left, right) * direction);
  }
  const fields = parseSort(spec);
  return (items) => {
    const sorter = makeSorter<unknown>(fields, Number.POSITIVE_INFINITY);
    for (const item of items) sorter.add(docOf(item), item);
    return sorter.sorted();
  };
}

const docOf = (item: unknown): Doc => (isDoc(item) ? item : {});
