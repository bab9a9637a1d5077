import type { Clock } from "../../shared/kernel/clock";
import type { Findings } from "../domain/participant";
import { nameRule } from "../domain/participant";
import type { PersonFields } from "../domain/person-fields";
import type { ScreeningHit } from "../domain/screening";
import type { PersonSchemas, Screening, Verifier } from "../ports";

/** Sources for the evaluation of a person or company. */
export interface EvaluationSources {
  schemas: Pick<PersonSchemas, "check">;
  screening: Screening;
  verifier: Pick<Verifier, "objectionTo">;
  clock: Clock;
}

export interface Evaluation extends Findings {
  listVersion: string;
}

/**
 * Evaluates a person or company, by the same rules on every route: it must have a name, meet the rules of its country and be on no list,
 * and the vendor, which is asked last, must not object. Without a country no country's rules apply. `cleared` removes hits that no longer
 * count. Throws UNAVAILABLE.
 */
export async function evaluatePerson(
  { schemas, screening, verifier }: Omit<EvaluationSources, "clock">,
  fields: PersonFields,
  cleared: (hits: readonly ScreeningHit[]) => readonly ScreeningHit[] = (hits) => hits,
): Promise<Evaluation> {
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
