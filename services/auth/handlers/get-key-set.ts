import type { GetKeySetResponse } from "../../../proto/gen/corridor/auth/v1/auth_service";
import type { SigningKey } from "../domain/signing-key";

/** The public keys are encoded once. */
export function getKeySetHandler(keys: readonly SigningKey[], issuer: string): () => Promise<GetKeySetResponse> {
  const jwksJson = Buffer.from(JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) }));
  return () => Promise.resolve({ jwksJson, issuer });
}
