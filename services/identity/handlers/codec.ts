import type {
  PersonDecision,
  Participant as WireParticipant,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import { invalid } from "../../shared/kernel/errors";
import { decodeUtf8, type JsonObject, parseJsonObject } from "../../shared/kernel/json";
import type { Participant, ParticipantKind } from "../domain/participant";
import { toJson } from "../domain/person-fields";
import type { RegisteredPerson } from "../operations/register-person";

export const decodeBody = (bytes: Uint8Array): JsonObject => parseJsonObject(decodeUtf8(bytes)).value;

export function decodeKind(kind: string): ParticipantKind {
  if (kind === "PERSON" || kind === "COMPANY") return kind;
  throw invalid([{ field: "kind", message: "must be PERSON or COMPANY" }]);
}

export function encodeDecision({ id, fields, decision }: RegisteredPerson): PersonDecision {
  const { type, firstName, lastName } = fields;
  const { status, message, reasonCodes } = decision;
  return { personId: id, type, firstName, lastName, status, message, reasonCodes: [...reasonCodes] };
}

export function encodeParticipant(participant: Participant): WireParticipant {
  const { id, fields, status, reasonCodes, version, createdAt, updatedAt } = participant;
  const fieldsJson = Buffer.from(JSON.stringify(toJson(fields)));
  return { participantId: id, fieldsJson, status, reasonCodes: [...reasonCodes], version, createdAt, updatedAt };
}
