import type { Clock } from "../shared/clock";
import type { JsonObject } from "../shared/json";
import { decidePerson, type PersonDecision } from "./domain/participant";
import { type PersonFields, parsePerson } from "./domain/person-fields";
import type { PersonSchemas, Screening, Verifier } from "./ports";

/** Where the rules come from that a person is judged by. */
export interface Judges {
  schemas: PersonSchemas;
  screening: Screening;
  verifier: Pick<Verifier, "objectionTo">;
  clock: Clock;
}

/**
 * Says whether a person passes: the rules of its country first, then the list, then the vendor. One that names no country
 * is bound by the rules of none. Throws INVALID_ARGUMENT with every malformed field, and UNAVAILABLE.
 */
export async function judgePerson(
  { schemas, screening, verifier, clock }: Judges,
  body: JsonObject,
): Promise<{ fields: PersonFields; decision: PersonDecision; listVersion: string }> {
  const fields = parsePerson(body, clock.now());
  const country = fields.address?.countryCode;
  const unmet = country === undefined ? [] : await schemas.check(country, body);
  const rules = unmet.map(({ field, message }) => `${field} ${message}`);
  const { hits, listVersion } = screening.screen(fields);
  const objection = rules.length > 0 || hits.length > 0 ? undefined : await verifier.objectionTo(fields);
  return { fields, decision: decidePerson(objection === undefined ? rules : [objection], hits), listVersion };
}
