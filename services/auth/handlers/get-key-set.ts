import type { GetKeySetResponse } from "../../../proto/gen/corridor/auth/v1/auth_service";
import type { KeyRing } from "../adapters/keys/key-ring";

/** Looks at the store first: another replica may have taken a key out. The keys as last seen are better than none. */
export const getKeySetHandler =
  (ring: Pick<KeyRing, "plan" | "refresh">, issuer: string) => async (): Promise<GetKeySetResponse> => {
    await ring.refresh().catch(() => {});
    const keys = ring.plan().published.map(({ publicJwk }) => publicJwk);
    return { jwksJson: Buffer.from(JSON.stringify({ keys })), issuer };
  };
