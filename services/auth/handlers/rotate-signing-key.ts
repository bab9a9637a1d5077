import type { RotateSigningKeyResponse } from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { KeyRing } from "../adapters/keys/key-ring";
import { encodeSigningKey } from "./codec";

export const rotateSigningKeyHandler =
  (ring: Pick<KeyRing, "plan" | "rotate">) => async (): Promise<RotateSigningKeyResponse> => ({
    key: encodeSigningKey(await ring.rotate(), ring.plan()),
  });
