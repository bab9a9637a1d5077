import type { CreateSessionRequest, CreateSessionResponse } from "../../../proto/gen/corridor/identity/v1/kyc_service";
import type { CreateSession } from "../operations/create-session";
import { decodeSession, encodeSession } from "./session-codec";

export const createSessionHandler =
  (createSession: CreateSession) =>
  async ({ tenant, session }: CreateSessionRequest): Promise<CreateSessionResponse> => ({
    session: encodeSession(await createSession(tenant, decodeSession(session))),
  });
