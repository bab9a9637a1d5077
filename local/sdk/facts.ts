import currencies from "currency-codes";
import { oauthError, publicErrors } from "../../gateway/render-error";
import type { BodyKind, DocumentSchema, Route } from "../../gateway/route";
import { assetDigits, otherAssets } from "../../services/shared/kernel/assets";
import type { ErrorReason } from "../../services/shared/kernel/errors";
import { type ApiDocument, answerOf, generatedHead, operationsOf, schemaOf } from "./api-types";

/** Objects with members of the caller's own: their content is ignored. */
const ownMembers = ["additionalData", "additionalInfo", "metadata"];

const bodyWords: Record<BodyKind, string> = {
  none: "",
  json: "json",
  optionalJson: "json",
  form: "form",
  bytes: "",
  file: "file",
};

/** Makes the client's run-time facts: how each operation is called, which members are exact, and the digits of currencies. */
export function factsOf(routes: readonly Route[], document: ApiDocument): string {
  const { exact, whole } = numbersOf(document);
  for (const name of exact) {
    const place = whole.get(name);
    if (place !== undefined) throw new Error(`${name} is exact, but not in ${place}`);
  }
  return [
    generatedHead,
    ...operationTable("operations", routes, document),
    "",
    "/** Members that are exact numbers: texts of digits here, numbers on the wire. */",
    `export const exactMembers: ReadonlySet<string> = new Set(${JSON.stringify([...exact].toSorted())});`,
    "",
    "/** Members whose content is the caller's own. */",
    `export const ownMembers: ReadonlySet<string> = new Set(${JSON.stringify(ownMembers)});`,
    "",
    "/** Currencies and other assets by their number of decimals. */",
    `export const digitsOfAssets: Readonly<Record<number, string>> = ${JSON.stringify(codesByDigits())};`,
    "",
    "/** Codes of refusals. */",
    `export type ErrorCode =\n  | ${errorCodes()
      .map((code) => JSON.stringify(code))
      .join("\n  | ")};`,
    "",
  ].join("\n");
}

/** Makes a constant with the facts of each operation. */
export function operationTable(constant: string, routes: readonly Route[], document: ApiDocument): string[] {
  const rows = operationsOf(document).flatMap(([name, operation]) => {
    const route = routes.find(({ method, path }) => `${method} ${path}` === name);
    if (route === undefined || isForOthers(route)) return [];
    const { "x-repeat": repeat } = operation as unknown as Record<string, string>;
    const isOpen = answerOf(operation)?.["type"] === "object" && answerOf(operation)?.["properties"] === undefined;
    const facts = [route.scheme, repeat, bodyWords[route.body], isOpen ? "open" : mediaOf(route)];
    return [`  ${JSON.stringify(name)}: ${JSON.stringify(facts.filter(Boolean).join(" "))},`];
  });
  return [
    "/** Which credential an operation takes, whether it may be sent again, its body, and what answers it. */",
    `export const ${constant} = {`,
    ...rows,
    "} as const;",
  ];
}

/** Routes for providers' callbacks and for pages, which clients do not call. */
const isForOthers = ({ proof, path }: Route): boolean => proof === "signature" || path.startsWith("/docs");

const mediaOf = ({ success }: Route): string =>
  success.mediaType === undefined || success.mediaType.includes("json") ? "" : "bytes";

/** Names of all numbers that are not integers, and the places where such a name means something else. */
export function numbersOf(document: ApiDocument): { exact: Set<string>; whole: Map<string, string> } {
  const exact = new Set<string>();
  const whole = new Map<string, string>();
  const look = (schema: DocumentSchema | undefined, place: string): void => {
    if (schema === undefined) return;
    for (const [name, member] of Object.entries((schema["properties"] ?? {}) as Record<string, DocumentSchema>)) {
      const types = [member["type"]].flat();
      if (types.includes("number")) exact.add(name);
      else if (types.includes("integer") || types.includes("string")) whole.set(name, place);
      if (!ownMembers.includes(name)) look(member, `${place}.${name}`);
    }
    for (const one of [schema["items"], ...((schema["oneOf"] ?? []) as DocumentSchema[])]) {
      look(one as DocumentSchema | undefined, place);
    }
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) look(schema, name);
  for (const [name, operation] of operationsOf(document)) {
    look(schemaOf(operation.requestBody?.content), name);
    look(answerOf(operation), name);
  }
  for (const { post } of Object.values(document.webhooks ?? {})) look(schemaOf(post.requestBody?.content), "webhook");
  return { exact, whole };
}

function codesByDigits(): Record<number, string> {
  const byDigits = new Map<number, string[]>();
  const codes = new Set([...currencies.codes(), ...otherAssets.keys()]);
  for (const code of [...codes].toSorted()) {
    const digits = assetDigits(code);
    if (digits !== undefined) byDigits.set(digits, [...(byDigits.get(digits) ?? []), code]);
  }
  return Object.fromEntries([...byDigits].map(([digits, codes]) => [digits, codes.join(" ")]));
}

function errorCodes(): string[] {
  const reasons = Object.keys(publicErrors) as ErrorReason[];
  const oauth = reasons.map((reason) => oauthError(reason).error);
  return [...new Set([...reasons.map((reason) => publicErrors[reason].code), ...oauth])].toSorted();
}
