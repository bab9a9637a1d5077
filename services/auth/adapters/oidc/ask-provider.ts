import { request } from "undici";
import { DomainError } from "../../../shared/kernel/errors";

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

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
