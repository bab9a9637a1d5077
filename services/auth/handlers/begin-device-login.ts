import type {
  BeginDeviceLoginRequest,
  BeginDeviceLoginResponse,
} from "../../../proto/gen/corridor/auth/v1/people_service";
import { requireHome } from "../domain/user";
import type { BeginDeviceLogin } from "../operations/begin-device-login";

export const beginDeviceLoginHandler =
  (beginDeviceLogin: BeginDeviceLogin) =>
  async (whose: BeginDeviceLoginRequest): Promise<BeginDeviceLoginResponse> => {
    const { secret, endsAt, ...shown } = await beginDeviceLogin(requireHome(whose));
    return { login: secret, expiresAt: endsAt, ...shown };
  };
