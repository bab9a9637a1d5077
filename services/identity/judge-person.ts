import type { JsonObject } from "../shared/json";
import { decidePerson, type PersonDecision } from "./domain/participant";
import { type PersonFields, parsePerson } from "./domain/person-fields";
import type { PersonSchemas, Screening } from "./ports";

/** Where the rules come from that a person is judged by. */
export interface Judges {
  schemas: PersonSchemas;
  screening: Screening;
}

/**
 * Says whether a person passes: the rules of its country first, then the list. One that names no country is bound by none.
 * Throws INVALID_ARGUMENT with every malformed field.
 */
export async function judgePerson(
  { schemas, screening }: Judges,
  body: JsonObject,
): Promise<{ fields: PersonFields; decision: PersonDecision }> {
  const fields = parsePerson(body);
  const country = fields.address?.countryCode;
  const unmet = country === undefined ? [] : await schemas.check(country, body);
  const rules = unmet.map(({ field, message }) => `${field} ${message}`);
  return { fields, decision: decidePerson(rules, screening.screen(fields)) };
}
