import type { DocumentSchema } from "../../gateway/route";
import { declaration, typeOf, type Way } from "./schema-type";

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: DocumentSchema;
}

type Content = Readonly<Record<string, { schema?: DocumentSchema }>>;

interface Operation {
  summary: string;
  tags: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
}

/** The parts of an OpenAPI document that are read. */
export interface ApiDocument {
  info: { version: string };
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  webhooks?: Readonly<Record<string, { post: Operation }>>;
  components: { schemas: Readonly<Record<string, DocumentSchema>> };
}

export const generatedHead = "// Made from the gateway's route tables by `npm run sdk`. Do not edit.\n";

/** Every operation of the document, by method and path. */
export const operationsOf = ({ paths }: ApiDocument): [name: string, operation: Operation][] =>
  Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

export const schemaOf = (content: Content = {}): DocumentSchema | undefined => Object.values(content)[0]?.schema;

export const answerOf = ({ responses }: Operation): DocumentSchema | undefined =>
  schemaOf(Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1].content);

/** The types of a document: its components, its operations and its webhooks. */
export function apiTypes(document: ApiDocument, table = "Api"): string {
  const sent = sentComponents(document);
  const way = (name: string): Way => (sent.has(name) ? "sent" : "told");
  // A webhook's type includes the name of its event, which its schema leaves to the subscription.
  const events = document.webhooks ?? {};
  const own = Object.entries(document.components.schemas).filter(([name]) => !(name in events));
  const components = own.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    generatedHead,
    'import type { Decimal } from "../money.ts";',
    "",
    ...components.map(([name, schema]) => `${declaration(name, schema, way(name))}\n`),
    "/** What each operation takes and answers. */",
    `export interface ${table} {`,
    ...operationsOf(document).map(([name, operation]) => operationRow(name, operation)),
    "}",
    "",
    ...webhookTypes(document),
  ].join("\n");
}

function operationRow(name: string, operation: Operation): string {
  const { requestBody } = operation;
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const body = schemaOf(requestBody?.content);
  const answer = answerOf(operation);
  const isQueryNeeded = query.some(({ required }) => required === true);
  return [
    `  /** ${operation.summary} */`,
    `  ${JSON.stringify(name)}: {`,
    ...(query.length === 0 ? [] : [`    query${isQueryNeeded ? "" : "?"}: ${queryType(query)};`]),
    ...(body === undefined
      ? []
      : [`    body${requestBody?.required === false ? "?" : ""}: ${typeOf(body, "sent", "    ")};`]),
    `    answer: ${answer === undefined ? "undefined" : typeOf(answer, "told", "    ")};`,
    "  };",
  ].join("\n");
}

/** Numbers in a query are texts on the wire: integers are numbers here, amounts are exact. */
function queryType(parameters: readonly Parameter[]): string {
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }]),
  );
  const required = parameters.filter((parameter) => parameter.required === true).map(({ name }) => name);
  return typeOf({ type: "object", properties, required }, "sent", "    ");
}

function webhookTypes({ webhooks = {}, components }: ApiDocument): string[] {
  const events = Object.entries(webhooks).filter(([name]) => name !== "EventBatch");
  if (events.length === 0) return [];
  return [
    ...events.flatMap(([name, { post }]) => {
      const schema = components.schemas[name] ?? {};
      const properties = schema["properties"] as Record<string, DocumentSchema>;
      const event = { type: "string", description: properties["event"]?.["description"], const: name };
      return [
        `/** ${post.summary} */`,
        `export type ${name} = ${typeOf({ ...schema, properties: { ...properties, event } }, "told")};`,
        "",
      ];
    }),
    "/** What a webhook or the feed tells. */",
    `export type WebhookEvent = ${events.map(([name]) => name).join(" | ")};`,
    "",
  ];
}

/** Names of the components that requests use. */
export function sentComponents(document: ApiDocument): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { $ref } = value as DocumentSchema;
    const name = typeof $ref === "string" ? $ref.replace("#/components/schemas/", "") : undefined;
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      walk(document.components.schemas[name]);
    }
    for (const member of Object.values(value)) walk(member);
  };
  for (const [, { requestBody }] of operationsOf(document)) walk(requestBody);
  return found;
}
