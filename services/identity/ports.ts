import type { FieldViolation } from "../shared/errors";
import type { JsonObject } from "../shared/json";
import type { PersonFields } from "./domain/person-fields";
import type { ScreeningHit } from "./domain/screening";
import type { Session, SessionReport } from "./domain/session";

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

/** The vendor that looks at identity documents. */
export interface Verifier {
  /** Makes the page of a session, the same one each time. Throws UNAVAILABLE while the vendor does not answer. */
  open(session: NewSession): Promise<{ url: string }>;
  /** Where a session stands; undefined when the vendor does not say. */
  ask(sessionId: string): Promise<SessionReport | undefined>;
  /** Reads a callback. Throws UNAUTHENTICATED for a wrong signature, INVALID_ARGUMENT for what is no report. */
  readReport(signature: string, body: Buffer): SessionReport;
  /** Why a person does not meet the vendor's requirements; undefined when it does. Throws UNAVAILABLE. */
  objectionTo(person: PersonFields): Promise<string | undefined>;
  /** How long after a decision the vendor may still make another one. */
  readonly redecisionMs: number;
}

/** What the vendor is told of a session. */
export interface NewSession extends Pick<Session, "id" | "expiresAt"> {
  facts: Omit<Session["facts"], "url">;
}

/** Who has been asked where a session stands. */
export interface Verification {
  id: string;
  tenant: string;
  sessionId: string;
  checks: readonly string[];
  createdAt: Date;
}
