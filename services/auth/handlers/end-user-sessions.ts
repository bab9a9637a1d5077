import type {
  EndUserSessionsRequest,
  EndUserSessionsResponse,
} from "../../../proto/gen/corridor/auth/v1/people_service";
import { requireHome } from "../domain/user";
import type { EndUserSessions } from "../operations/end-user-sessions";

export const endUserSessionsHandler =
  (endUserSessions: EndUserSessions) =>
  async ({ userId, ...whose }: EndUserSessionsRequest): Promise<EndUserSessionsResponse> => {
    await endUserSessions(requireHome(whose), userId);
    return {};
  };
