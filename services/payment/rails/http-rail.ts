import { createHmac, timingSafeEqual } from "node:crypto";
import { request } from "undici";
import { currentCall } from "../../shared/call-context";
import type { Clock } from "../../shared/clock";
import { DomainError, invalid } from "../../shared/errors";
import { type JsonObject, type JsonValue, parseJson } from "../../shared/json";
import { errorFields, type Logger } from "../../shared/logger";
import { formatMoney } from "../../shared/money";
import type { Tracing } from "../../shared/tracing";
import type { Instruction } from "../domain/payment";
import type { RailReport, RailStatus } from "../domain/rail-report";
import type { Rail, RailAnswer } from "../ports";

export interface HttpRailOptions {
  /** Name of the rail, a path segment. */
  name: string;
  baseUrl: string;
  apiKey: string;
  callbackSecret: string;
  /** Longest wait for an answer; after it the outcome is unknown. */
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
  tracing: Tracing;
}

const statuses: readonly RailStatus[] = ["PREPARED", "RELEASED", "PAID", "REJECTED", "REFUSED", "CANCELLED"];
const maxAnswerBytes = 64 * 1024;
const maxSignatureAgeSeconds = 300;
const signaturePattern = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/** A payout rail that is spoken to over HTTP and JSON. What it says is checked before it is believed. */
export function makeHttpRail(options: HttpRailOptions): Rail {
  const { name, baseUrl } = options;
  const place = (reference: string): string => `${baseUrl}/rails/${name}/instructions/${encodeURIComponent(reference)}`;
  return {
    prepare: (instruction) =>
      call(options, "POST", `${baseUrl}/rails/${name}/instructions`, instruction.reference, toBody(instruction)),
    release: (reference) => call(options, "POST", `${place(reference)}/release`, reference),
    query: (reference) => call(options, "GET", place(reference), reference),
    readCallback(signature, body) {
      requireSignature(options, signature, body);
      const report = readReport(parseJson(body.toString("utf8")).value);
      if (report === undefined)
        throw invalid([{ field: "body", message: "must be a report with reference and status" }]);
      return report;
    },
  };
}

function toBody({ reference, amount, key, keyType, recipientName, recipientDocument, narrative }: Instruction): object {
  const { currency } = amount;
  return {
    reference,
    amount: formatMoney(amount),
    currency,
    countryCode: "BRA",
    method: "PIX",
    account: { key, keyType },
    recipientName,
    recipientDocument,
    narrative,
  };
}

async function call(
  { name, apiKey, timeoutMs, logger, tracing }: HttpRailOptions,
  method: "GET" | "POST",
  url: string,
  reference: string,
  body?: object,
): Promise<RailAnswer> {
  const send = async (): Promise<RailAnswer> => {
    const traceparent = currentCall()?.traceparent;
    const response = await request(url, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(traceparent === undefined ? {} : { traceparent }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const bytes = await readBounded(response.body);
    if (response.statusCode === 404) return { kind: "absent" };
    if (response.statusCode === 400 && body !== undefined) return refused(reference);
    const report = readReport(parseJson(bytes.toString("utf8")).value);
    const isExpected = response.statusCode < 300 || response.statusCode === 422;
    if (!isExpected || report?.reference !== reference) {
      logger.warn({ rail: name, method, status: response.statusCode }, "rail gave no usable answer");
      return { kind: "unknown" };
    }
    return { kind: "report", report };
  };
  try {
    return await tracing.span(`rail ${name} ${method}`, { kind: "client" }, send);
  } catch (error) {
    logger.warn({ rail: name, method, ...errorFields(error) }, "rail did not answer");
    return { kind: "unknown" };
  }
}

/** A rail that calls the instruction itself malformed has reserved nothing, and nothing will be released. */
const refused = (reference: string): RailAnswer => ({
  kind: "report",
  report: { reference, status: "REFUSED", railId: undefined, reason: "the rail does not take the instruction" },
});

async function readBounded(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new Error("the rail's answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readReport(value: JsonValue): RailReport | undefined {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  const status = statuses.find((candidate) => candidate === value["status"]);
  const reference = textOf(value, "reference");
  if (status === undefined || reference === undefined) return undefined;
  return { reference, status, railId: textOf(value, "railId"), reason: textOf(value, "reason") };
}

function textOf(value: JsonObject, field: string): string | undefined {
  const found = value[field];
  return typeof found === "string" && found !== "" && found.length <= 255 ? found : undefined;
}

/** The signature is an HMAC-SHA256 of `t.body` in hex; older or newer than 300 seconds is refused like a wrong one. */
function requireSignature({ callbackSecret, clock }: HttpRailOptions, signature: string, body: Buffer): void {
  const [, t = "", v1 = ""] = signaturePattern.exec(signature) ?? [];
  const expected = createHmac("sha256", callbackSecret).update(`${t}.`).update(body).digest();
  const ageSeconds = Math.abs(clock.now().getTime() / 1_000 - Number.parseInt(t, 10));
  const isRight = v1 !== "" && timingSafeEqual(Buffer.from(v1, "hex"), expected);
  if (!isRight || !(ageSeconds <= maxSignatureAgeSeconds)) {
    throw new DomainError("UNAUTHENTICATED", "the callback's signature does not verify");
  }
}
