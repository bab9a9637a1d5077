import type { Decimal as WireDecimal } from "../../proto/gen/corridor/common/v1/money";
import {
  ComplianceLevel,
  type ListedParticipant,
  type Participant,
  type PersonDecision,
} from "../../proto/gen/corridor/identity/v1/identity_service";
import {
  Gender,
  ParticipantKind,
  ParticipantStatus,
  PartyRole,
  type PersonAddress,
  type PersonDetails,
  PersonType,
  ReasonCode,
  type RelatedParty,
} from "../../proto/gen/corridor/identity/v1/participant";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import { type Decimal, formatDecimal } from "../../services/shared/kernel/money";
import type { Draft } from "../contract/draft";
import type { Infer } from "../contract/infer";
import type { companyChange, newCompany, personChange, personRequest } from "../contract/persons";

type ChangeBody = Draft<Infer<typeof companyChange>> | Draft<Infer<typeof personChange>>;
/** A body, or the valid remainder of a refused one. A null and an empty text count as absent. */
type PersonBody = Draft<Infer<typeof personRequest>> | Draft<Infer<typeof newCompany>> | ChangeBody;

const types = { INDIVIDUAL: PersonType.INDIVIDUAL, BUSINESS: PersonType.BUSINESS } as const;
const genders = { M: Gender.MALE, F: Gender.FEMALE } as const;
const roles = {
  OWNER: PartyRole.OWNER,
  DIRECTOR: PartyRole.DIRECTOR,
  SIGNATORY: PartyRole.SIGNATORY,
  CONTROLLER: PartyRole.CONTROLLER,
} as const;

export function toPersonDetails(body: PersonBody): PersonDetails {
  const { type, gender, address } = body;
  const parties = "relatedParties" in body ? (body.relatedParties ?? []) : [];
  return {
    type: type ? types[type] : PersonType.UNSPECIFIED,
    identificationType: body.identificationType ?? "",
    identification: body.identification ?? "",
    gender: gender ? genders[gender] : Gender.UNSPECIFIED,
    firstName: body.firstName ?? "",
    lastName: body.lastName ?? "",
    companyName: body.companyName ?? "",
    birthDate: body.birthDate ?? "",
    nationality: body.nationality ?? "",
    address: address ? toPersonAddress(address) : undefined,
    relatedParties: parties.map(toRelatedParty),
  };
}

type AddressBody = { readonly [Part in keyof PersonAddress]?: string | null | undefined };

export const toPersonAddress = (address: AddressBody): PersonAddress => ({
  addressLine1: address.addressLine1 ?? "",
  addressLine2: address.addressLine2 ?? "",
  city: address.city ?? "",
  state: address.state ?? "",
  postalCode: address.postalCode ?? "",
  countryCode: address.countryCode ?? "",
  phoneNumber: address.phoneNumber ?? "",
  emailAddress: address.emailAddress ?? "",
});

type PartyBody = NonNullable<NonNullable<Draft<Infer<typeof newCompany>>["relatedParties"]>[number]>;

/** A party that was refused as a whole keeps its place in the list. */
const toRelatedParty = ({ participantId, roles: given = [], share }: PartyBody = {}): RelatedParty => ({
  participantId: participantId ?? "",
  roles: given.flatMap((role) => (role === undefined ? [] : [roles[role]])),
  sharePercent: share && toDecimal(share),
});

const maxInt64 = 2n ** 63n - 1n;
/** Most decimals of a number on the wire. */
const maxScale = 18;

/** A share with more digits than a message carries has more than a share may have: it is sent as 0, which is refused. */
const toDecimal = ({ digits, scale }: Decimal): WireDecimal =>
  digits <= maxInt64 && scale <= maxScale ? { unscaled: digits, scale } : { unscaled: 0n, scale: 0 };

/**
 * Returns the fields that a merge patch (RFC 7396) changes, as the message names them. An address is named part by part, so that a part
 * which the patch does not name stays.
 */
export function toUpdateMask(body: ChangeBody): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (name !== "address" || value === null) return [wireNameOf(name)];
    return Object.keys(value as object).map((part) => `address.${wireNameOf(part)}`);
  });
}

const wireNameOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const typeNames: Readonly<Record<PersonType, "INDIVIDUAL" | "BUSINESS" | undefined>> = {
  [PersonType.UNSPECIFIED]: undefined,
  [PersonType.INDIVIDUAL]: "INDIVIDUAL",
  [PersonType.BUSINESS]: "BUSINESS",
  [PersonType.UNRECOGNIZED]: undefined,
};

const genderNames: Readonly<Record<Gender, "M" | "F" | undefined>> = {
  [Gender.UNSPECIFIED]: undefined,
  [Gender.FEMALE]: "F",
  [Gender.MALE]: "M",
  [Gender.UNRECOGNIZED]: undefined,
};

const roleNames: Readonly<Record<PartyRole, keyof typeof roles | undefined>> = {
  [PartyRole.UNSPECIFIED]: undefined,
  [PartyRole.OWNER]: "OWNER",
  [PartyRole.DIRECTOR]: "DIRECTOR",
  [PartyRole.SIGNATORY]: "SIGNATORY",
  [PartyRole.CONTROLLER]: "CONTROLLER",
  [PartyRole.UNRECOGNIZED]: undefined,
};

const statusNames: Readonly<Record<ParticipantStatus, "APPROVED" | "IN_REVIEW" | "REJECTED" | undefined>> = {
  [ParticipantStatus.UNSPECIFIED]: undefined,
  [ParticipantStatus.APPROVED]: "APPROVED",
  [ParticipantStatus.IN_REVIEW]: "IN_REVIEW",
  [ParticipantStatus.REJECTED]: "REJECTED",
  [ParticipantStatus.UNRECOGNIZED]: undefined,
};

const reasonNames: Readonly<Record<ReasonCode, "REQUIREMENT_NOT_MET" | "SCREENING_HIT" | undefined>> = {
  [ReasonCode.UNSPECIFIED]: undefined,
  [ReasonCode.REQUIREMENT_NOT_MET]: "REQUIREMENT_NOT_MET",
  [ReasonCode.SCREENING_HIT]: "SCREENING_HIT",
  [ReasonCode.UNRECOGNIZED]: undefined,
};

const kindNames: Readonly<Record<ParticipantKind, "PERSON" | "COMPANY" | undefined>> = {
  [ParticipantKind.UNSPECIFIED]: undefined,
  [ParticipantKind.PERSON]: "PERSON",
  [ParticipantKind.COMPANY]: "COMPANY",
  [ParticipantKind.UNRECOGNIZED]: undefined,
};

const levelNames: Readonly<Record<ComplianceLevel, "NONE" | "BASIC" | "FULL" | undefined>> = {
  [ComplianceLevel.UNSPECIFIED]: undefined,
  [ComplianceLevel.NONE]: "NONE",
  [ComplianceLevel.BASIC]: "BASIC",
  [ComplianceLevel.FULL]: "FULL",
  [ComplianceLevel.UNRECOGNIZED]: undefined,
};

/** The value, which every answer of the identity service has. */
function sent<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`the identity service sent no ${what}`);
  return value;
}

export const kindName = (kind: ParticipantKind) => sent(kindNames[kind], "kind");
export const statusName = (status: ParticipantStatus) => sent(statusNames[status], "status");
export const levelName = (level: ComplianceLevel) => sent(levelNames[level], "level");
const reasonsOf = (codes: readonly ReasonCode[]) => codes.map((code) => sent(reasonNames[code], "reason"));

/** A text that is not empty. */
const said = (text: string): string | undefined => (text === "" ? undefined : text);

export function renderDecision(decision: PersonDecision | undefined) {
  const { personId, type, firstName, lastName, status, message, reasonCodes } = sent(decision, "decision");
  const word = statusName(status);
  if (word === "IN_REVIEW") throw new Error("the identity service sent a decision that is none");
  // Members that are undefined do not appear in the answer.
  return {
    id: personId,
    type: typeNames[type],
    firstName: said(firstName),
    lastName: said(lastName),
    status: word,
    message,
    ...(message !== undefined && { reasonCodes: reasonsOf(reasonCodes) }),
  };
}

export function renderPerson(participant: Participant | undefined) {
  const { participantId: id, details, status, reasonCodes, createdAt, updatedAt } = sent(participant, "record");
  const { relatedParties: _parties, ...fields } = renderDetails(sent(details, "details"));
  return {
    id,
    ...fields,
    status: statusName(status),
    reasonCodes: reasonsOf(reasonCodes),
    createdAt: sent(createdAt, "time"),
    updatedAt: sent(updatedAt, "time"),
  };
}

/** The state that a list is filtered by. */
export const toParticipantStatus = (word: "APPROVED" | "IN_REVIEW" | "REJECTED" | undefined): ParticipantStatus =>
  word === undefined ? ParticipantStatus.UNSPECIFIED : ParticipantStatus[word];

export const renderListed = ({ participantId: id, status, reasonCodes, createdAt, updatedAt }: ListedParticipant) => ({
  id,
  status: statusName(status),
  reasonCodes: reasonsOf(reasonCodes),
  createdAt: sent(createdAt, "time"),
  updatedAt: sent(updatedAt, "time"),
});

/** Renders what is known about a person or company. */
export function renderDetails(fields: PersonDetails) {
  const { relatedParties } = fields;
  return {
    type: typeNames[fields.type],
    identificationType: said(fields.identificationType),
    identification: said(fields.identification),
    gender: genderNames[fields.gender],
    firstName: said(fields.firstName),
    lastName: said(fields.lastName),
    companyName: said(fields.companyName),
    birthDate: said(fields.birthDate),
    nationality: said(fields.nationality),
    address: fields.address && renderAddress(fields.address),
    relatedParties: relatedParties.length === 0 ? undefined : relatedParties.map(renderRelatedParty),
  };
}

export function renderCompany(participant: Participant | undefined) {
  const { status, reasonCodes, createdAt, updatedAt, ...fields } = renderPerson(participant);
  const { relatedParties } = renderDetails(sent(participant?.details, "details"));
  return {
    ...fields,
    relatedParties,
    status,
    reasonCodes,
    createdAt,
    updatedAt,
  };
}

export const renderAddress = (address: PersonAddress) => ({
  addressLine1: said(address.addressLine1),
  addressLine2: said(address.addressLine2),
  city: said(address.city),
  state: said(address.state),
  postalCode: said(address.postalCode),
  countryCode: said(address.countryCode),
  phoneNumber: said(address.phoneNumber),
  emailAddress: said(address.emailAddress),
});

const renderRelatedParty = ({ participantId, roles: given, sharePercent }: RelatedParty) => ({
  participantId,
  roles: given.map((role) => sent(roleNames[role], "role")),
  share: sharePercent && exactNumber(plainText(sharePercent)),
});

/** Returns the number without trailing zeros. */
const plainText = ({ unscaled, scale }: WireDecimal): string => {
  const text = formatDecimal({ digits: unscaled, scale });
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
};
