import type {
  ValidatePersonRequest,
  ValidatePersonResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import { oddPostalCode } from "../domain/address";
import { decidePerson } from "../domain/participant";
import { parsePerson } from "../domain/person-fields";
import { type EvaluationSources, evaluatePerson } from "../operations/evaluate-person";
import type { PersonSchemas } from "../ports";
import { decodePerson, encodeDecision } from "./participant-codec";

export const validatePersonHandler =
  (sources: EvaluationSources & { schemas: Pick<PersonSchemas, "advise"> }) =>
  async ({ person }: ValidatePersonRequest): Promise<ValidatePersonResponse> => {
    const fields = parsePerson(decodePerson(person), sources.clock.now());
    const decision = decidePerson(await evaluatePerson(sources, fields));
    const country = fields.address?.countryCode;
    const numbers = country === undefined ? [] : await sources.schemas.advise(country, fields);
    const odd = oddPostalCode(fields.address ?? {}).map(({ field, message }) => ({
      field: `address.${field}`,
      message,
    }));
    return { decision: encodeDecision({ id: undefined, fields, decision }), advice: [...numbers, ...odd] };
  };
