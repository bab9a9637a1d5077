import type { EndSessionRequest, EndSessionResponse } from "../../../proto/gen/corridor/auth/v1/people_service";
import type { EndSession } from "../operations/end-session";

export const endSessionHandler =
  (endSession: EndSession) =>
  async ({ session }: EndSessionRequest): Promise<EndSessionResponse> => {
    await endSession(session);
    return {};
  };
