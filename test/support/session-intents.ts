import { toSessionDetails } from "../../gateway/codec/session-codec";
import type { SessionDetails } from "../../proto/gen/corridor/identity/v1/kyc_service";

/** The message of a body of the REST API. */
export const sessionOf = (body: object): SessionDetails => toSessionDetails(body as { userRef: string });

/** The subject of a verification. */
export const aboutSession = (value: string) => ({ subject: { $case: "sessionId", value } as const, checks: [] });
export const aboutDocument = (value: string) => ({ subject: { $case: "documentId", value } as const, checks: [] });

/** The word of a verification's status. */
export const verificationWord = (status: string | undefined): string | undefined =>
  status?.replace("VERIFICATION_STATUS_", "");
