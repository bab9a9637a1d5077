import type { Participant } from "./participant";

type ComplianceLevel = "NONE" | "BASIC" | "FULL";

/** One level, and what a participant lacks for it. */
export interface LevelStanding {
  level: ComplianceLevel;
  /** Fields as the person schema names them, `screening`, and documents as `documents.<type>`; empty when it is reached. */
  missing: readonly string[];
}

/** Any of these documents proves the identity of a person. */
const identityDocuments = ["PASSPORT", "NATIONAL_ID", "DRIVERS_LICENSE", "RESIDENCE_PERMIT"];

/**
 * Returns what is missing for each level. BASIC requires a name, the date of birth of a person, what the country requires (`unmet` names
 * those fields) and a clear screening; FULL also requires a document that proves identity and one that proves the address, both verified,
 * and for a company that no owner is `unknown`. Each level includes the requirements of the one before.
 */
export function levelsOf(
  { kind, fields, reasonCodes }: Pick<Participant, "kind" | "fields" | "reasonCodes">,
  unmet: readonly string[],
  verified: ReadonlySet<string>,
  unknown: readonly string[] = [],
): { level: ComplianceLevel; levels: readonly LevelStanding[] } {
  const wanted = kind === "COMPANY" ? (["companyName"] as const) : (["firstName", "lastName", "birthDate"] as const);
  const basic = [
    ...wanted.filter((name) => fields[name] === undefined),
    ...(fields.address?.countryCode === undefined ? ["address.countryCode"] : []),
    ...unmet,
    ...(reasonCodes.includes("SCREENING_HIT") ? ["screening"] : []),
  ];
  const isIdentified = kind === "COMPANY" ? verified.has("COMPANY_REGISTRATION") : hasAny(verified, identityDocuments);
  const full = [
    ...basic,
    ...(isIdentified ? [] : [kind === "COMPANY" ? "documents.COMPANY_REGISTRATION" : "documents.IDENTITY"]),
    ...(verified.has("PROOF_OF_ADDRESS") ? [] : ["documents.PROOF_OF_ADDRESS"]),
    ...unknown,
  ];
  const standing = (level: ComplianceLevel, missing: readonly string[]): LevelStanding => ({
    level,
    missing: [...new Set(missing)],
  });
  const levels = [standing("NONE", []), standing("BASIC", basic), standing("FULL", full)];
  const reached = levels.findLast(({ missing }) => missing.length === 0);
  return { level: reached?.level ?? "NONE", levels };
}

const hasAny = (found: ReadonlySet<string>, wanted: readonly string[]): boolean => wanted.some((one) => found.has(one));
