import type { FieldViolation } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import { renderSession, renderVerification, toSessionDetails, toVerification } from "../codec/session-codec";
import { defineRoute } from "../contract/define-route";
import type { Draft } from "../contract/draft";
import type { Infer } from "../contract/infer";
import * as contracts from "../contract/sessions";
import type { Route } from "../route";

const sessions = { scheme: "bearer", scope: "sessions", tag: "KYC" } as const;
const verifications = { scheme: "bearer", scope: "verifications", tag: "KYC" } as const;

/** KYC sessions: a person presents a document on a page of the verification vendor. */
export const sessionRoutes = ({ identity }: Pick<Upstreams, "identity">): readonly Route[] => [
  defineRoute({
    ...sessions,
    method: "POST",
    path: "/v1/sessions",
    summary: "Open a session. An undecided one of the same document is superseded.",
    request: contracts.sessionRequest,
    response: { status: 200, description: "The new session.", schema: contracts.session },
    refusals: ["PARTICIPANT_NOT_FOUND"],
    alsoRefuses: unknownTypes,
    handle: async ({ tenant, body }) =>
      renderSession((await identity.createSession({ tenant, session: toSessionDetails(body) })).session),
  }),
  defineRoute({
    ...sessions,
    method: "GET",
    path: "/v1/sessions/{sessionId}",
    summary: "Read a session.",
    params: { sessionId: "Id of the session." },
    response: { status: 200, description: "The session.", schema: contracts.session },
    refusals: ["SESSION_NOT_FOUND"],
    handle: async ({ tenant, params: { sessionId } }) =>
      renderSession((await identity.getSession({ tenant, sessionId })).session),
  }),
  defineRoute({
    ...verifications,
    method: "POST",
    path: "/v1/verifications",
    summary: "Ask the vendor where a session stands.",
    request: contracts.verificationRequest,
    response: { status: 202, description: "The verification.", schema: contracts.verification },
    refusals: ["SESSION_NOT_FOUND"],
    handle: async ({ tenant, body }) =>
      renderVerification((await identity.createVerification({ tenant, ...toVerification(body) })).verification),
  }),
  defineRoute({
    ...verifications,
    method: "GET",
    path: "/v1/verifications/{verificationId}",
    summary: "Read a verification.",
    params: { verificationId: "Id of the verification." },
    response: { status: 200, description: "The verification.", schema: contracts.verification },
    refusals: ["SESSION_NOT_FOUND"],
    handle: async ({ tenant, params: { verificationId } }) =>
      renderVerification((await identity.getVerification({ tenant, verificationId })).verification),
  }),
];

/** A violation names the whole list if one of its kinds is unknown. */
const unknownTypes = ({ documentTypes = [] }: Draft<Infer<typeof contracts.sessionRequest>>): FieldViolation[] =>
  documentTypes.every((type) => type === undefined || /^[A-Z][A-Z_]{1,63}$/.test(type))
    ? []
    : [{ field: "documentTypes", message: contracts.sessionRequest.properties.documentTypes.rule }];
