import { makeOpenApi, operatorWords } from "../../gateway/openapi";
import { eventNames } from "../../services/webhook/domain/event-names";
import { uncalledOperatorTable, uncalledTable } from "../support/declared-access";

/** Unions of the published documents: how a reader, and a generator of clients, tells the variants of each apart. */

interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  enum?: readonly unknown[];
  additionalProperties?: unknown;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  allOf?: unknown;
  discriminator?: { propertyName: string; mapping?: Readonly<Record<string, string>> };
}

interface Document {
  components: { schemas: Readonly<Record<string, Schema>> };
}

interface Union {
  name: string;
  schema: Schema;
  variants: readonly Schema[];
}

const plain = (document: object) => JSON.parse(JSON.stringify(document)) as Document;

/** Unions whose bodies have no member that says which variant they are: a member that only one variant has decides. */
const byMember: Readonly<Record<string, string>> = {
  AnySender: "customer",
  AnySourcedSender: "customer",
  AnyPullSender: "source",
  AnyRecipient: "destination",
  CardCheck: "paymentId",
  VerificationRequest: "documentId",
};

/** A delivery repeats the name of its event as the subscription spells it, so that no value of `event` is certain. */
const asSpelled = "EventBatch/events/items";

function unionsOf({ components }: Document): readonly Union[] {
  const unions: Union[] = [];
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const walk = (part: unknown, place: readonly string[]): void => {
    if (typeof part !== "object" || part === null) return;
    const schema = part as Schema;
    const variants = (schema.oneOf ?? schema.anyOf)?.map(resolve);
    if (variants !== undefined) unions.push({ name: place.join("/"), schema, variants });
    for (const [key, inner] of Object.entries(part)) walk(inner, key === "properties" ? place : [...place, key]);
  };
  for (const [name, schema] of Object.entries(components.schemas)) walk(schema, [name]);
  return unions;
}

/** The only value that a variant allows for a member that it requires. */
function constantOf({ properties = {}, required = [] }: Schema, member: string): unknown {
  const values = properties[member]?.enum ?? [];
  return required.includes(member) && values.length === 1 ? values[0] : undefined;
}

/** Members whose value says which variant a body is. */
function tagsOf(variants: readonly Schema[]): readonly string[] {
  const members = Object.keys(variants[0]?.properties ?? {});
  return members.filter((member) => {
    const values = variants.map((variant) => constantOf(variant, member));
    return !values.includes(undefined) && new Set(values).size === variants.length;
  });
}

const documents = [plain(makeOpenApi(uncalledTable)), plain(makeOpenApi(uncalledOperatorTable, operatorWords))];

/** The unions of both documents; those that both have once. */
const unions = [
  ...new Map(
    documents.flatMap(unionsOf).map((union) => [`${union.name} ${JSON.stringify(union.schema)}`, union]),
  ).values(),
];
const tagged = unions.filter(({ schema }) => schema.discriminator !== undefined);
const untagged = unions.filter(({ schema, name }) => schema.discriminator === undefined && name !== asSpelled);
const rowsOf = (some: readonly Union[]) => some.map((union) => [union.name, union] as const);

describe("the unions of the published documents", () => {
  it("are components or parts of components, and no schema is an intersection", () => {
    const outside = documents.map((document) => JSON.stringify({ ...document, components: undefined }));

    expect(unions.length).toBeGreaterThanOrEqual(17);
    expect(outside.filter((text) => /"(?:oneOf|anyOf)":/.test(text))).toEqual([]);
    expect(documents.filter((document) => JSON.stringify(document).includes('"allOf":'))).toEqual([]);
  });

  it("consist of named objects", () => {
    const isNamed = ({ title, type }: Schema) => title !== undefined && type === "object";

    expect(unions.filter(({ variants }) => !variants.every(isNamed)).map(({ name }) => name)).toEqual([]);
  });

  it.each(rowsOf(tagged))(
    "map each value of the tag of %s to the variant that has it",
    (_name, { schema, variants }) => {
      const { propertyName: tag = "", mapping = {} } = schema.discriminator ?? {};
      const mapped = Object.entries(mapping).map(([value, place]) => [value, place.split("/").at(-1)]);
      // The feed spells the name of an event as the title of its schema.
      const named = ({ title = "", required = [] }: Schema) => (required.includes(tag) ? title : undefined);
      const tagValue = (variant: Schema) => (tag === "event" ? named(variant) : constantOf(variant, tag));

      expect(mapped).toEqual(variants.map((variant) => [tagValue(variant), variant.title]));
    },
  );

  it("have a discriminator wherever a member of their variants can be one", () => {
    const others = unions.filter(({ schema }) => schema.discriminator === undefined);

    expect(others.filter(({ variants }) => tagsOf(variants).length > 0).map(({ name }) => name)).toEqual([]);
    expect(others.map(({ name }) => name).toSorted()).toEqual([...Object.keys(byMember), asSpelled].toSorted());
  });

  it.each(rowsOf(untagged))("say by which member the variants of %s are told apart", (name, { schema, variants }) => {
    const member = byMember[name] ?? "";
    const [without, having] = variants;

    expect(variants.length).toBe(2);
    expect(having?.required).toContain(member);
    expect(Object.keys(without?.properties ?? {})).not.toContain(member);
    expect(schema.description).toContain(`\`${member}\``);
    expect(schema.description).toContain(`a ${having?.title}`);
    expect(schema.description).toContain(`else a ${without?.title}`);
  });

  it.each(rowsOf(untagged.filter(({ name }) => name !== "CardCheck")))(
    "allow no body of a request that is both variants of %s",
    (_name, { variants }) => {
      expect(variants.map(({ additionalProperties }) => additionalProperties)).toEqual([false, false]);
    },
  );

  it("name every event in the discriminator of the feed", () => {
    const [feed] = unions.filter(({ name }) => name.startsWith("FeedEvent"));

    expect(Object.keys(feed?.schema.discriminator?.mapping ?? {})).toEqual([...eventNames, "WebhookTest"]);
  });
});
