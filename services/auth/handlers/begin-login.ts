import type { BeginLoginRequest, BeginLoginResponse } from "../../../proto/gen/corridor/auth/v1/people_service";
import { requireHome } from "../domain/user";
import type { BeginLogin } from "../operations/begin-login";

export const beginLoginHandler =
  (beginLogin: BeginLogin) =>
  async ({ redirectUri, ...whose }: BeginLoginRequest): Promise<BeginLoginResponse> => {
    const { secret, authorizationUrl, endsAt } = await beginLogin(requireHome(whose), redirectUri);
    return { login: secret, authorizationUrl, expiresAt: endsAt };
  };
