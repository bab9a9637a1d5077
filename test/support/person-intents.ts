import { renderCompany, toPersonDetails, toUpdateMask } from "../../gateway/codec/person-codec";
import type { Participant } from "../../proto/gen/corridor/identity/v1/identity_service";
import { ParticipantKind, type PersonDetails } from "../../proto/gen/corridor/identity/v1/participant";
import { parseDecimal } from "../../services/shared/kernel/money";

/** The kind of a participant by its REST name. */
export const kindOf = (word: string): ParticipantKind =>
  word === "COMPANY" ? ParticipantKind.COMPANY : ParticipantKind.PERSON;

/** A body of the REST API with its shares as exact numbers. */
function exactBody(body: object): Record<string, never> {
  const { relatedParties, ...rest } = body as { relatedParties?: readonly { share?: number }[] | null };
  const parties = relatedParties?.map(({ share, ...party }) => ({
    ...party,
    share: share === undefined ? undefined : parseDecimal(String(share)),
  }));
  return { ...rest, ...("relatedParties" in body && { relatedParties: parties ?? null }) } as Record<string, never>;
}

/** The message of a body of the REST API. */
export const detailsOf = (body: object): PersonDetails => toPersonDetails(exactBody(body));

/** The message and the mask of a merge patch. */
export const changeOf = (patch: object): { details: PersonDetails; updateMask: string[] } => ({
  details: detailsOf(patch),
  updateMask: toUpdateMask(exactBody(patch)),
});

/** A participant as the REST API shows it. */
export function shownFields(participant: Participant | undefined): Record<string, unknown> {
  const shown: unknown = JSON.parse(JSON.stringify(renderCompany(participant)));
  const { id: _id, status: _s, reasonCodes: _r, createdAt: _c, updatedAt: _u, ...fields } = Object(shown);
  return fields as Record<string, unknown>;
}

/** Enum names without the wire prefix. */
export function inWords<T extends { status: string; reasonCodes: string[] }>(
  answer: T,
): Omit<T, "status" | "reasonCodes" | "type"> & { status: string; reasonCodes: string[]; type: string | undefined } {
  const { type } = answer as { type?: string };
  return {
    ...answer,
    type: type?.replace("PERSON_TYPE_", ""),
    status: answer.status.replace("PARTICIPANT_STATUS_", ""),
    reasonCodes: answer.reasonCodes.map((code) => code.replace("REASON_CODE_", "")),
  };
}

/** A level by its REST name. */
export const levelWord = (level: string): string => level.replace("COMPLIANCE_LEVEL_", "");

/** A status by its REST name. */
export const statusWord = (status: string | undefined): string | undefined =>
  status?.replace("PARTICIPANT_STATUS_", "");
