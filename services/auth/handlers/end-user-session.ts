import type { EndUserSessionRequest, EndUserSessionResponse } from "../../../proto/gen/corridor/auth/v1/people_service";
import { requireHome } from "../domain/user";
import type { EndUserSession } from "../operations/end-user-session";

export const endUserSessionHandler =
  (endUserSession: EndUserSession) =>
  async ({ userId, sessionId, ...whose }: EndUserSessionRequest): Promise<EndUserSessionResponse> => {
    await endUserSession(requireHome(whose), userId, sessionId);
    return {};
  };
