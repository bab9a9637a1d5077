import type { Refusal } from "./errors.ts";
import { readJson } from "./json.ts";

/** The outcome of sending a request once. */
export type Attempt =
  | { readonly kind: "answer"; readonly status: number; readonly headers: Headers; readonly body: unknown }
  | { readonly kind: "refusal"; readonly refusal: Omit<Refusal, "attempts"> }
  /** No complete answer arrived. If nothing was sent, nothing was done. */
  | { readonly kind: "lost"; readonly wasSent: boolean; readonly cause: unknown };

/** Forms in which the body of an answer is read. */
export type AnswerForm = "exact" | "open" | "bytes";

/** Failures before a byte was sent, by their names in Node. Browsers do not report them. */
const unsent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "ENETUNREACH"]);

/** Sends a request once and reads the answer to its end. Never throws. */
export async function attempt(
  send: () => Promise<Response>,
  { form, exact }: { form: AnswerForm; exact: ReadonlySet<string> },
  now: () => number,
): Promise<Attempt> {
  try {
    const response = await send();
    const { status, headers } = response;
    if (!response.ok) return { kind: "refusal", refusal: refusalOf(response, await response.text(), now()) };
    if (form === "bytes")
      return { kind: "answer", status, headers, body: new Uint8Array(await response.arrayBuffer()) };
    const text = await response.text();
    return { kind: "answer", status, headers, body: bodyOf(text, form, exact) };
  } catch (cause) {
    return { kind: "lost", wasSent: !isUnsent(cause), cause };
  }
}

function bodyOf(text: string, form: AnswerForm, exact: ReadonlySet<string>): unknown {
  if (text === "") return undefined;
  return form === "open" ? (JSON.parse(text) as unknown) : readJson(text, exact);
}

function isUnsent(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: { code?: unknown } };
  return unsent.has(String(Object(cause).code));
}

/** Reads a refusal in any form that an answer may have: the platform's, that of OAuth, or that of a proxy in between. */
function refusalOf({ status, headers }: Response, text: string, nowMs: number): Omit<Refusal, "attempts"> {
  const body = refusalBody(text);
  const said = (...names: readonly string[]): string | undefined =>
    names.map((name) => body[name]).find((value): value is string => typeof value === "string");
  return {
    status,
    code: said("code", "error") ?? `HTTP_${status}`,
    message: said("message", "error_description") ?? `the answer has status ${status}`,
    requestId: said("requestId") ?? headers.get("x-request-id") ?? "",
    errors: Array.isArray(body["errors"]) ? (body["errors"] as Refusal["errors"]) : [],
    details: Object(body["details"]) as Refusal["details"],
    retryAfterMs: retryAfter(headers.get("retry-after"), nowMs),
  };
}

function refusalBody(text: string): Record<string, unknown> {
  try {
    return Object(readJson(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Reads Retry-After: seconds, or a date (RFC 9110 section 10.2.3). */
function retryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
