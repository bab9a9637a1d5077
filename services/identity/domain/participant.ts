import { invalid } from "../../shared/errors";
import type { PersonFields } from "./person-fields";
import type { Question } from "./review";
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
export function decidePerson(unmet: readonly string[], hits: readonly ScreeningHit[]): PersonDecision {
  if (unmet.length > 0) {
    return {
      status: "REJECTED",
      message: `the requirements are not met: ${unmet.join("; ")}`,
      reasonCodes: ["REQUIREMENT_NOT_MET"],
    };
  }
  if (hits.length > 0) {
    return { status: "REJECTED", message: "the person may not be served", reasonCodes: ["SCREENING_HIT"] };
  }
  return { status: "APPROVED", message: undefined, reasonCodes: [] };
}

type Screened = Pick<Participant, "fields" | "status" | "reasonCodes" | "listVersion">;

/** What a screening says of a record: a hit goes to review. */
export const screened = (fields: PersonFields, hits: readonly ScreeningHit[], listVersion: string): Screened => ({
  fields,
  status: hits.length === 0 ? "APPROVED" : "IN_REVIEW",
  reasonCodes: hits.length === 0 ? [] : ["SCREENING_HIT"],
  listVersion,
});

/** A record after its fields were changed. One that was rejected stays so until somebody decides otherwise. */
export function changed(
  before: Participant,
  fields: PersonFields,
  hits: readonly ScreeningHit[],
  listVersion: string,
  at: Date,
): Participant {
  const judged = screened(fields, hits, listVersion);
  const kept = before.status === "REJECTED" ? { status: before.status, reasonCodes: before.reasonCodes } : {};
  return { ...before, ...judged, ...kept, version: before.version + 1, updatedAt: at };
}

/** A record that was screened by another list: an approved one with hits goes to review, any other stays what it is. */
export function screenedAgain(
  before: Participant,
  hits: readonly ScreeningHit[],
  listVersion: string,
  at: Date,
): Participant {
  if (before.status !== "APPROVED" || hits.length === 0) return { ...before, listVersion };
  const { status, reasonCodes } = screened(before.fields, hits, listVersion);
  return { ...before, status, reasonCodes, listVersion, version: before.version + 1, updatedAt: at };
}

/** A record after a person has decided about its hits. */
export const reviewed = (before: Participant, approve: boolean, at: Date): Participant => ({
  ...before,
  status: approve ? "APPROVED" : "REJECTED",
  reasonCodes: approve ? [] : ["SCREENING_HIT"],
  version: before.version + 1,
  updatedAt: at,
});

/** The question that a record in review asks. */
export const questionOf = (
  { tenant, kind, id, listVersion }: Participant,
  reviewId: string,
  hits: readonly ScreeningHit[],
): Question => ({
  id: reviewId,
  tenant,
  kind,
  subjectId: id,
  hits,
  awaitsProvider: false,
  listVersion,
  facts: {},
});

/** A person is no business and a company no individual; the type that is left out follows from where the record is kept. */
export function requireKind(kind: ParticipantKind, fields: PersonFields): PersonFields {
  const type = kind === "COMPANY" ? "BUSINESS" : "INDIVIDUAL";
  if (fields.type !== undefined && fields.type !== type) {
    throw invalid([{ field: "type", message: `must be ${type} here` }]);
  }
  return { ...fields, type };
}
