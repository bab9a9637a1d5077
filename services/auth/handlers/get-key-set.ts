import type { GetKeySetResponse } from "../../../proto/gen/corridor/auth/v1/auth_service";
import type { KeyRing } from "../signing/key-ring";

export const getKeySetHandler = (ring: Pick<KeyRing, "plan">, issuer: string) => (): Promise<GetKeySetResponse> => {
  const keys = ring.plan().published.map(({ publicJwk }) => publicJwk);
  return Promise.resolve({ jwksJson: Buffer.from(JSON.stringify({ keys })), issuer });
};
