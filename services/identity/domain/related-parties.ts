import type { FieldViolation } from "../../shared/kernel/errors";
import type { JsonValue } from "../../shared/kernel/json";
import { parseDecimal } from "../../shared/kernel/money";

const partyRoles = ["OWNER", "DIRECTOR", "SIGNATORY", "CONTROLLER"] as const;
export type PartyRole = (typeof partyRoles)[number];

/** Somebody who owns a company, directs it, signs for it or controls it: a person or company of the same tenant. */
export interface RelatedParty {
  participantId: string;
  roles: readonly PartyRole[];
  /** Of owners alone: what of the company belongs to them, in millionths. */
  shareMillionths: number | undefined;
}

const mostParties = 100;
const wholeMillionths = 1_000_000;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads `[{participantId, roles, share?}]`; shares are per cent with up to four decimals, and not more than 100 in sum. */
export function parseRelatedParties(
  value: JsonValue | undefined,
  violations: FieldViolation[],
): readonly RelatedParty[] | undefined {
  if (value === undefined || value === null) return undefined;
  const field = "relatedParties";
  if (!Array.isArray(value) || value.length > mostParties) {
    violations.push({ field, message: `must be a list of at most ${mostParties}` });
    return undefined;
  }
  const parties = value.map((party, index) => parseParty(party, `${field}.${index}`, violations));
  const sum = parties.reduce((total, { shareMillionths }) => total + (shareMillionths ?? 0), 0);
  if (sum > wholeMillionths) violations.push({ field, message: "must not own more than 100 per cent together" });
  if (new Set(parties.map(({ participantId }) => participantId)).size < parties.length) {
    violations.push({ field, message: "must name everybody once" });
  }
  return parties;
}

function parseParty(value: JsonValue, field: string, violations: FieldViolation[]): RelatedParty {
  const { participantId, roles, share, ...unknown } = Object(value) as Record<string, unknown>;
  const check = (isGood: boolean, name: string, message: string): void => {
    if (!isGood) violations.push({ field: `${field}.${name}`, message });
  };
  for (const name of Object.keys(unknown)) check(false, name, "is not a member of a related party");
  const isId = typeof participantId === "string" && uuid.test(participantId);
  check(isId, "participantId", "must be the id of a person or company");
  const given: readonly unknown[] = Array.isArray(roles) ? roles : [];
  const known = partyRoles.filter((role) => given.includes(role));
  check(
    known.length > 0 && known.length === given.length,
    "roles",
    `must be a list of ${partyRoles.join(", ")}, each once`,
  );
  const isOwner = known.includes("OWNER");
  const shareMillionths = typeof share === "number" ? millionthsOf(share) : undefined;
  if (isOwner) check(shareMillionths !== undefined, "share", "must be above 0 and at most 100, with up to 4 decimals");
  else check(share === undefined || known.length === 0, "share", "is for owners alone");
  return {
    participantId: isId ? participantId : "",
    roles: known,
    shareMillionths: isOwner ? shareMillionths : undefined,
  };
}

function millionthsOf(percent: number): number | undefined {
  const decimal = parseDecimal(String(percent));
  if (decimal === undefined || decimal.scale > 4) return undefined;
  const millionths = Number.parseInt(String(decimal.digits * 10n ** BigInt(4 - decimal.scale)), 10);
  return millionths > 0 && millionths <= wholeMillionths ? millionths : undefined;
}

/** The parties as they were sent. */
export const relatedPartiesToJson = (parties: readonly RelatedParty[]): JsonValue =>
  parties.map(({ participantId, roles, shareMillionths }) => ({
    participantId,
    roles: [...roles],
    ...(shareMillionths !== undefined && { share: shareMillionths / 10_000 }),
  }));
