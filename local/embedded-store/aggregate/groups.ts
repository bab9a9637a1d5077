import { Int32 } from "bson";
import { demand } from "../errors";
import { type BsonNumber, type Doc, isDoc, isNumber } from "../values/bson";
import { keyOf } from "../values/keys";
import { equal } from "../values/order";
import { mergeObjects } from "./collections";
import type { Compile, Expression, Known } from "./scope";
import { addUp, average, furthest } from "./totals";

/** Takes one value after the other and returns the total at the end. */
interface Accumulator {
  add(value: unknown): void;
  result(): unknown;
}

/** Keeps one value, which each next one may change. */
function folding(initial: unknown, change: (kept: unknown, value: unknown) => unknown): () => Accumulator {
  return () => {
    let kept = initial;
    return {
      add(value) {
        kept = change(kept, value);
      },
      result: () => kept ?? null,
    };
  };
}

const total = folding(new Int32(0), (sum, value) => (isNumber(sum) ? addUp(sum, value) : sum));

function mean(): Accumulator {
  let sum: BsonNumber = new Int32(0);
  let count = 0;
  return {
    add(value) {
      sum = addUp(sum, value);
      if (isNumber(value)) count += 1;
    },
    result: () => average(sum, count),
  };
}

/** Collects all values, and converts them at the end. */
function collecting(
  accepts: (items: unknown[], value: unknown) => boolean,
  finish = (items: unknown[]): unknown => items,
) {
  return (): Accumulator => {
    const items: unknown[] = [];
    return {
      add(value) {
        if (accepts(items, value)) items.push(value);
      },
      result: () => finish(items),
    };
  };
}

const accumulators: Record<string, () => Accumulator> = {
  $sum: total,
  $count: total,
  $avg: mean,
  $min: folding(null, (best, value) => furthest(best, value, -1)),
  $max: folding(null, (best, value) => furthest(best, value, 1)),
  $first: folding(undefined, (first, value) => (first === undefined ? (value ?? null) : first)),
  $last: folding(null, (_last, value) => value ?? null),
  $push: collecting((_items, value) => value !== undefined),
  $addToSet: collecting((items, value) => value !== undefined && !items.some((item) => equal(item, value))),
  $mergeObjects: collecting(() => true, mergeObjects),
};

interface GroupField {
  name: string;
  make: () => Accumulator;
  value: Expression;
}

function compileField(name: string, body: unknown, known: Known, compile: Compile): GroupField {
  const [operator = ""] = isDoc(body) ? Object.keys(body) : [];
  const make = Object.hasOwn(accumulators, operator) ? accumulators[operator] : undefined;
  demand(make !== undefined && isDoc(body), 15_952, `unknown group operator '${operator}'`);
  demand(!name.includes("."), 40_235, `The field name '${name}' cannot contain '.'`);
  return { name, make, value: operator === "$count" ? () => new Int32(1) : compile(body[operator], known) };
}

/** Compiles `$group`: returns one document per group, in order of first appearance. */
export function compileGroup(spec: unknown, known: Known, compile: Compile) {
  demand(isDoc(spec) && "_id" in spec, 15_955, "a group specification must include an _id");
  const { _id: idSpec, ...others } = spec;
  const idOf = compile(idSpec, known);
  const fields = Object.entries(others).map(([name, body]) => compileField(name, body, known, compile));
  return function* (input: Iterable<Doc>, variables: Readonly<Doc>): Iterable<Doc> {
    const groups = new Map<string, { id: unknown; totals: Accumulator[] }>();
    for (const root of input) {
      const scope = { root, variables };
      const id = idOf(scope);
      // Keys of index entries are equal exactly when the values are, whatever their numeric type.
      const key = keyOf(id).toString("latin1");
      const group = groups.get(key) ?? { id, totals: fields.map(({ make }) => make()) };
      groups.set(key, group);
      fields.forEach(({ value }, at) => {
        group.totals[at]?.add(value(scope));
      });
    }
    for (const { id, totals } of groups.values()) {
      const results = fields.map(({ name }, at) => [name, totals[at]?.result()]);
      yield { _id: id ?? null, ...Object.fromEntries(results) };
    }
  };
}
