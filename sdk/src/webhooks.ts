import type { WebhookEvent } from "./gen/api.ts";
import { readJson } from "./json.ts";

/** Several events of one delivery, for subscriptions with `isBatch`. */
export interface WebhookBatch {
  readonly batchId: string;
  readonly isBatch: true;
  readonly events: readonly WebhookEvent[];
}

/** Headers in the form of any server. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Seconds that a signature may be old, or ahead, 300 by default. */
  readonly toleranceSeconds?: number;
  /** The current time, for tests. */
  readonly nowSeconds?: number;
}

/** An invalid delivery: it is not the platform's, it was changed, or it is too old. Answer it with 400. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused";
}

/** True if a delivery has several events. */
export const isBatch = (delivery: WebhookEvent | WebhookBatch): delivery is WebhookBatch => "isBatch" in delivery;

/** Returns the events of a delivery, one or several. */
export const eventsOf = (delivery: WebhookEvent | WebhookBatch): readonly WebhookEvent[] =>
  isBatch(delivery) ? delivery.events : [delivery];

/**
 * Returns the content of a delivery after verifying one of its signatures. `body` is what arrived, byte for byte, before any parsing.
 * `keys` are the signing secret, or the public key (`whpk_…`), or several of them while one replaces another. Each form of signature is
 * tried: the platform's own `x-service-signature`, and `v1` and `v1a` of Standard Webhooks. Throws `WebhookRefused`.
 */
export async function verifyWebhook(
  body: Uint8Array | string,
  headers: WebhookHeaders,
  keys: string | readonly string[],
  { toleranceSeconds = 300, nowSeconds = Math.floor(Date.now() / 1_000) }: VerifyOptions = {},
): Promise<WebhookEvent | WebhookBatch> {
  const bytes = typeof body === "string" ? encode(body) : body;
  const claims = claimsOf(headers);
  if (claims.length === 0) throw new WebhookRefused("the signature is missing or malformed");
  const timely = claims.filter(({ timestamp }) => Math.abs(nowSeconds - Number(timestamp)) <= toleranceSeconds);
  if (timely.length === 0) throw new WebhookRefused("the signature is too old");
  const proofs = timely.flatMap((claim) => [keys].flat().map((key) => isRight(claim, key, bytes)));
  if (!(await Promise.all(proofs)).includes(true)) throw new WebhookRefused("the signature is wrong");
  return readJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as WebhookEvent | WebhookBatch;
}

/** A signature of a delivery: the signed text before the body, and how it was signed. */
interface Claim {
  readonly form: "own" | "v1" | "v1a";
  readonly timestamp: string;
  readonly before: string;
  readonly signature: Uint8Array<ArrayBuffer>;
}

function claimsOf(headers: WebhookHeaders): Claim[] {
  const own = headerOf(headers, "x-service-signature");
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const standard = headerOf(headers, "webhook-signature");
  return [...ownClaims(own), ...standardClaims(id, timestamp, standard)];
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "object" ? found[0] : found;
}

/** Reads `t=<seconds>,v1=<hex>`; there may be several `v1`. */
function ownClaims(header: string | undefined): Claim[] {
  const match = /^t=(\d{1,12})((?:,v1=[0-9a-f]{64})+)$/.exec(header ?? "");
  if (match === null) return [];
  const [, timestamp = "", rest = ""] = match;
  return rest
    .split(",v1=")
    .slice(1)
    .map((hex) => ({ form: "own", timestamp, before: `${timestamp}.`, signature: fromHex(hex) }));
}

/** Reads `v1,<base64> v1a,<base64>`, separated by blanks, in any number and order. Ignores other versions. */
function standardClaims(id: string | undefined, timestamp: string | undefined, header: string | undefined): Claim[] {
  if (id === undefined || header === undefined || !/^\d{1,12}$/.test(timestamp ?? "")) return [];
  const before = `${id}.${timestamp}.`;
  return header.split(" ").flatMap((part): Claim[] => {
    const [, form, text = ""] = /^(v1|v1a),([A-Za-z0-9+/]{43,88}={0,2})$/.exec(part) ?? [];
    const signature = form === undefined ? undefined : fromBase64(text);
    if (signature === undefined) return [];
    return [{ form: form as "v1" | "v1a", timestamp: timestamp ?? "", before, signature }];
  });
}

async function isRight({ form, before, signature }: Claim, key: string, body: Uint8Array): Promise<boolean> {
  const isPublic = key.startsWith("whpk_");
  if (isPublic !== (form === "v1a")) return false;
  const signed = concat(encode(before), body);
  if (isPublic) {
    const raw = fromBase64(key.slice("whpk_".length));
    if (raw?.length !== 32) throw new TypeError("the public key is malformed");
    const imported = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
    return crypto.subtle.verify("Ed25519", imported, signature, signed);
  }
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", secretBytes(key, form), hmac, false, ["verify"]);
  // Compares in constant time.
  return crypto.subtle.verify("HMAC", imported, signature, signed);
}

/** The platform's own form is keyed with the secret's characters, that of Standard Webhooks with the bytes that they encode. */
function secretBytes(secret: string, form: Claim["form"]): Uint8Array<ArrayBuffer> {
  const text = secret.replace(/^whsec_/, "");
  const bytes = form === "own" ? encode(text) : fromBase64(text);
  if (bytes === undefined || bytes.length === 0) throw new TypeError("the signing secret is malformed");
  return bytes;
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
