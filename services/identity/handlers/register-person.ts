import type {
  RegisterPersonRequest,
  RegisterPersonResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import type { RegisterPerson } from "../operations/register-person";
import { decodePerson, encodeDecision } from "./participant-codec";

export const registerPersonHandler =
  (registerPerson: RegisterPerson) =>
  async ({ tenant, person }: RegisterPersonRequest): Promise<RegisterPersonResponse> => ({
    decision: encodeDecision(await registerPerson(tenant, decodePerson(person))),
  });
