import type {
  SessionDetails,
  Session as WireSession,
  Verification as WireVerification,
} from "../../../proto/gen/corridor/identity/v1/kyc_service";
import { VerificationStatus } from "../../../proto/gen/corridor/identity/v1/verification_status";
import { enumCodec } from "../../shared/kernel/enum-codec";
import { invalid } from "../../shared/kernel/errors";
import { decodeUtf8, parseJsonObject } from "../../shared/kernel/json";
import { maxAttempts, type Session, type ShownStatus, shownStatus } from "../domain/session";
import type { GivenSession } from "../domain/session-request";
import type { AskedVerification } from "../operations/create-verification";

export const verificationStatusCodec = enumCodec<VerificationStatus, ShownStatus>({
  [VerificationStatus.UNSPECIFIED]: undefined,
  [VerificationStatus.PENDING]: "PENDING",
  [VerificationStatus.VERIFIED]: "VERIFIED",
  [VerificationStatus.REJECTED]: "REJECTED",
  [VerificationStatus.SUPERSEDED]: "SUPERSEDED",
  [VerificationStatus.FAILED]: "FAILED",
  [VerificationStatus.ERRORED]: "ERRORED",
  [VerificationStatus.EXPIRED]: "EXPIRED",
  [VerificationStatus.UNRECOGNIZED]: undefined,
});

const said = (text: string): string | undefined => (text === "" ? undefined : text);

export function decodeSession(details: SessionDetails | undefined): GivenSession {
  if (details === undefined) return { documentTypes: [] };
  const { metadataJson } = details;
  return {
    userRef: said(details.userRef),
    type: said(details.type),
    documentTypes: details.documentTypes,
    countryCode: said(details.countryCode),
    personId: said(details.personId),
    redirectUrl: said(details.redirectUrl),
    metadata: metadataJson.length === 0 ? undefined : decodeMetadata(metadataJson),
  };
}

/** Most bytes of a caller's own object. */
const maxMetadataBytes = 65_536;

/** Reads a caller's own object by the rules of request bodies; refusals name places within it. */
function decodeMetadata(json: Uint8Array): string {
  if (json.length > maxMetadataBytes) throw refusedMetadata(`must be at most ${maxMetadataBytes} bytes long`);
  const { value } = parseJsonObject(`{"metadata":${decodeUtf8(json)}}`);
  const { metadata } = value;
  const isObject = typeof metadata === "object" && metadata !== null && !Array.isArray(metadata);
  // A text that closes the object around it could add other keys.
  if (!isObject || Object.keys(value).length !== 1) throw refusedMetadata("must be an object");
  return JSON.stringify(metadata);
}

const refusedMetadata = (message: string) => invalid([{ field: "metadata", message }]);

export function encodeSession(session: Session): WireSession {
  const { id, attempts, createdAt, expiresAt, decision, personId, facts } = session;
  return {
    sessionId: id,
    details: {
      userRef: facts.userRef,
      type: facts.type ?? "",
      documentTypes: [...facts.documentTypes],
      countryCode: facts.countryCode ?? "",
      personId: personId ?? "",
      redirectUrl: facts.redirectUrl ?? "",
      metadataJson: Buffer.from(facts.metadata ?? ""),
    },
    status: verificationStatusCodec.encode(shownStatus(session)),
    url: facts.url,
    attemptsRemaining: maxAttempts - attempts,
    createdAt,
    expiresAt,
    decision: decision && { ...decision, status: verificationStatusCodec.encode(decision.status) },
  };
}

export const encodeVerification = ({ verification, status }: AskedVerification): WireVerification => ({
  verificationId: verification.id,
  status: verificationStatusCodec.encode(status),
  subject: {
    $case: verification.about === "session" ? "sessionId" : "documentId",
    value: verification.subjectId,
  },
});
