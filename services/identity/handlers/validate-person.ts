import type {
  ValidatePersonRequest,
  ValidatePersonResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import { type Judges, judgePerson } from "../judge-person";
import { decodeBody, encodeDecision } from "./codec";

export const validatePersonHandler =
  (judges: Judges) =>
  async ({ bodyJson }: ValidatePersonRequest): Promise<ValidatePersonResponse> => ({
    decision: encodeDecision({ id: undefined, ...(await judgePerson(judges, decodeBody(bodyJson))) }),
  });
