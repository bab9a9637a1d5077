import type {
  CreateVerificationRequest,
  Session,
  SessionDetails,
  Verification,
} from "../../proto/gen/corridor/identity/v1/kyc_service";
import type { JsonObject } from "../../services/shared/kernel/json";
import type { Infer } from "../contract/infer";
import type { sessionRequest, verificationRequest } from "../contract/sessions";
import { decisionName, verificationStatusName } from "./verification-status";

export const toSessionDetails = (body: Infer<typeof sessionRequest>): SessionDetails => ({
  userRef: body.userRef,
  type: body.type ?? "",
  documentTypes: [...(body.documentTypes ?? [])],
  countryCode: body.countryCode ?? "",
  personId: body.personId ?? "",
  redirectUrl: body.redirectUrl ?? "",
  metadataJson: Buffer.from(body.metadata === undefined ? "" : JSON.stringify(body.metadata)),
});

/** If there are two ids, that of the session counts. */
export function toVerification(
  body: Infer<typeof verificationRequest>,
): Pick<CreateVerificationRequest, "subject" | "checks"> {
  const documentId = "documentId" in body ? body.documentId : "";
  const subject =
    body.sessionId === undefined
      ? ({ $case: "documentId", value: documentId } as const)
      : ({ $case: "sessionId", value: body.sessionId } as const);
  return { subject, checks: [...(body.checks ?? [])] };
}

/** The value, which every answer of the identity service has. */
function sent<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`the identity service sent no ${what}`);
  return value;
}

/** A text that is not empty. */
const said = (text: string): string | undefined => (text === "" ? undefined : text);

export function renderSession(session: Session | undefined) {
  const { sessionId, details, status, url, attemptsRemaining, createdAt, expiresAt, decision } = sent(
    session,
    "session",
  );
  const facts = sent(details, "details");
  const metadata = Buffer.from(facts.metadataJson).toString("utf8");
  return {
    sessionId,
    userRef: facts.userRef,
    status: verificationStatusName(status),
    url,
    attemptsRemaining,
    createdAt: sent(createdAt, "time"),
    expiresAt: sent(expiresAt, "time"),
    decision:
      decision === undefined
        ? null
        : {
            status: decisionName(decision.status),
            reasonCode: decision.reasonCode,
            decidedAt: sent(decision.decidedAt, "time"),
          },
    type: said(facts.type),
    documentTypes: facts.documentTypes,
    countryCode: said(facts.countryCode),
    personId: said(facts.personId),
    redirectUrl: said(facts.redirectUrl),
    metadata: metadata === "" ? undefined : (JSON.parse(metadata) as JsonObject),
  };
}

export function renderVerification(verification: Verification | undefined) {
  const { verificationId, status, subject } = sent(verification, "verification");
  const { $case: name, value } = sent(subject, "subject");
  const shown = { verificationId, status: verificationStatusName(status) };
  return name === "sessionId" ? { ...shown, sessionId: value } : { ...shown, documentId: value };
}
