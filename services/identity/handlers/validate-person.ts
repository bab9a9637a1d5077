import type {
  ValidatePersonRequest,
  ValidatePersonResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import { type Judges, judgePerson } from "../judge-person";
import { decodeBody, encodeDecision } from "./codec";

export const validatePersonHandler =
  (judges: Judges) =>
  async ({ bodyJson }: ValidatePersonRequest): Promise<ValidatePersonResponse> => {
    const body = decodeBody(bodyJson);
    const judged = await judgePerson(judges, body);
    const country = judged.fields.address?.countryCode;
    const advice = country === undefined ? [] : await judges.schemas.advise(country, body);
    return { decision: encodeDecision({ id: undefined, ...judged }), advice: [...advice] };
  };
