/** Every provider that calls the platform back, each with its own secret. */
export const callbackProviders = [
  "pix",
  "bank",
  "upi",
  "dimo",
  "wallet",
  "card",
  "msn",
  "acquirer",
  "debits",
  "kyc",
  "screening",
] as const;
export type CallbackProvider = (typeof callbackProviders)[number];

const verifying: readonly CallbackProvider[] = ["kyc", "screening"];

/** The callback secrets in the forms that the platform and the sandbox read. */
export interface CallbackSecrets {
  of(provider: CallbackProvider): string;
  /** Lines `name=secret` of the providers that collect and pay out. */
  lines: string;
  /** All of them as JSON, for the sandbox; the verification vendor reads documents too. */
  json: string;
}

export function writeCallbackSecrets(of: (provider: CallbackProvider) => string): CallbackSecrets {
  const paying = callbackProviders.filter((name) => !verifying.includes(name));
  const all = Object.fromEntries(callbackProviders.map((name) => [name, of(name)]));
  return {
    of,
    lines: paying.map((name) => `${name}=${of(name)}\n`).join(""),
    json: JSON.stringify({ ...all, documents: of("kyc") }),
  };
}
