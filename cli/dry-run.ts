import { readJson, writeJson } from "../sdk/src/main.ts";
import type { WouldSend } from "./gate.ts";

/** Placeholders for credentials, by the kind of credential of a request. */
const credentials = {
  none: {},
  bearer: { authorization: "Bearer <access token>" },
  person: { authorization: "Bearer <session>" },
  operator: { authorization: "Bearer <operator token>" },
  tenant: { "x-api-key": "<API key>" },
  agent: { "x-api-key": "<API key>", "x-agent-id": "<agent id>", "x-agent-api-key": "<API key of the agent>" },
} as const;

/** Members of bodies that authenticate a person. */
const secretName = /secret|password|api-?key|accountCheckToken/i;

export interface ShownRequest {
  /** For programs; amounts are texts of digits. */
  readonly document: Readonly<Record<string, unknown>>;
  /** The same as a command that sends it, once the values in angle brackets are filled in. */
  readonly curl: string;
}

/** A request that was not sent, without secrets. */
export function showRequest({ operation, url, credential, headers, body }: WouldSend["request"]): ShownRequest {
  const [method = ""] = operation.split(" ");
  const allHeaders: Readonly<Record<string, string>> = { ...credentials[credential], ...headers };
  const document = { method, url, headers: allHeaders };
  const words = [
    `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(allHeaders).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ];
  if (body instanceof FormData) {
    const form = Object.fromEntries([...body].map(([name, part]) => [name, partOf(part)]));
    const parts = Object.entries(form).map(([name, part]) => `-F ${quoted(`${name}=${part}`)}`);
    return { document: { ...document, form }, curl: lines([...words, ...parts]) };
  }
  if (body === undefined) return { document, curl: lines(words) };
  // Requests of operators and to the sandbox are sent as typed; elsewhere amounts are digits on the wire and texts in a program.
  const isExact = credential !== "operator" && credential !== "none";
  const [read, write] = isExact ? [readJson, writeJson] : [JSON.parse, JSON.stringify];
  const redacted = redact(read(body));
  return { document: { ...document, body: redacted }, curl: lines([...words, `-d ${quoted(write(redacted))}`]) };
}

const partOf = (part: string | Blob): string => (typeof part === "string" ? part : `<${part.size} bytes>`);

function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, secretName.test(name) ? "<secret>" : redact(member)]),
  );
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const lines = (words: readonly string[]): string => words.join(" \\\n  ");
