import type { AskDeviceLoginRequest, AskDeviceLoginResponse } from "../../../proto/gen/corridor/auth/v1/people_service";
import type { AskDeviceLogin } from "../operations/ask-device-login";
import { encodePerson } from "./people-codec";

export const askDeviceLoginHandler =
  (askDeviceLogin: AskDeviceLogin) =>
  async ({ login, isOperator }: AskDeviceLoginRequest): Promise<AskDeviceLoginResponse> => {
    const answer = await askDeviceLogin({ login, isOperator });
    const { state, intervalSeconds } = answer;
    const opened = answer.state === "DONE" ? answer.opened : undefined;
    const person = opened === undefined ? undefined : encodePerson(opened.person);
    return { state, intervalSeconds, session: opened?.secret, person };
  };
