/**
 * JSON Schemas of requests and answers: the parts of draft 2020-12 that our contracts need. One such object checks the request, types the
 * handler and describes the route in the OpenAPI document, so that the three cannot differ. Write them as constants with `as const
 * satisfies Schema`; `Infer` derives the type.
 *
 * Beside the standard's keywords there are five of ours. `isA` requires a value that one of our lists or parsers knows. `rule` says in
 * plain words what a refused value must be. `exactDecimal` makes a number exact. `discriminator` (as OpenAPI has it) chooses a variant of
 * `oneOf` by a tag; `chosenBy` chooses the second of two variants when one of the named members is present.
 */
export type Schema =
  | TextSchema
  | NumberSchema
  | FlagSchema
  | ListSchema
  | ObjectSchema
  | TaggedSchema
  | ChosenSchema
  | AnySchema;

/** The schema of a whole body: an object, or one of several. */
export type BodySchema = ObjectSchema | TaggedSchema | ChosenSchema;

interface Words {
  /** What the value means, for readers of the document. */
  readonly description: string;
  /** Name of its component in the document. */
  readonly title?: string;
  readonly examples?: readonly unknown[];
  /** What a refused value must be, as a sentence without its subject: "must be two capital letters". */
  readonly rule?: string;
}

type OrNull<T extends string> = T | readonly [T, "null"];

export interface TextSchema extends Words {
  readonly type: OrNull<"string">;
  readonly enum?: readonly (string | null)[];
  readonly const?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly isA?: "currency" | "instant" | "instantInQuery" | "ipAddress" | "alpha2" | "alpha3";
  readonly format?: "date" | "date-time" | "uuid" | "email" | "uri";
  /** Describes bytes. */
  readonly contentMediaType?: string;
  readonly default?: string;
}

export interface NumberSchema extends Words {
  /** A number that may also be sent as a text must be exact. */
  readonly type: OrNull<"number"> | OrNull<"integer"> | readonly ["number", "string"];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  /**
   * The digits are read from the text: `currency` allows no more decimals than the currency beside it has, `float` up to 17 significant
   * digits, since callers multiply floats, and `plain` leaves the digits to the upstream service. Signs and exponents are refused.
   */
  readonly exactDecimal?: "currency" | "float" | "plain";
  readonly default?: number;
}

export interface FlagSchema extends Words {
  readonly type: OrNull<"boolean">;
  readonly const?: boolean;
  readonly default?: boolean;
}

export interface ListSchema extends Words {
  readonly type: OrNull<"array">;
  readonly items: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly default?: readonly [];
}

export interface ObjectSchema extends Words {
  readonly type: OrNull<"object">;
  /** Absent: the caller names the members. */
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** False: a member that is not named is refused. A schema: further members must satisfy it. */
  readonly additionalProperties?: boolean | Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
}

/** One of several objects; the member that `discriminator` names says which. */
export interface TaggedSchema extends Words {
  readonly type: "object";
  readonly discriminator: { readonly propertyName: string };
  readonly oneOf: readonly ObjectSchema[];
}

/** The second of two objects when it has one of the members `chosenBy`, else the first. */
export interface ChosenSchema extends Words {
  readonly type: "object";
  readonly chosenBy: readonly string[];
  readonly oneOf: readonly [ObjectSchema, ObjectSchema];
}

/** Any JSON value. */
export interface AnySchema extends Words {
  readonly type?: never;
}
