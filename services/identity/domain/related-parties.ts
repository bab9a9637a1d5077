import type { FieldViolation } from "../../shared/kernel/errors";
import type { Decimal } from "../../shared/kernel/money";

const partyRoles = ["OWNER", "DIRECTOR", "SIGNATORY", "CONTROLLER"] as const;
export type PartyRole = (typeof partyRoles)[number];

/** A party that owns a company, directs it, signs for it or controls it: a person or company of the same tenant. */
export interface RelatedParty {
  participantId: string;
  roles: readonly PartyRole[];
  /** For owners only: their share of the company, in millionths. */
  shareMillionths: number | undefined;
}

/** The same as a caller gives it, unchecked. */
export interface GivenParty {
  participantId: string;
  /** An unknown role is undefined. */
  roles: readonly (PartyRole | undefined)[];
  /** Per cent. */
  share: Decimal | undefined;
}

const mostParties = 100;
const wholeMillionths = 1_000_000;
/** Decimals of a share in per cent. */
const shareScale = 4;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface ReadParties {
  value: readonly RelatedParty[] | undefined;
  violations: readonly FieldViolation[];
}

/** Reads related parties; their shares are per cent with up to four decimals, and not more than 100 in sum. */
export function readRelatedParties(given: readonly GivenParty[] | undefined): ReadParties {
  const field = "relatedParties";
  if (given === undefined) return { value: undefined, violations: [] };
  if (given.length > mostParties) {
    return { value: undefined, violations: [{ field, message: `must be a list of at most ${mostParties}` }] };
  }
  const violations: FieldViolation[] = [];
  const value = given.map((party, index) => readParty(party, `${field}.${index}`, violations));
  const sum = value.reduce((total, { shareMillionths }) => total + (shareMillionths ?? 0), 0);
  if (sum > wholeMillionths) violations.push({ field, message: "must not own more than 100 per cent together" });
  if (new Set(value.map(({ participantId }) => participantId)).size < value.length) {
    violations.push({ field, message: "must name each party once" });
  }
  return { value, violations };
}

function readParty({ participantId, roles, share }: GivenParty, field: string, violations: FieldViolation[]) {
  const check = (isGood: boolean, name: string, message: string): void => {
    if (!isGood) violations.push({ field: `${field}.${name}`, message });
  };
  const isId = uuid.test(participantId);
  check(isId, "participantId", "must be the id of a person or company");
  const known = partyRoles.filter((role) => roles.includes(role));
  check(
    known.length > 0 && known.length === roles.length,
    "roles",
    `must be a list of ${partyRoles.join(", ")}, each once`,
  );
  const isOwner = known.includes("OWNER");
  const shareMillionths = isOwner && share !== undefined ? millionthsOf(share) : undefined;
  if (isOwner) check(shareMillionths !== undefined, "share", "must be above 0 and at most 100, with up to 4 decimals");
  else check(share === undefined || known.length === 0, "share", "is for owners alone");
  return { participantId: isId ? participantId : "", roles: known, shareMillionths };
}

function millionthsOf({ digits, scale }: Decimal): number | undefined {
  if (scale > shareScale) return undefined;
  const millionths = digits * 10n ** BigInt(shareScale - scale);
  return millionths > 0n && millionths <= BigInt(wholeMillionths) ? Number.parseInt(String(millionths), 10) : undefined;
}

/** Returns the share of an owner in per cent. */
export const shareOf = ({ shareMillionths }: RelatedParty): Decimal | undefined =>
  shareMillionths === undefined ? undefined : { digits: BigInt(shareMillionths), scale: shareScale };

/** Returns the parties in the form in which they were given. */
export const givenParties = (parties: readonly RelatedParty[]): readonly GivenParty[] =>
  parties.map((party) => ({ participantId: party.participantId, roles: party.roles, share: shareOf(party) }));
