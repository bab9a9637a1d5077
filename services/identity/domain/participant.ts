import { invalid } from "../../shared/errors";
import type { PersonFields } from "./person-fields";
import type { ScreeningHit } from "./screening";

export type ParticipantKind = "PERSON" | "COMPANY";
export type ParticipantStatus = "APPROVED" | "IN_REVIEW" | "REJECTED";
export type ReasonCode = "REQUIREMENT_NOT_MET" | "SCREENING_HIT";

/** A person or company that a tenant keeps. */
export interface Participant {
  id: string;
  tenant: string;
  kind: ParticipantKind;
  fields: PersonFields;
  status: ParticipantStatus;
  reasonCodes: readonly ReasonCode[];
  /** Version of the list that the last screening used. */
  listVersion: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** What is decided of a person that is registered. */
export interface PersonDecision {
  status: "APPROVED" | "REJECTED";
  message: string | undefined;
  reasonCodes: readonly ReasonCode[];
}

/** A person passes when its country asks for nothing more and no list names it. `unmet` are rules of the country. */
export function decidePerson(unmet: readonly string[], hit: ScreeningHit | undefined): PersonDecision {
  if (unmet.length > 0) {
    return {
      status: "REJECTED",
      message: `the requirements are not met: ${unmet.join("; ")}`,
      reasonCodes: ["REQUIREMENT_NOT_MET"],
    };
  }
  if (hit !== undefined) {
    return { status: "REJECTED", message: "the person may not be served", reasonCodes: ["SCREENING_HIT"] };
  }
  return { status: "APPROVED", message: undefined, reasonCodes: [] };
}

type Screened = Pick<Participant, "fields" | "status" | "reasonCodes" | "listVersion">;

/** What a screening says of a record: a hit goes to review. */
export const screened = (fields: PersonFields, hit: ScreeningHit | undefined, listVersion: string): Screened => ({
  fields,
  status: hit === undefined ? "APPROVED" : "IN_REVIEW",
  reasonCodes: hit === undefined ? [] : ["SCREENING_HIT"],
  listVersion,
});

/** A record after its fields were changed. One that was rejected stays so until somebody decides otherwise. */
export function changed(
  before: Participant,
  fields: PersonFields,
  hit: ScreeningHit | undefined,
  listVersion: string,
  at: Date,
): Participant {
  const judged = screened(fields, hit, listVersion);
  const kept = before.status === "REJECTED" ? { status: before.status, reasonCodes: before.reasonCodes } : {};
  return { ...before, ...judged, ...kept, version: before.version + 1, updatedAt: at };
}

/** A person is no business and a company no individual; the type that is left out follows from where the record is kept. */
export function requireKind(kind: ParticipantKind, fields: PersonFields): PersonFields {
  const type = kind === "COMPANY" ? "BUSINESS" : "INDIVIDUAL";
  if (fields.type !== undefined && fields.type !== type) {
    throw invalid([{ field: "type", message: `must be ${type} here` }]);
  }
  return { ...fields, type };
}
