import { DomainError } from "../../../shared/kernel/errors";
import type { ProviderSettings } from "../../domain/oidc-settings";
import type { DeviceAnswer, DeviceGrant } from "../../ports";
import { askAsClient, isSafeUrl } from "./ask-provider";

/** The interval of a provider that names none (RFC 8628 section 3.2). */
const usualIntervalSeconds = 5;

const unusable = (): DomainError =>
  new DomainError("UNAVAILABLE", "the identity provider returns nothing usable for a device");

/** Begins a device grant (RFC 8628 section 3.1). Throws RECORD_NOT_FOUND when the provider has none, or none for this client. */
export async function beginDevice(
  endpoint: string | undefined,
  settings: ProviderSettings,
  question: Readonly<Record<string, string>>,
): Promise<DeviceGrant> {
  const { status, json } = endpoint === undefined ? notOffered : await askAsClient(endpoint, settings, question);
  if (status !== 200 && typeof json["error"] === "string") {
    throw new DomainError("RECORD_NOT_FOUND", "the identity provider offers no device grant (RFC 8628) here");
  }
  const grant = status === 200 ? readGrant(json, settings.issuer) : undefined;
  if (grant === undefined) throw unusable();
  return grant;
}

const notOffered = { status: 404, json: { error: "unsupported_grant_type" } as Readonly<Record<string, unknown>> };

function readGrant(json: Readonly<Record<string, unknown>>, issuer: string): DeviceGrant | undefined {
  const { device_code: deviceCode, user_code: userCode, expires_in: livesSeconds } = json;
  const { verification_uri: address, verification_uri_complete: complete, interval } = json;
  // People see the code on their terminals and open the addresses: nothing else than these gets there.
  const isCode = typeof userCode === "string" && /^[\x20-\x7e]{1,64}$/.test(userCode);
  if (typeof deviceCode !== "string" || deviceCode === "" || !isCode || !isSafeUrl(address, issuer)) return undefined;
  if (!isPositive(livesSeconds)) return undefined;
  return {
    deviceCode,
    userCode,
    verificationUri: new URL(address).href,
    verificationUriComplete: isSafeUrl(complete, issuer) ? new URL(complete).href : undefined,
    livesSeconds,
    intervalSeconds: isPositive(interval) ? interval : usualIntervalSeconds,
  };
}

const isPositive = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value > 0;

/** Errors that say how far a grant is (RFC 8628 section 3.5). Any other means that the code is not taken any more. */
const errors: Readonly<Record<string, "PENDING" | "SLOW_DOWN" | "DENIED" | "EXPIRED">> = {
  authorization_pending: "PENDING",
  slow_down: "SLOW_DOWN",
  access_denied: "DENIED",
  expired_token: "EXPIRED",
};

/** Asks the token endpoint once. */
export async function askDevice(
  tokenEndpoint: string,
  settings: ProviderSettings,
  deviceCode: string,
): Promise<DeviceAnswer> {
  const form = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: deviceCode };
  const { status, json } = await askAsClient(tokenEndpoint, settings, form);
  const { id_token: idToken, error } = json;
  if (status === 200) return typeof idToken === "string" ? { state: "DONE", idToken } : { state: "REFUSED" };
  if (typeof error !== "string") throw unusable();
  return { state: Object.hasOwn(errors, error) ? (errors[error] ?? "REFUSED") : "REFUSED" };
}
