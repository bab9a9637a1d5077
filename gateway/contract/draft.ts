import type { FieldViolation } from "../../services/shared/kernel/errors";
import type { JsonValue } from "../../services/shared/kernel/json";
import type { Decimal } from "../../services/shared/kernel/money";

/**
 * A request without its invalid members: any part may be missing, and a removed element of a list leaves its place empty.
 */
export type Draft<T> = T extends Decimal
  ? T
  : T extends readonly (infer Each)[]
    ? readonly (Draft<Each> | undefined)[]
    : T extends object
      ? { readonly [Name in keyof T]?: Draft<T[Name]> }
      : T;

/** Removes from a value, in place, everything that a violation names. Elements of a list keep their places. */
export function prune(value: JsonValue, violations: readonly FieldViolation[]): JsonValue {
  for (const { field } of violations) {
    if (field === "body") return {};
    const names = field.split(".");
    const name = names.pop() ?? "";
    const holder = names.reduce<unknown>((place, step) => Object(place)[step], value);
    if (Array.isArray(holder)) holder[Number.parseInt(name, 10)] = undefined;
    else if (typeof holder === "object" && holder !== null) Reflect.deleteProperty(holder, name);
  }
  return value;
}
