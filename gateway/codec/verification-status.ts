import { VerificationStatus } from "../../proto/gen/corridor/identity/v1/verification_status";

const names = {
  [VerificationStatus.UNSPECIFIED]: undefined,
  [VerificationStatus.PENDING]: "PENDING",
  [VerificationStatus.VERIFIED]: "VERIFIED",
  [VerificationStatus.REJECTED]: "REJECTED",
  [VerificationStatus.SUPERSEDED]: "SUPERSEDED",
  [VerificationStatus.FAILED]: "FAILED",
  [VerificationStatus.ERRORED]: "ERRORED",
  [VerificationStatus.EXPIRED]: "EXPIRED",
  [VerificationStatus.UNRECOGNIZED]: undefined,
} as const satisfies Readonly<Record<VerificationStatus, string | undefined>>;

/** Returns the word for a status. */
export function verificationStatusName(status: VerificationStatus) {
  const word = names[status];
  if (word === undefined) throw new Error("the identity service sent no status");
  return word;
}

/** Returns the word for a decision. */
export function decisionName(status: VerificationStatus): "VERIFIED" | "REJECTED" {
  const word = names[status];
  if (word === "VERIFIED" || word === "REJECTED") return word;
  throw new Error("the identity service sent a decision that is none");
}

/** Returns the word for a status that a file can have. */
export function documentStatusName(status: VerificationStatus) {
  const word = verificationStatusName(status);
  if (word !== "FAILED" && word !== "EXPIRED") return word;
  throw new Error(`the identity service sent a file that is ${word}`);
}
