import type {
  ValidatePersonRequest,
  ValidatePersonResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import { decidePerson } from "../domain/participant";
import { parsePerson } from "../domain/person-fields";
import { type Judges, judgePerson } from "../operations/evaluate-person";
import type { PersonSchemas } from "../ports";
import { decodePerson, encodeDecision } from "./participant-codec";

export const validatePersonHandler =
  (judges: Judges & { schemas: Pick<PersonSchemas, "advise"> }) =>
  async ({ person }: ValidatePersonRequest): Promise<ValidatePersonResponse> => {
    const fields = parsePerson(decodePerson(person), judges.clock.now());
    const decision = decidePerson(await judgePerson(judges, fields));
    const country = fields.address?.countryCode;
    const advice = country === undefined ? [] : await judges.schemas.advise(country, fields);
    return { decision: encodeDecision({ id: undefined, fields, decision }), advice: [...advice] };
  };
