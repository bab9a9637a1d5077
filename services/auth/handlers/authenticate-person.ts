import type {
  AuthenticatePersonRequest,
  AuthenticatePersonResponse,
} from "../../../proto/gen/corridor/auth/v1/people_service";
import type { AuthenticatePerson } from "../operations/authenticate-person";
import { encodePerson } from "./people-codec";

export const authenticatePersonHandler =
  (authenticatePerson: AuthenticatePerson) =>
  async ({
    token,
    isOperator,
    agentId,
    isBackground,
  }: AuthenticatePersonRequest): Promise<AuthenticatePersonResponse> => ({
    person: encodePerson(await authenticatePerson({ token, isOperator, agentId, isBackground })),
  });
