import type { Session, Verification } from "../../proto/gen/corridor/identity/v1/kyc_service";
import { answerLimits, decodeUtf8, parseJsonObject } from "../../services/shared/kernel/json";
import type { Upstreams } from "../clients";
import { type Answer, jsonAnswer, type Route, requireParam, type TenantCall } from "../route";
import {
  sessionRequestSchema,
  sessionSchema,
  verificationRequestSchema,
  verificationSchema,
} from "../schemas/session-schemas";

/** KYC sessions: a person shows a document on a page of the verification vendor. */
export function sessionRoutes({ identity }: Pick<Upstreams, "identity">): readonly Route[] {
  const sessions = { scheme: "bearer", scope: "sessions", tag: "KYC" } as const;
  const verifications = { scheme: "bearer", scope: "verifications", tag: "KYC" } as const;
  return [
    {
      ...sessions,
      method: "POST",
      path: "/v1/sessions",
      summary: "Open a session. An undecided one of the same document is superseded.",
      body: "json",
      requestSchema: sessionRequestSchema,
      success: { status: 200, description: "The new session.", schema: sessionSchema },
      refusals: ["PARTICIPANT_NOT_FOUND"],
      async handle({ tenant, body }: TenantCall) {
        const { session } = await identity.createSession({ tenant, bodyJson: body });
        return sessionAnswer(session);
      },
    },
    {
      ...sessions,
      method: "GET",
      path: "/v1/sessions/{sessionId}",
      summary: "Read a session.",
      body: "none",
      params: { sessionId: "Id of the session." },
      success: { status: 200, description: "The session.", schema: sessionSchema },
      refusals: ["SESSION_NOT_FOUND"],
      async handle(call: TenantCall) {
        const sessionId = requireParam(call, "sessionId");
        const { session } = await identity.getSession({ tenant: call.tenant, sessionId });
        return sessionAnswer(session);
      },
    },
    {
      ...verifications,
      method: "POST",
      path: "/v1/verifications",
      summary: "Ask the vendor where a session stands.",
      body: "json",
      requestSchema: verificationRequestSchema,
      success: { status: 202, description: "The verification.", schema: verificationSchema },
      refusals: ["SESSION_NOT_FOUND"],
      async handle({ tenant, body }: TenantCall) {
        const { verification } = await identity.createVerification({ tenant, bodyJson: body });
        return verificationAnswer(verification, 202);
      },
    },
    {
      ...verifications,
      method: "GET",
      path: "/v1/verifications/{verificationId}",
      summary: "Read a verification.",
      body: "none",
      params: { verificationId: "Id of the verification." },
      success: { status: 200, description: "The verification.", schema: verificationSchema },
      refusals: ["SESSION_NOT_FOUND"],
      async handle(call: TenantCall) {
        const verificationId = requireParam(call, "verificationId");
        const { verification } = await identity.getVerification({ tenant: call.tenant, verificationId });
        return verificationAnswer(verification, 200);
      },
    },
  ];
}

function sessionAnswer(session: Session | undefined): Answer {
  if (session?.createdAt === undefined || session.expiresAt === undefined) {
    throw new Error("the identity service sent no session");
  }
  const { sessionId, userRef, url, attemptsRemaining, createdAt, expiresAt, decision, detailsJson } = session;
  const details = parseJsonObject(decodeUtf8(detailsJson), answerLimits).value;
  const body = {
    sessionId,
    userRef,
    status: session.status,
    url,
    attemptsRemaining,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    decision: decision === undefined ? null : { ...decision, decidedAt: decision.decidedAt?.toISOString() },
    ...details,
  };
  return jsonAnswer(body);
}

function verificationAnswer(verification: Verification | undefined, status: number): Answer {
  if (verification === undefined) throw new Error("the identity service sent no verification");
  const { verificationId, sessionId, documentId } = verification;
  const subject = documentId === "" ? { sessionId } : { documentId };
  return jsonAnswer({ verificationId, status: verification.status, ...subject }, status);
}
