import type {
  OpenLocalSessionRequest,
  OpenLocalSessionResponse,
} from "../../../proto/gen/corridor/auth/v1/people_service";
import type { OpenLocalSession } from "../operations/open-local-session";
import { encodePerson } from "./people-codec";

export const openLocalSessionHandler =
  (openLocalSession: OpenLocalSession) =>
  async ({ person: id }: OpenLocalSessionRequest): Promise<OpenLocalSessionResponse> => {
    const { secret, person } = await openLocalSession(id);
    return { session: secret, person: encodePerson(person) };
  };
