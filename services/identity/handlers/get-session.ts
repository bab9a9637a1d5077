import type { GetSessionRequest, GetSessionResponse } from "../../../proto/gen/corridor/identity/v1/kyc_service";
import { requireSession } from "../operations/create-verification";
import type { SessionStore } from "../store/session-store";
import { encodeSession } from "./session-codec";

export const getSessionHandler =
  (sessions: Pick<SessionStore, "find">) =>
  async ({ tenant, sessionId }: GetSessionRequest): Promise<GetSessionResponse> => ({
    session: encodeSession(requireSession(tenant, await sessions.find(sessionId))),
  });
