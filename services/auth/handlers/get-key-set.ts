import type { GetKeySetResponse } from "../../../proto/gen/corridor/auth/v1/auth_service";
import type { KeyRing } from "../adapters/keys/key-ring";

/** Reads the store first, since another replica may have removed a key; falls back to the keys as last read. */
export const getKeySetHandler =
  (ring: Pick<KeyRing, "plan" | "refresh">, issuer: string) => async (): Promise<GetKeySetResponse> => {
    await ring.refresh().catch(() => {});
    const keys = ring.plan().published.map(({ publicJwk }) => publicJwk);
    return { jwksJson: Buffer.from(JSON.stringify({ keys })), issuer };
  };
