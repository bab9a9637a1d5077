import type { FieldViolation } from "../../services/shared/kernel/errors";
import type { JsonValue } from "../../services/shared/kernel/json";
import type { Decimal } from "../../services/shared/kernel/money";

/**
 * What is left of a request when all that was wrong is taken out of it: any part may be missing, and an
 * element of a list leaves its place empty.
 */
export type Draft<T> = T extends Decimal
  ? T
  : T extends readonly (infer Each)[]
    ? readonly (Draft<Each> | undefined)[]
    : T extends object
      ? { readonly [Name in keyof T]?: Draft<T[Name]> }
      : T;

/** Takes out of a value, in place, everything that a violation names. Elements of a list keep their places. */
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
