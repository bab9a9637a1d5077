import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "./clock";
import { DomainError, invalid } from "./errors";
import { answerLimits, type JsonObject, parseJsonObject } from "./json";

const maxAgeSeconds = 300;
const signaturePattern = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/**
 * Reads the body of a callback `t=<unix seconds>,v1=<hex>`, where v1 is HMAC-SHA256 of `t.body`. Throws UNAUTHENTICATED for a
 * wrong signature or one that is more than 300 seconds old or ahead, INVALID_ARGUMENT when the body is no JSON object.
 */
export function readSignedCallback(
  { secret, clock }: { secret: string; clock: Clock },
  signature: string,
  body: Buffer,
): JsonObject {
  const [, t = "", v1 = ""] = signaturePattern.exec(signature) ?? [];
  const expected = createHmac("sha256", secret).update(`${t}.`).update(body).digest();
  const ageSeconds = Math.abs(clock.now().getTime() / 1_000 - Number.parseInt(t, 10));
  const isRight = v1 !== "" && timingSafeEqual(Buffer.from(v1, "hex"), expected);
  if (!isRight || !(ageSeconds <= maxAgeSeconds)) {
    throw new DomainError("UNAUTHENTICATED", "the callback's signature does not verify");
  }
  return parseJsonObject(body.toString("utf8"), answerLimits).value;
}

/** The refusal of a callback that is signed and is no report. */
export const notAReport = (): DomainError =>
  invalid([{ field: "body", message: "must be a report with reference and status" }]);

/** A text of a provider's answer: undefined unless it is of a length that can be believed. */
export function textOf(value: JsonObject, field: string): string | undefined {
  const found = value[field];
  return typeof found === "string" && found !== "" && found.length <= 2_048 ? found : undefined;
}
