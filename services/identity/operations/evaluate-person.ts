import type { Clock } from "../../shared/kernel/clock";
import type { Findings } from "../domain/participant";
import { nameRule } from "../domain/participant";
import type { PersonFields } from "../domain/person-fields";
import type { ScreeningHit } from "../domain/screening";
import type { PersonSchemas, Screening, Verifier } from "../ports";

/** Where the rules come from that a person is judged by. */
export interface Judges {
  schemas: Pick<PersonSchemas, "check">;
  screening: Screening;
  verifier: Pick<Verifier, "objectionTo">;
  clock: Clock;
}

export interface Judgement extends Findings {
  listVersion: string;
}

/**
 * Judges a person or company, by the same rule at every door: it has a name, meets the rules of its country, is on no list,
 * and the vendor, who is asked last, does not object. One that names no country is bound by the rules of none. `cleared`
 * takes out hits that do not count any more. Throws UNAVAILABLE.
 */
export async function judgePerson(
  { schemas, screening, verifier }: Omit<Judges, "clock">,
  fields: PersonFields,
  cleared: (hits: readonly ScreeningHit[]) => readonly ScreeningHit[] = (hits) => hits,
): Promise<Judgement> {
  const country = fields.address?.countryCode;
  const broken = country === undefined ? [] : await schemas.check(country, fields);
  const nameless = nameRule(fields);
  const rules = [
    ...(nameless === undefined ? [] : [nameless]),
    ...broken.map(({ field, message }) => `${field} ${message}`),
  ];
  const { hits: found, listVersion } = screening.screen(fields);
  const hits = cleared(found);
  if (rules.length > 0 || hits.length > 0) return { unmet: rules, hits, listVersion };
  const objection = await verifier.objectionTo(fields);
  return { unmet: objection === undefined ? [] : [objection], hits, listVersion };
}
