import type { DocumentSchema } from "../route";

/** Keywords that only check and type, and that the OpenAPI document leaves out. */
const ownKeywords: ReadonlySet<string> = new Set(["rule", "isA", "chosenBy", "exactDecimal"]);

/** The schemas of a document; each named one appears once. */
export interface Components {
  /** Returns the schema as the document shows it: as a reference if it has a title. */
  refer(schema: DocumentSchema): DocumentSchema;
  /** Returns every schema that was referred to, by its title. */
  schemas(): Readonly<Record<string, DocumentSchema>>;
}

/** Collects the named schemas of a document. Two different schemas of one title are an error. */
export function makeComponents(): Components {
  const byTitle = new Map<string, { text: string; schema: DocumentSchema }>();
  const refer = (schema: DocumentSchema): DocumentSchema => {
    const described = describe(schema, refer);
    const { title } = described;
    if (typeof title !== "string") return described;
    const text = JSON.stringify(described);
    const known = byTitle.get(title);
    if (known !== undefined && known.text !== text) throw new Error(`two schemas have the title ${title}`);
    byTitle.set(title, { text, schema: described });
    return { $ref: placeOf(title) };
  };
  return {
    refer,
    schemas: () => Object.fromEntries([...byTitle].map(([title, { schema }]) => [title, schema])),
  };
}

const placeOf = (title: string): string => `#/components/schemas/${title}`;

type Refer = (schema: DocumentSchema) => DocumentSchema;

function describe(schema: DocumentSchema, refer: Refer): DocumentSchema {
  const own = Object.entries(schema).filter(([keyword]) => !ownKeywords.has(keyword));
  const described = Object.fromEntries(
    own.map(([keyword, value]) => [keyword, describeKeyword(keyword, value, refer)]),
  );
  if (Array.isArray(schema["oneOf"])) return describeVariants(described, schema);
  // More tools understand a list with one value than a constant.
  const { const: only, ...rest } = described;
  return only === undefined ? described : { ...rest, enum: [only] };
}

function describeKeyword(keyword: string, value: unknown, refer: Refer): unknown {
  if (keyword === "properties") {
    const members = Object.entries(value as Record<string, DocumentSchema>);
    return Object.fromEntries(members.map(([name, member]) => [name, refer(member)]));
  }
  if (keyword === "oneOf" || keyword === "anyOf") return (value as readonly DocumentSchema[]).map(refer);
  const isSchema = keyword === "items" || (keyword === "additionalProperties" && typeof value === "object");
  return isSchema ? refer(value as DocumentSchema) : value;
}

/** Tools would treat keywords beside the variants as one more schema to satisfy. */
function describeVariants(described: DocumentSchema, { oneOf, discriminator }: DocumentSchema): DocumentSchema {
  const { type: _type, required: _required, discriminator: _discriminator, ...rest } = described;
  if (discriminator === undefined) return rest;
  const { propertyName, mapping: given } = discriminator as { propertyName: string; mapping?: object };
  if (given !== undefined) return { ...rest, discriminator };
  const variants = oneOf as readonly { title?: string; properties?: Record<string, { const?: unknown }> }[];
  const mapping = Object.fromEntries(
    variants.map(({ title, properties }) => {
      if (title === undefined) throw new Error(`a variant by ${propertyName} has no title`);
      return [String(properties?.[propertyName]?.const), placeOf(title)];
    }),
  );
  return { ...rest, discriminator: { propertyName, mapping } };
}
