import type { PersonFields, PersonType } from "./person-fields";
import type { Question } from "./review";
import type { ScreeningHit } from "./screening";

export const participantKinds = ["PERSON", "COMPANY"] as const;
export type ParticipantKind = (typeof participantKinds)[number];
export const participantStatuses = ["APPROVED", "IN_REVIEW", "REJECTED"] as const;
export type ParticipantStatus = (typeof participantStatuses)[number];
export const participantReasons = ["REQUIREMENT_NOT_MET", "SCREENING_HIT"] as const;
export type ReasonCode = (typeof participantReasons)[number];

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

/** The decision about a person who is registered. */
export interface PersonDecision {
  status: "APPROVED" | "REJECTED";
  message: string | undefined;
  reasonCodes: readonly ReasonCode[];
}

/** The findings about a person, by the same rule on every route: rules that it does not meet, and list entries that it resembles. */
export interface Findings {
  unmet: readonly string[];
  hits: readonly ScreeningHit[];
}

/** A record without a name cannot be screened, so it never passes; an absent type means an individual. */
export function nameRule({ type, firstName, lastName, companyName }: PersonFields): string | undefined {
  if (type === "BUSINESS") return companyName === undefined ? "companyName is required" : undefined;
  return firstName === undefined && lastName === undefined ? "firstName or lastName is required" : undefined;
}

const reasonsOf = ({ unmet, hits }: Findings): ReasonCode[] => [
  ...(unmet.length > 0 ? (["REQUIREMENT_NOT_MET"] as const) : []),
  ...(hits.length > 0 ? (["SCREENING_HIT"] as const) : []),
];

/** A person passes when nothing is found. */
export function decidePerson(findings: Findings): PersonDecision {
  const reasonCodes = reasonsOf(findings);
  if (reasonCodes.length === 0) return { status: "APPROVED", message: undefined, reasonCodes };
  const { unmet } = findings;
  const message =
    unmet.length > 0 ? `the requirements are not met: ${unmet.join("; ")}` : "the person may not be served";
  return { status: "REJECTED", message, reasonCodes };
}

type Evaluated = Pick<Participant, "fields" | "status" | "reasonCodes" | "listVersion">;

/** Evaluates a stored record by its findings: a hit goes to review, unmet rules alone reject until they are met. */
export function evaluated(fields: PersonFields, findings: Findings, listVersion: string): Evaluated {
  const reasonCodes = reasonsOf(findings);
  const status = findings.hits.length > 0 ? "IN_REVIEW" : reasonCodes.length > 0 ? "REJECTED" : "APPROVED";
  return { fields, status, reasonCodes, listVersion };
}

/** A record after its fields were changed. A record that a reviewer has rejected stays rejected until a reviewer decides otherwise. */
export function changed(
  before: Participant,
  fields: PersonFields,
  findings: Findings,
  listVersion: string,
  at: Date,
): Participant {
  const isDecided = before.status === "REJECTED" && before.reasonCodes.includes("SCREENING_HIT");
  const kept = isDecided ? { status: before.status, reasonCodes: before.reasonCodes } : {};
  const next = evaluated(fields, findings, listVersion);
  return { ...before, ...next, ...kept, version: before.version + 1, updatedAt: at };
}

/** Stored instead of a list version: the record must be screened, whatever the lists are. */
export const notScreened = "-";

/** Returns a record after screening by another list: an approved one with hits goes to review, any other stays as it is. */
export function screenedAgain(
  before: Participant,
  hits: readonly ScreeningHit[],
  listVersion: string,
  at: Date,
): Participant {
  if (before.status !== "APPROVED" || hits.length === 0) return { ...before, listVersion };
  const next = evaluated(before.fields, { unmet: [], hits }, listVersion);
  return { ...before, ...next, version: before.version + 1, updatedAt: at };
}

/** Returns a record after a reviewer has decided about its hits. Unmet rules still reject it. */
export function reviewed(before: Participant, approve: boolean, at: Date): Participant {
  const others = before.reasonCodes.filter((code) => code !== "SCREENING_HIT");
  return {
    ...before,
    status: approve && others.length === 0 ? "APPROVED" : "REJECTED",
    reasonCodes: approve ? others : [...others, "SCREENING_HIT"],
    version: before.version + 1,
    updatedAt: at,
  };
}

/** The question that a record in review puts to the reviewer. */
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
});

/** The type of records kept there: a person is never a business, and a company never an individual. */
export const typeOf = (kind: ParticipantKind): PersonType => (kind === "COMPANY" ? "BUSINESS" : "INDIVIDUAL");
