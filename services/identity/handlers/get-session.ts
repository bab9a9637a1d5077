import type { GetSessionRequest, GetSessionResponse } from "../../../proto/gen/corridor/identity/v1/kyc_service";
import { DomainError } from "../../shared/kernel/errors";
import type { SessionStore } from "../store/session-store";
import { encodeSession } from "./session-codec";

export const getSessionHandler =
  (sessions: Pick<SessionStore, "find">) =>
  async ({ tenant, sessionId }: GetSessionRequest): Promise<GetSessionResponse> => {
    const session = await sessions.find(sessionId);
    if (session?.tenant !== tenant) throw new DomainError("SESSION_NOT_FOUND", "there is no such session");
    return { session: encodeSession(session) };
  };
