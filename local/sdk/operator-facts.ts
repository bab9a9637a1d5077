import type { DocumentSchema, Route } from "../../gateway/route";
import { type ApiDocument, generatedHead, operationsOf, type Parameter, schemaOf, sentComponents } from "./api-types";
import { numbersOf, operationTable } from "./facts";

/** Makes the run-time facts of the operators' client. Amounts that operators send are texts, so only answers are read exactly. */
export function operatorFacts(routes: readonly Route[], document: ApiDocument): string {
  requireTextsAlone(document);
  const { exact } = numbersOf(document);
  return [
    generatedHead,
    ...operationTable("operatorOperations", routes, document),
    "",
    "/** Members of answers that are exact numbers on the wire, and texts of digits here. */",
    `export const operatorExactMembers: ReadonlySet<string> = new Set(${JSON.stringify([...exact].toSorted())});`,
    "",
  ].join("\n");
}

/** Fails if operators would send a number that is not an integer: the client writes what it is given. */
function requireTextsAlone(document: ApiDocument): void {
  const sent = Object.fromEntries(
    [...sentComponents(document)].map((name) => [name, document.components.schemas[name]]),
  );
  const bodies = operationsOf(document).map(([, { requestBody }]) => schemaOf(requestBody?.content));
  if (JSON.stringify([sent, bodies]).includes('"type":"number"'))
    throw new Error("an operator's body has an exact number");
}

/** Every route with its input, for a command line that has a command for each. */
export function operatorRows(document: ApiDocument): string {
  const rows = operationsOf(document).map(([name, { summary, tags, parameters = [], requestBody }]) => {
    const query = parameters.filter((parameter) => parameter.in === "query").map(described);
    const members = membersOf(schemaOf(requestBody?.content), document);
    return `  ${JSON.stringify({ name, tag: tags[0] ?? "", does: summary, query, members })},`;
  });
  return [
    generatedHead,
    "/** A route of the operator API, for people who look for one. */",
    "export interface OperatorRoute {",
    "  /** Method and path. */",
    "  readonly name: string;",
    "  readonly tag: string;",
    "  readonly does: string;",
    "  readonly query: readonly OperatorMember[];",
    "  /** Members of its body. */",
    "  readonly members: readonly OperatorMember[];",
    "}",
    "",
    "export interface OperatorMember {",
    "  readonly name: string;",
    "  readonly does: string;",
    "  readonly isRequired: boolean;",
    "}",
    "",
    "export const operatorRoutes: readonly OperatorRoute[] = [",
    ...rows,
    "];",
    "",
  ].join("\n");
}

interface Member {
  name: string;
  does: string;
  isRequired: boolean;
}

const wordsOf = ({ description }: DocumentSchema): string => (typeof description === "string" ? description : "");

const described = ({ name, required, description, schema }: Parameter): Member => ({
  name,
  does: description ?? wordsOf(schema),
  isRequired: required === true,
});

/** Returns the members of a body, or of all its variants if it has any. */
function membersOf(schema: DocumentSchema | undefined, document: ApiDocument): Member[] {
  if (schema === undefined) return [];
  const { $ref, oneOf } = schema;
  const named =
    typeof $ref === "string" ? document.components.schemas[$ref.replace("#/components/schemas/", "")] : schema;
  if (named !== schema) return membersOf(named, document);
  const variants = Array.isArray(oneOf) ? (oneOf as DocumentSchema[]).map((one) => membersOf(one, document)) : [];
  const all = variants.flat();
  if (all.length > 0) {
    const isInEach = (name: string): boolean =>
      variants.every((one) => one.some((member) => member.name === name && member.isRequired));
    return [...new Map(all.map((member) => [member.name, { ...member, isRequired: isInEach(member.name) }])).values()];
  }
  const required = (schema["required"] ?? []) as readonly string[];
  return Object.entries((schema["properties"] ?? {}) as Record<string, DocumentSchema>).map(([name, member]) => ({
    name,
    does: wordsOf(member),
    isRequired: required.includes(name),
  }));
}
