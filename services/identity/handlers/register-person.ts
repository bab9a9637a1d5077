import type {
  RegisterPersonRequest,
  RegisterPersonResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import type { RegisterPerson } from "../operations/register-person";
import { decodeBody, encodeDecision } from "./codec";

export const registerPersonHandler =
  (registerPerson: RegisterPerson) =>
  async ({ tenant, bodyJson }: RegisterPersonRequest): Promise<RegisterPersonResponse> => ({
    decision: encodeDecision(await registerPerson(tenant, decodeBody(bodyJson))),
  });
