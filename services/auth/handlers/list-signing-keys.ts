import type { ListSigningKeysResponse } from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { KeyRing } from "../adapters/keys/key-ring";
import { encodeSigningKey } from "./codec";

export const listSigningKeysHandler = (ring: Pick<KeyRing, "plan">) => (): Promise<ListSigningKeysResponse> => {
  const plan = ring.plan();
  return Promise.resolve({ keys: plan.published.map((key) => encodeSigningKey(key, plan)) });
};
