import { exactRule } from "./exact-decimal";
import type { ChosenSchema, ObjectSchema, Schema, TaggedSchema } from "./schema";

/** A schema in the form that ajv compiles. */
type Compiled = Record<string, unknown>;

/**
 * Returns the schema in keywords for which ajv reports the caller's mistakes and nothing more: of several variants it checks the one that
 * is meant, never all of them.
 */
export function forValidation(schema: Schema): Compiled {
  if ("discriminator" in schema) return byTag(schema);
  if ("chosenBy" in schema) return byMember(schema);
  if ("items" in schema) return { ...schema, items: forValidation(schema.items) };
  if ("exactDecimal" in schema) {
    const { minimum: _least, exclusiveMinimum: _above, maximum: _most, ...rest } = schema;
    return { ...rest, exactDecimal: exactRule(schema) };
  }
  return schema.type === "object" || Array.isArray(schema.type) ? ofObject(schema as ObjectSchema) : { ...schema };
}

function ofObject(schema: ObjectSchema): Compiled {
  const { properties, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: ofMembers(properties) }),
    ...(typeof additionalProperties === "object" ? { additionalProperties: forValidation(additionalProperties) } : {}),
  };
}

const ofMembers = (properties: Readonly<Record<string, Schema>>): Compiled =>
  Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, forValidation(member)]));

/**
 * A chain of conditions by the tag. It ends in the first variant, so that a missing or unknown tag does not hide other mistakes; there the
 * members of all variants count as known.
 */
function byTag({ discriminator: { propertyName: tag }, oneOf, ...words }: TaggedSchema): Compiled {
  const tags = oneOf.map((variant) => tagOf(variant, tag));
  const [first] = oneOf;
  if (first === undefined) throw new Error("a discriminator needs variants");
  const names = oneOf.flatMap(({ properties = {} }) => Object.keys(properties));
  const judged = ofObject(first);
  const last: Compiled = {
    ...judged,
    properties: {
      ...Object.fromEntries(names.map((name) => [name, true])),
      ...Object(judged["properties"]),
      [tag]: { type: "string", enum: tags },
    },
    required: [...new Set([tag, ...(first.required ?? [])])],
  };
  const chain = oneOf.reduceRight<Compiled>((otherwise, variant, index) => {
    const isMeant = { type: "object", properties: { [tag]: { const: tags[index] } }, required: [tag] };
    return choice(isMeant, ofObject(variant), otherwise);
  }, last);
  return { ...words, ...chain };
}

function tagOf({ properties = {} }: ObjectSchema, name: string): string {
  const tag = properties[name];
  if (tag === undefined || !("const" in tag) || typeof tag.const !== "string") {
    throw new Error(`a variant has no constant ${name}`);
  }
  return tag.const;
}

function byMember({ chosenBy, oneOf: [first, second], ...words }: ChosenSchema): Compiled {
  const isSecond = { type: "object", anyOf: chosenBy.map((name) => ({ required: [name] })) };
  return { ...words, ...choice(isSecond, ofObject(second), ofObject(first)) };
}

const choice = (condition: Compiled, good: Compiled, other: Compiled): Compiled => ({
  if: condition,
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema names it so.
  then: good,
  else: other,
});
