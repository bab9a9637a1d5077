import fc from "fast-check";

/** A schema of a published document. */
export interface PublishedSchema {
  $ref?: string;
  description?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, PublishedSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | PublishedSchema;
  items?: PublishedSchema;
  oneOf?: readonly PublishedSchema[];
  discriminator?: { propertyName: string; mapping: Readonly<Record<string, string>> };
  enum?: readonly unknown[];
  const?: unknown;
  examples?: readonly unknown[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  uniqueItems?: boolean;
}

/** A value that breaks one rule of its schema, and the field that a refusal has to name. */
export interface Broken {
  value: unknown;
  field: string;
  rule: string;
}

type Members = Readonly<Record<string, unknown>>;
type Place = readonly (string | number)[];

export interface SchemaBodies {
  /** A value that the schema allows; `isFull`: with all its optional members, else with some. */
  valid(schema: PublishedSchema, isFull: boolean): unknown;
  /** The value with each rule of the schema broken once. */
  broken(schema: PublishedSchema, value: unknown): readonly Broken[];
}

const formats: Readonly<Record<string, string>> = {
  uuid: "5d2c7a10-8f3b-4c6e-9a41-7be02d9c1f53",
  date: "1990-04-15",
  "date-time": "2026-02-03T04:05:06Z",
  email: "ada@example.com",
  uri: "https://shop.example/hooks",
};

/** A member that no schema has. */
const stray = "strayMember";

/** Makes values by the schemas of a document, from a seed. */
export function makeSchemaBodies(resolve: (place: string) => PublishedSchema, random: () => number): SchemaBodies {
  const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];
  const follow = (schema: PublishedSchema): PublishedSchema =>
    schema.$ref === undefined ? schema : follow(resolve(schema.$ref));

  function valid(asked: PublishedSchema, isFull: boolean): unknown {
    const schema = follow(asked);
    if (schema.examples !== undefined) return structuredClone(pick(schema.examples));
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return pick(schema.enum);
    if (schema.oneOf !== undefined) return valid(pick(schema.oneOf) ?? {}, isFull);
    switch ([schema.type].flat()[0]) {
      case "object":
        return validObject(schema, isFull);
      case "array":
        return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => valid(schema.items ?? {}, isFull));
      case "string":
        return validText(schema);
      case "integer":
        return schema.minimum ?? 1;
      case "number":
        return Math.max(schema.minimum ?? 0, schema.exclusiveMinimum ?? 0) + 1;
      case "boolean":
        return random() < 0.5;
      default:
        return null;
    }
  }

  function validObject({ properties = {}, required = [] }: PublishedSchema, isFull: boolean): Members {
    const members = Object.entries(properties).filter(([name]) => required.includes(name) || isFull || random() < 0.3);
    return Object.fromEntries(members.map(([name, member]) => [name, valid(member, isFull)]));
  }

  function validText({ format, pattern, minLength = 0, maxLength = 40 }: PublishedSchema): string {
    const byFormat = formats[String(format)];
    if (byFormat !== undefined) return byFormat;
    if (pattern === undefined) return "words".padEnd(minLength, "x").slice(0, maxLength);
    const texts = fc.stringMatching(new RegExp(pattern, "u"), { size: "small" });
    const [text = ""] = fc.sample(
      texts.filter(({ length }) => length >= minLength && length <= maxLength),
      {
        numRuns: 1,
        seed: Math.floor(random() * 2 ** 31),
      },
    );
    return text;
  }

  /** The variant that a value is: by its tag, or the one whose members it has. */
  function variantOf({ oneOf = [], discriminator }: PublishedSchema, value: unknown): PublishedSchema {
    const members = Object(value) as Members;
    const variants = oneOf.map(follow);
    const mapped = discriminator?.mapping[String(members[discriminator.propertyName])];
    if (mapped !== undefined) return resolve(mapped);
    const isMeant = ({ properties = {}, required = [] }: PublishedSchema) =>
      required.every((name) => name in members) && Object.keys(members).every((name) => name in properties);
    return variants.find(isMeant) ?? variants[0] ?? {};
  }

  function broken(asked: PublishedSchema, value: unknown): readonly Broken[] {
    return breaches(asked, value, []).map(({ place, change, field, rule }) => ({
      value: place.length === 0 ? change(value) : changedAt(value, place, change),
      field: field.join(".") || "body",
      rule,
    }));
  }

  interface Breach {
    place: Place;
    change: (value: unknown) => unknown;
    field: Place;
    rule: string;
  }

  function breaches(asked: PublishedSchema, value: unknown, place: Place): readonly Breach[] {
    const schema = follow(asked);
    const at = (rule: string, change: (value: unknown) => unknown, field = place): Breach => ({
      place,
      change,
      field,
      rule,
    });
    const types = [schema.oneOf === undefined ? schema.type : "object"].flat();
    const wrong = [7.5, "x", [], { [stray]: 1 }, true].find((other) => !types.some((type) => isOfType(other, type)));
    const wrongType = types[0] === undefined ? [] : [at("type", () => wrong)];
    if (schema.oneOf !== undefined) {
      const tag = schema.discriminator?.propertyName;
      const unknownTag =
        tag === undefined
          ? []
          : [at("discriminator", (one) => ({ ...(one as object), [tag]: "UNKNOWN" }), [...place, tag])];
      const variant = variantOf(schema, value);
      // Without a member that only one variant has, the body is read as the other variant.
      const isChoice = ({ rule, field }: Breach) =>
        tag === undefined &&
        rule === "required" &&
        field.length === place.length + 1 &&
        !(schema.oneOf ?? []).every((one) => String(field.at(-1)) in (follow(one).properties ?? {}));
      const ofVariant = breaches(variant, value, place).slice(1);
      return [...wrongType, ...unknownTag, ...ofVariant.filter((one) => !isChoice(one))];
    }
    if (Array.isArray(value)) return [...wrongType, ...ofList(schema, value, place, at)];
    if (typeof value === "object" && value !== null)
      return [...wrongType, ...ofObject(schema, value as Members, place, at)];
    return [...wrongType, ...ofValue(schema, value, at)];
  }

  type At = (rule: string, change: (value: unknown) => unknown, field?: Place) => Breach;

  function ofObject(schema: PublishedSchema, value: Members, place: Place, at: At): readonly Breach[] {
    const { properties = {}, required = [], additionalProperties, minProperties = 0 } = schema;
    const without = (name: string) => (one: unknown) =>
      Object.fromEntries(Object.entries(one as object).filter(([member]) => member !== name));
    return [
      ...required.map((name) => at("required", without(name), [...place, name])),
      ...(additionalProperties === false
        ? [at("additionalProperties", (one) => ({ ...(one as object), [stray]: "x" }), [...place, stray])]
        : []),
      ...(minProperties > 0 ? [at("minProperties", () => ({}))] : []),
      ...Object.entries(value).flatMap(([name, member]) =>
        properties[name] === undefined ? [] : breaches(properties[name], member, [...place, name]),
      ),
    ];
  }

  function ofList(schema: PublishedSchema, value: readonly unknown[], place: Place, at: At): readonly Breach[] {
    const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems } = schema;
    const longest = Math.min(maxItems, 1_000);
    return [
      ...(minItems > 0 ? [at("minItems", () => [])] : []),
      ...(longest < 1_000 ? [at("maxItems", () => Array.from({ length: longest + 1 }, () => value[0]))] : []),
      ...(uniqueItems === true && value.length > 0 ? [at("uniqueItems", () => [value[0], value[0]])] : []),
      ...(value.length > 0 ? breaches(items, value[0], [...place, 0]) : []),
    ];
  }

  function ofValue(schema: PublishedSchema, value: unknown, at: At): readonly Breach[] {
    const { minimum, exclusiveMinimum, maximum, minLength = 0, maxLength, pattern, format, type } = schema;
    const listed = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
    if (listed !== undefined) return typeof value === "string" ? [at("enum", () => "NOT_LISTED")] : [];
    if (typeof value === "number") {
      return [
        ...(minimum === undefined ? [] : [at("minimum", () => minimum - 1)]),
        ...(exclusiveMinimum === undefined ? [] : [at("exclusiveMinimum", () => exclusiveMinimum)]),
        ...(maximum === undefined ? [] : [at("maximum", () => maximum + 1)]),
        ...([type].flat().includes("integer") ? [at("integer", () => value + 0.5)] : []),
      ];
    }
    if (typeof value !== "string") return [];
    const form = pattern === undefined ? undefined : new RegExp(pattern, "u");
    const misformed = form && ["?", "", " ", "ä\u0001", "x".repeat(300)].find((text) => !form.test(text));
    return [
      ...(minLength > 0 && form === undefined ? [at("minLength", () => "")] : []),
      ...(maxLength === undefined ? [] : [at("maxLength", () => "x".repeat(maxLength + 1))]),
      ...(misformed === undefined ? [] : [at("pattern", () => misformed)]),
      ...(format === undefined ? [] : [at("format", () => "no such form")]),
    ];
  }

  return { valid, broken };
}

function isOfType(value: unknown, type: string | undefined): boolean {
  switch (type) {
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function changedAt(value: unknown, place: Place, change: (value: unknown) => unknown): unknown {
  const copy = structuredClone(value);
  const last = place.at(-1) ?? "";
  const holder = place.slice(0, -1).reduce<unknown>((inner, name) => Reflect.get(Object(inner) as object, name), copy);
  const holding = Object(holder) as object;
  Reflect.set(holding, last, change(Reflect.get(holding, last)));
  return copy;
}
