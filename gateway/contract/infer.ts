import type { ExactNumber } from "../../services/shared/kernel/exact-number";
import type { JsonValue } from "../../services/shared/kernel/json";
import type { Decimal } from "../../services/shared/kernel/money";

/** The type of a value that its schema has accepted, as a handler gets it. An exact number is a Decimal: it cannot be used as a float. */
export type Infer<S> = Value<S, "asked">;

/** The type of what a route may answer under its schema. An exact number keeps its own digits; an instant may be a Date. */
export type Answered<S> = Value<S, "told">;

type Side = "asked" | "told";

type Value<S, Way extends Side> = S extends { const: infer Only }
  ? Only
  : S extends { enum: readonly (infer Each)[] }
    ? Each
    : S extends { oneOf: readonly (infer Variant)[] }
      ? EachOf<Variant, Way>
      : S extends { type: infer Type }
        ? Typed<S, Type extends readonly (infer Each)[] ? Each : Type, Way>
        : JsonValue;

type EachOf<Variant, Way extends Side> = Variant extends unknown ? Value<Variant, Way> : never;

/** Distributes over the types that a schema names. */
type Typed<S, Type, Way extends Side> = Type extends "null"
  ? null
  : S extends { exactDecimal: string }
    ? Exact<Way>
    : Type extends "string"
      ? Text<S, Way>
      : Type extends "number" | "integer"
        ? number
        : Type extends "boolean"
          ? boolean
          : Type extends "array"
            ? List<S, Way>
            : Type extends "object"
              ? Members<S, Way>
              : never;

type Exact<Way extends Side> = Way extends "asked" ? Decimal : ExactNumber;

type Text<S, Way extends Side> = Way extends "told"
  ? S extends { format: "date-time" }
    ? string | Date
    : string
  : string;

type List<S, Way extends Side> = S extends { items: infer Item } ? readonly Value<Item, Way>[] : readonly JsonValue[];

type Members<S, Way extends Side> = S extends { properties: infer Properties }
  ? Named<Properties, RequiredOf<S>, Way>
  : S extends { additionalProperties: infer Each extends object }
    ? Readonly<Record<string, Value<Each, Way>>>
    : Readonly<Record<string, JsonValue>>;

type RequiredOf<S> = S extends { required: readonly (infer Name)[] } ? Name : never;

/** The names of members that are always present: required ones, and those with a default. */
type Present<Properties, Required, Way extends Side> = {
  [Name in keyof Properties]: Name extends Required
    ? Name
    : Way extends "told"
      ? never
      : Properties[Name] extends { default: unknown }
        ? Name
        : never;
}[keyof Properties];

type Named<Properties, Required, Way extends Side> = Flat<
  { readonly [Name in Present<Properties, Required, Way>]: Value<Properties[Name], Way> } & {
    readonly [Name in Exclude<keyof Properties, Present<Properties, Required, Way>>]?: Way extends "told"
      ? Value<Properties[Name], Way> | undefined
      : Value<Properties[Name], Way>;
  }
>;

type Flat<T> = { [Name in keyof T]: T[Name] };
