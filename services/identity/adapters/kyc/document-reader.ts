import { Readable } from "node:stream";
import { request } from "undici";
import { notAReport, readSignedCallback, textOf } from "../../../shared/crypto/callback-signature";
import { type ProviderCall, readBounded } from "../../../shared/http/provider-call";
import { type Clock, parseInstant } from "../../../shared/kernel/clock";
import { answerLimits, type JsonObject, parseJsonObject } from "../../../shared/kernel/json";
import { errorFields, type Logger } from "../../../shared/process/logger";
import { type DocumentReport, documentReportStatuses } from "../../domain/document";
import type { DocumentReader } from "../../ports";
import { eraseAtVendor } from "../vendor-erasure";

export interface DocumentReaderOptions {
  /** For queries; files are sent separately, since they are streams. */
  call: ProviderCall;
  baseUrl: string;
  apiKey: string;
  /** Longest wait until a file is accepted. */
  timeoutMs: number;
  callbackSecret: string;
  /** Real time, by which signatures expire. */
  clock: Clock;
  logger: Logger;
}

/** The vendor that reads documents, over HTTP. */
export function makeDocumentReader(options: DocumentReaderOptions): DocumentReader {
  const { call, baseUrl, apiKey, timeoutMs, callbackSecret, clock, logger } = options;
  const pathOf = (documentId: string): string => `/kyc/documents/${encodeURIComponent(documentId)}`;
  return {
    async submit({ id, documentType, facts, content }) {
      const { mediaType, size, sha256, number } = facts;
      const said = Buffer.from(JSON.stringify({ documentType, number, sha256 })).toString("base64url");
      try {
        const response = await request(`${baseUrl}${pathOf(id)}`, {
          method: "PUT",
          headers: {
            authorization: `Bearer ${apiKey}`,
            "content-type": mediaType,
            "content-length": String(size),
            "x-document": said,
          },
          body: Readable.from(content),
          signal: AbortSignal.timeout(timeoutMs),
        });
        const text = (await readBounded(response.body)).toString("utf8");
        return response.statusCode < 300 ? reportOf(id, parseJsonObject(text, answerLimits).value) : undefined;
      } catch (error) {
        logger.warn({ documentId: id, ...errorFields(error) }, "a file could not be handed to the document reader");
        return undefined;
      }
    },
    async ask(documentId) {
      const answer = await call("GET", pathOf(documentId));
      if (answer?.status === 200) return reportOf(documentId, answer.body);
      const isAbsent = answer?.status === 404 && textOf(answer.body, "error") === "not_found";
      // A "not found" for another document says nothing about this one.
      return isAbsent && textOf(answer.body, "reference") === documentId ? "unknown" : undefined;
    },
    erase: (documentId) => eraseAtVendor(call, pathOf(documentId), documentId),
    readReport(signature, body) {
      const { value } = readSignedCallback({ provider: "documents", secret: callbackSecret, clock }, signature, body);
      const report = reportOf(textOf(value, "reference") ?? "", value);
      if (report === undefined) throw notAReport();
      return report;
    },
  };
}

function reportOf(documentId: string, value: JsonObject): DocumentReport | undefined {
  // Older versions of this API spell the words in other cases.
  const word = textOf(value, "status")?.toUpperCase();
  const status = documentReportStatuses.find((candidate) => candidate === word);
  const occurredAt = parseInstant(textOf(value, "occurredAt") ?? "");
  const { revision } = value;
  const isCount = typeof revision === "number" && Number.isSafeInteger(revision) && revision > 0;
  if (value["reference"] !== documentId || documentId === "") return undefined;
  if (status === undefined || occurredAt === undefined || !isCount) return undefined;
  const [reasonCode] = /^[A-Z][A-Z_]{0,63}$/.exec(textOf(value, "reasonCode") ?? "") ?? [];
  return { documentId, status, revision, reasonCode, occurredAt };
}
