import type { Decimal as WireDecimal } from "../../../proto/gen/corridor/common/v1/money";
import {
  ComplianceLevel,
  type Participant as WireParticipant,
  type PersonDecision as WirePersonDecision,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import {
  Gender,
  ParticipantKind,
  ParticipantStatus,
  PartyRole,
  type PersonAddress,
  type PersonDetails,
  PersonType,
  ReasonCode,
  type RelatedParty as WireRelatedParty,
} from "../../../proto/gen/corridor/identity/v1/participant";
import { enumCodec } from "../../shared/kernel/enum-codec";
import { invalid } from "../../shared/kernel/errors";
import type { Decimal } from "../../shared/kernel/money";
import type { LevelStanding } from "../domain/compliance-level";
import type {
  ParticipantKind as KindWord,
  Participant,
  ReasonCode as ReasonWord,
  ParticipantStatus as StatusWord,
} from "../domain/participant";
import {
  type AddressFields,
  type FieldPath,
  fieldPaths,
  type GivenAddress,
  type GivenPerson,
  type PersonFields,
  type PersonType as TypeWord,
} from "../domain/person-fields";
import { type GivenParty, type RelatedParty, type PartyRole as RoleWord, shareOf } from "../domain/related-parties";
import type { RegisteredPerson } from "../operations/register-person";

const kindCodec = enumCodec<ParticipantKind, KindWord>({
  [ParticipantKind.UNSPECIFIED]: undefined,
  [ParticipantKind.PERSON]: "PERSON",
  [ParticipantKind.COMPANY]: "COMPANY",
  [ParticipantKind.UNRECOGNIZED]: undefined,
});

const statusCodec = enumCodec<ParticipantStatus, StatusWord>({
  [ParticipantStatus.UNSPECIFIED]: undefined,
  [ParticipantStatus.APPROVED]: "APPROVED",
  [ParticipantStatus.IN_REVIEW]: "IN_REVIEW",
  [ParticipantStatus.REJECTED]: "REJECTED",
  [ParticipantStatus.UNRECOGNIZED]: undefined,
});

const reasonCodec = enumCodec<ReasonCode, ReasonWord>({
  [ReasonCode.UNSPECIFIED]: undefined,
  [ReasonCode.REQUIREMENT_NOT_MET]: "REQUIREMENT_NOT_MET",
  [ReasonCode.SCREENING_HIT]: "SCREENING_HIT",
  [ReasonCode.UNRECOGNIZED]: undefined,
});

const typeCodec = enumCodec<PersonType, TypeWord>({
  [PersonType.UNSPECIFIED]: undefined,
  [PersonType.INDIVIDUAL]: "INDIVIDUAL",
  [PersonType.BUSINESS]: "BUSINESS",
  [PersonType.UNRECOGNIZED]: undefined,
});

const genderCodec = enumCodec<Gender, "M" | "F">({
  [Gender.UNSPECIFIED]: undefined,
  [Gender.FEMALE]: "F",
  [Gender.MALE]: "M",
  [Gender.UNRECOGNIZED]: undefined,
});

const roleCodec = enumCodec<PartyRole, RoleWord>({
  [PartyRole.UNSPECIFIED]: undefined,
  [PartyRole.OWNER]: "OWNER",
  [PartyRole.DIRECTOR]: "DIRECTOR",
  [PartyRole.SIGNATORY]: "SIGNATORY",
  [PartyRole.CONTROLLER]: "CONTROLLER",
  [PartyRole.UNRECOGNIZED]: undefined,
});

const levelCodec = enumCodec<ComplianceLevel, LevelStanding["level"]>({
  [ComplianceLevel.UNSPECIFIED]: undefined,
  [ComplianceLevel.NONE]: "NONE",
  [ComplianceLevel.BASIC]: "BASIC",
  [ComplianceLevel.FULL]: "FULL",
  [ComplianceLevel.UNRECOGNIZED]: undefined,
});

/** Returns the kind. Throws INVALID_ARGUMENT if none is given. */
export function decodeKind(wire: ParticipantKind): KindWord {
  const kind = kindCodec.decode(wire);
  if (kind === undefined) throw invalid([{ field: "kind", message: "must be PERSON or COMPANY" }]);
  return kind;
}

/** Returns the kind; undefined if none is given, which means either. */
export const decodeAnyKind = (wire: ParticipantKind | undefined): KindWord | undefined =>
  wire === undefined ? undefined : decodeKind(wire);

/** Returns the state; undefined if none is given, which means any. */
export const decodeAnyStatus = (wire: ParticipantStatus): StatusWord | undefined => statusCodec.decode(wire);

export const encodeReasons = (codes: readonly ReasonWord[]): ReasonCode[] =>
  codes.map((code) => reasonCodec.encode(code));

export const encodeKind = (kind: KindWord): ParticipantKind => kindCodec.encode(kind);
export const encodeStatus = (status: StatusWord): ParticipantStatus => statusCodec.encode(status);

const said = (text: string): string | undefined => (text === "" ? undefined : text);

/** Returns the word of an optional enum; an unknown value becomes a text that every rule refuses. */
const wordOf = <W extends string>(
  wire: W,
  unspecified: W,
  codec: { decode(wire: W): string | undefined },
): string | undefined => (wire === unspecified ? undefined : (codec.decode(wire) ?? ""));

/** Most decimals of a number on the wire. */
const maxScale = 18;

export function decodePerson(details: PersonDetails | undefined): GivenPerson {
  if (details === undefined) return {};
  const { address, relatedParties } = details;
  return {
    type: wordOf(details.type, PersonType.UNSPECIFIED, typeCodec),
    identificationType: said(details.identificationType),
    identification: said(details.identification),
    gender: wordOf(details.gender, Gender.UNSPECIFIED, genderCodec),
    firstName: said(details.firstName),
    lastName: said(details.lastName),
    companyName: said(details.companyName),
    birthDate: said(details.birthDate),
    nationality: said(details.nationality),
    address: address && decodeAddress(address),
    relatedParties: relatedParties.length === 0 ? undefined : relatedParties.map(decodeParty),
  };
}

export const decodeAddress = (address: PersonAddress): GivenAddress => ({
  addressLine1: said(address.addressLine1),
  addressLine2: said(address.addressLine2),
  city: said(address.city),
  state: said(address.state),
  postalCode: said(address.postalCode),
  countryCode: said(address.countryCode),
  phoneNumber: said(address.phoneNumber),
  emailAddress: said(address.emailAddress),
});

const decodeParty = ({ participantId, roles, sharePercent }: WireRelatedParty): GivenParty => ({
  participantId,
  roles: roles.map((role) => roleCodec.decode(role)),
  share: sharePercent && decodeShare(sharePercent),
});

/** Returns the share without trailing zeros. An invalid share becomes 0, which is refused. */
function decodeShare({ unscaled, scale }: WireDecimal): Decimal {
  if (unscaled <= 0n || scale < 0 || scale > maxScale) return { digits: 0n, scale: 0 };
  let share: Decimal = { digits: unscaled, scale };
  while (share.scale > 0 && share.digits % 10n === 0n) share = { digits: share.digits / 10n, scale: share.scale - 1 };
  return share;
}

export function encodePerson(fields: PersonFields): PersonDetails {
  const { type, gender, address, relatedParties = [] } = fields;
  return {
    type: type === undefined ? PersonType.UNSPECIFIED : typeCodec.encode(type),
    identificationType: fields.identificationType ?? "",
    identification: fields.identification ?? "",
    gender: gender === undefined ? Gender.UNSPECIFIED : genderCodec.encode(gender),
    firstName: fields.firstName ?? "",
    lastName: fields.lastName ?? "",
    companyName: fields.companyName ?? "",
    birthDate: fields.birthDate ?? "",
    nationality: fields.nationality ?? "",
    address: address && encodeAddress(address),
    relatedParties: relatedParties.map(encodeParty),
  };
}

export const encodeAddress = (address: AddressFields): PersonAddress => ({
  addressLine1: address.addressLine1 ?? "",
  addressLine2: address.addressLine2 ?? "",
  city: address.city ?? "",
  state: address.state ?? "",
  postalCode: address.postalCode ?? "",
  countryCode: address.countryCode ?? "",
  phoneNumber: address.phoneNumber ?? "",
  emailAddress: address.emailAddress ?? "",
});

function encodeParty(party: RelatedParty): WireRelatedParty {
  const share = shareOf(party);
  return {
    participantId: party.participantId,
    roles: party.roles.map((role) => roleCodec.encode(role)),
    sharePercent: share && { unscaled: share.digits, scale: share.scale },
  };
}

/** Returns the messages' name of a field: `address.country_code` for `address.countryCode`. */
const wireNameOf = (path: string): string => path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const pathByWireName = new Map(fieldPaths.map((path) => [wireNameOf(path), path]));

/** Returns the fields that a mask names. Throws INVALID_ARGUMENT for a path that a person does not have. */
export function decodeMask(mask: readonly string[] | undefined): readonly FieldPath[] {
  return (mask ?? []).map((name) => {
    const path = pathByWireName.get(name);
    if (path === undefined) {
      throw invalid([{ field: "updateMask", message: "must name fields of PersonDetails, such as address.city" }]);
    }
    return path;
  });
}

export function encodeDecision({ id, fields, decision }: RegisteredPerson): WirePersonDecision {
  const { type, firstName, lastName } = encodePerson(fields);
  const { status, message, reasonCodes } = decision;
  return {
    personId: id,
    type,
    firstName,
    lastName,
    status: statusCodec.encode(status),
    message,
    reasonCodes: encodeReasons(reasonCodes),
  };
}

export function encodeParticipant(participant: Participant): WireParticipant {
  const { id, fields, status, reasonCodes, version, createdAt, updatedAt } = participant;
  return {
    participantId: id,
    details: encodePerson(fields),
    status: statusCodec.encode(status),
    reasonCodes: encodeReasons(reasonCodes),
    version,
    createdAt,
    updatedAt,
  };
}

export const encodeLevel = (level: LevelStanding["level"]): ComplianceLevel => levelCodec.encode(level);
