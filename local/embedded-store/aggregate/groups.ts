import { Int32 } from "bson";
import { CommandError } from "../errors";
import { type BsonNumber, isDoc, isNumber } from "../values/bson";
import { compare, equal } from "../values/order";
import { mergeObjects } from "./objects";
import type { Compile, Expression, Known, Scope } from "./scope";
import { addUp, average } from "./totals";

/** Takes one value after the other and says the total at the end. */
interface Accumulator {
  add(value: unknown): void;
  result(): unknown;
}

function total(): Accumulator {
  let sum: BsonNumber = new Int32(0);
  return {
    add: (value) => {
      if (isNumber(value)) sum = addUp(sum, value);
    },
    result: () => sum,
  };
}

function mean(): Accumulator {
  let sum: BsonNumber = new Int32(0);
  let count = 0;
  return {
    add: (value) => {
      if (!isNumber(value)) return;
      sum = addUp(sum, value);
      count += 1;
    },
    result: () => (count === 0 ? null : average(sum, count)),
  };
}

function extreme(direction: 1 | -1): Accumulator {
  let best: unknown = null;
  return {
    add: (value) => {
      if (value === undefined || value === null) return;
      if (best === null || compare(value, best) * direction > 0) best = value;
    },
    result: () => best,
  };
}

function edge(isFirst: boolean): Accumulator {
  let seen = false;
  let kept: unknown = null;
  return {
    add: (value) => {
      if (!seen || !isFirst) kept = value ?? null;
      seen = true;
    },
    result: () => kept,
  };
}

function collected(unique: boolean): Accumulator {
  const items: unknown[] = [];
  return {
    add: (value) => {
      if (value === undefined || (unique && items.some((item) => equal(item, value)))) return;
      items.push(value);
    },
    result: () => items,
  };
}

function merged(): Accumulator {
  const parts: unknown[] = [];
  return { add: (value) => void parts.push(value), result: () => mergeObjects(parts) };
}

const accumulators: Record<string, () => Accumulator> = {
  $sum: total,
  $avg: mean,
  $min: () => extreme(-1),
  $max: () => extreme(1),
  $first: () => edge(true),
  $last: () => edge(false),
  $push: () => collected(false),
  $addToSet: () => collected(true),
  $mergeObjects: merged,
  $count: total,
};

interface GroupField {
  name: string;
  make: () => Accumulator;
  value: Expression;
}

export interface Grouping {
  id: Expression;
  fields: GroupField[];
}

export function compileGroup(spec: unknown, known: Known, compile: Compile): Grouping {
  if (!isDoc(spec) || !("_id" in spec)) throw new CommandError(15_955, "a group specification must include an _id");
  const fields = Object.keys(spec)
    .filter((name) => name !== "_id")
    .map((name): GroupField => {
      const body = spec[name];
      const [operator = ""] = isDoc(body) ? Object.keys(body) : [];
      const make = Object.hasOwn(accumulators, operator) ? accumulators[operator] : undefined;
      if (make === undefined || !isDoc(body)) throw new CommandError(15_952, `unknown group operator '${operator}'`);
      if (name.includes(".")) throw new CommandError(40_235, `The field name '${name}' cannot contain '.'`);
      const value = operator === "$count" ? () => new Int32(1) : compile(body[operator], known);
      return { name, make, value };
    });
  return { id: compile(spec["_id"], known), fields };
}

/** One group while it fills. */
export interface Group {
  id: unknown;
  totals: Accumulator[];
}

export function startGroup(grouping: Grouping, id: unknown): Group {
  return { id, totals: grouping.fields.map((field) => field.make()) };
}

export function addToGroup(grouping: Grouping, group: Group, scope: Scope): void {
  for (let at = 0; at < grouping.fields.length; at += 1) {
    group.totals[at]?.add(grouping.fields[at]?.value(scope));
  }
}

export function groupResult(grouping: Grouping, group: Group): Record<string, unknown> {
  const entries = grouping.fields.map((field, at): [string, unknown] => [field.name, group.totals[at]?.result()]);
  return { _id: group.id ?? null, ...Object.fromEntries(entries) };
}
