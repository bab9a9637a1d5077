import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../kernel/clock";
import { DomainError, invalid } from "../kernel/errors";
import { answerLimits, type JsonObject, parseJsonObject } from "../kernel/json";

const maxAgeSeconds = 300;
const signaturePattern = /^t=(\d{1,12}),id=([A-Za-z0-9._:-]{1,255}),v1=([0-9a-f]{64})$/;

/** The MAC that both sides compute, over provider, event, time and every byte of the body. */
const macOf = (secret: string, { provider, eventId, t }: SignedHead, body: Buffer): Buffer =>
  createHmac("sha256", secret).update(`${provider}.${eventId}.${t}.`).update(body).digest();

interface SignedHead {
  provider: string;
  eventId: string;
  t: string;
}

/** Returns the header of a callback that a provider sends at `unixSeconds`. */
export function signCallback(
  secret: string,
  provider: string,
  eventId: string,
  unixSeconds: number,
  body: string,
): string {
  const head = { provider, eventId, t: String(unixSeconds) };
  return `t=${head.t},id=${eventId},v1=${macOf(secret, head, Buffer.from(body)).toString("hex")}`;
}

/** A callback whose signature verifies. */
export interface SignedCallback {
  /** The provider's own id of the event, the same in every repeat. */
  eventId: string;
  value: JsonObject;
}

/**
 * Reads a callback of a provider from its header `t=<unix seconds>,id=<event id>,v1=<hex>`, where v1 is HMAC-SHA256 of
 * `provider.id.t.body` under the provider's own secret. Throws UNAUTHENTICATED for a wrong signature, another provider's, or one
 * that is more than 300 seconds old or ahead, INVALID_ARGUMENT when the body is not a JSON object.
 */
export function readSignedCallback(
  { provider, secret, clock }: { provider: string; secret: string; clock: Clock },
  signature: string,
  body: Buffer,
): SignedCallback {
  const [, t = "", eventId = "", v1 = ""] = signaturePattern.exec(signature) ?? [];
  const expected = macOf(secret, { provider, eventId, t }, body);
  const ageSeconds = Math.abs(clock.now().getTime() / 1_000 - Number.parseInt(t, 10));
  const isRight = v1 !== "" && secret !== "" && timingSafeEqual(Buffer.from(v1, "hex"), expected);
  if (!isRight || !(ageSeconds <= maxAgeSeconds)) {
    throw new DomainError("UNAUTHENTICATED", "the callback's signature does not verify");
  }
  return { eventId, value: parseJsonObject(body.toString("utf8"), answerLimits).value };
}

/** The refusal of a signed callback that is not a report. */
export const notAReport = (): DomainError =>
  invalid([{ field: "body", message: "must be a report with reference and status" }]);

/** Returns a text field of a provider's answer; undefined unless its length is plausible. */
export function textOf(value: JsonObject, field: string): string | undefined {
  const found = value[field];
  return typeof found === "string" && found !== "" && found.length <= 2_048 ? found : undefined;
}
