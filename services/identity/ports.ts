import type { FieldViolation } from "../shared/errors";
import type { JsonObject } from "../shared/json";
import type { PersonFields } from "./domain/person-fields";
import type { ScreeningHit } from "./domain/screening";

/** What countries ask of persons. */
export interface PersonSchemas {
  /** Every rule of the country (alpha-2) that the person breaks; none where the country has no schema. */
  check(country: string, person: JsonObject): Promise<readonly FieldViolation[]>;
  /** Numbers of the person whose checksums do not fit; none where the country has no schema. */
  advise(country: string, person: JsonObject): Promise<readonly FieldViolation[]>;
}

/** Lists of those who must not be served. */
export interface Screening {
  /** Version of the list in use. */
  version(): string;
  screen(fields: PersonFields): ScreeningHit | undefined;
}
