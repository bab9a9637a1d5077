import { request } from "undici";
import { DomainError } from "../../../shared/kernel/errors";
import type { ProviderSettings } from "../../domain/oidc-settings";

/** An answer of an identity provider; its body is empty unless it is a JSON object. */
export interface ProviderAnswer {
  status: number;
  json: Readonly<Record<string, unknown>>;
}

const answerMs = 3_000;
const longestAnswer = 256 * 1_024;

/** Asks once, within three seconds; follows no redirect. Throws UNAVAILABLE when there is no answer, or one of a broken server. */
export async function askProvider(
  url: string,
  options: { method?: "POST"; headers?: Record<string, string>; body?: string },
): Promise<ProviderAnswer> {
  try {
    const signal = AbortSignal.timeout(answerMs);
    const { statusCode: status, body } = await request(url, { ...options, signal });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > longestAnswer) throw new Error("the answer is too long");
      chunks.push(chunk);
    }
    if (status >= 500) throw new Error(`status ${status}`);
    return { status, json: objectIn(Buffer.concat(chunks).toString("utf8")) };
  } catch (cause) {
    throw new DomainError("UNAVAILABLE", "the identity provider does not answer", { cause });
  }
}

/** Sends a form as the platform's client, once. Throws like `askProvider`. */
export function askAsClient(
  url: string,
  { clientId, clientSecret }: ProviderSettings,
  form: Readonly<Record<string, string>>,
): Promise<ProviderAnswer> {
  const body = new URLSearchParams({ ...form, client_id: clientId }).toString();
  const secret = clientSecret === undefined ? {} : { authorization: basic(clientId, clientSecret) };
  const headers = { "content-type": "application/x-www-form-urlencoded", ...secret };
  return askProvider(url, { method: "POST", headers, body });
}

/** RFC 6749 section 2.3.1: both parts are form-encoded first. */
function basic(id: string, secret: string): string {
  const encoded = [id, secret].map((part) => new URLSearchParams({ part }).toString().slice("part=".length)).join(":");
  return `Basic ${Buffer.from(encoded).toString("base64")}`;
}

/** True for an address that uses the same kind of connection as the issuer, or a better one. */
export const isSafeUrl = (url: unknown, issuer: string): url is string =>
  typeof url === "string" &&
  URL.canParse(url) &&
  (new URL(url).protocol === "https:" || (new URL(url).protocol === "http:" && issuer.startsWith("http:")));

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
