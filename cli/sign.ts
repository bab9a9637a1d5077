import { createHmac, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** An event as it is posted. */
export interface Delivery {
  readonly eventId: string;
  readonly sequence: number;
  readonly attempt: number;
  readonly body: string;
}

/** Signs deliveries as the platform would. */
export interface Signer {
  readonly secret: string;
  readonly publicKey: string;
  headers(delivery: Delivery, atSeconds: number): Record<string, string>;
}

/** Makes a secret like the platform's: 32 random bytes in base64. */
export const makeSecret = (): string => randomBytes(32).toString("base64");

export function makeSigner(secret: string): Signer {
  const text = secret.replace(/^whsec_/, "");
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ type: "spki", format: "der" }).subarray(-32);
  return {
    secret: text,
    publicKey: `whpk_${raw.toString("base64")}`,
    headers({ eventId, sequence, attempt, body }, atSeconds) {
      const own = createHmac("sha256", text).update(`${atSeconds}.${body}`).digest("hex");
      const content = Buffer.from(`${eventId}.${atSeconds}.${body}`);
      const standard = createHmac("sha256", Buffer.from(text, "base64")).update(content).digest("base64");
      return {
        "content-type": "application/json",
        "user-agent": "corridor-webhooks/1",
        "x-service-event-id": eventId,
        "x-service-delivery-attempt": String(attempt),
        "x-service-sequence": String(sequence),
        "x-service-signature": `t=${atSeconds},v1=${own}`,
        "webhook-id": eventId,
        "webhook-timestamp": String(atSeconds),
        "webhook-signature": `v1,${standard} v1a,${sign(null, content, privateKey).toString("base64")}`,
      };
    },
  };
}

/** Answer of an endpoint; without a status there was none. */
export interface Answer {
  readonly status: number | undefined;
  readonly ms: number;
  readonly text: string;
}

/** Longest time for an endpoint to answer, the same as the platform's. */
export const answerMs = 10_000;

/** Posts a delivery once. Never throws. */
export async function post(url: string, headers: Record<string, string>, body: string): Promise<Answer> {
  const startedAt = performance.now();
  const spent = (): number => Math.round(performance.now() - startedAt);
  try {
    const signal = AbortSignal.timeout(answerMs);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    return { status: response.status, text: await response.text(), ms: spent() };
  } catch (error) {
    const { cause, message } = error as Error;
    return { status: undefined, text: cause instanceof Error ? cause.message : message, ms: spent() };
  }
}
