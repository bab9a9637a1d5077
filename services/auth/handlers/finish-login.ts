import type { FinishLoginRequest, FinishLoginResponse } from "../../../proto/gen/corridor/auth/v1/people_service";
import type { FinishLogin } from "../operations/finish-login";
import { encodePerson } from "./people-codec";

export const finishLoginHandler =
  (finishLogin: FinishLogin) =>
  async ({ login, code, state, issuer, isOperator }: FinishLoginRequest): Promise<FinishLoginResponse> => {
    const { secret, person } = await finishLogin({ login, code, state, issuer, isOperator });
    return { session: secret, person: encodePerson(person) };
  };
