import type { ListSessionsResponse, User } from "../../proto/gen/corridor/auth/v1/people_service";
import { DomainError } from "../../services/shared/kernel/errors";
import { tenantRoles } from "../../services/shared/kernel/roles";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import * as contracts from "../contract/users";
import { isSession } from "../people";
import type { Route } from "../route";
import { renderPerson } from "./logins";

type Auth = Pick<Upstreams, "auth">;

const common = { scheme: "person", tag: "People" } as const;

export const renderUser = (user: User | undefined): Answered<typeof contracts.user> => {
  if (user === undefined) throw new Error("the auth service sent no user");
  const { userId, email = null, roles, isDisabled, hasCome, createdAt } = user;
  return { userId, email, roles: [...roles], isDisabled, hasCome, createdAt: createdAt?.toISOString() ?? null };
};

/** Ends the session that a request presents. A token of another issuer cannot be ended here. */
export async function endShownSession({ auth }: Auth, authorization = ""): Promise<void> {
  const session = authorization.replace(/^bearer +/i, "");
  if (!isSession(session)) throw new DomainError("RECORD_CONFLICT", "the credential is no session");
  await auth.endSession({ session });
}

/** The session of one of a tenant's people, and the tenant's users for its admin. */
export const userRoutes = (upstreams: Auth): readonly Route[] => [
  ...sessionRoutes(upstreams),
  ...teamRoutes(upstreams),
];

const sessionRoutes = (upstreams: Auth): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/session",
    summary: "Who the session is of, and what it may do.",
    response: { status: 200, description: "Who calls.", schema: contracts.session },
    refusals: [],
    handle: async ({ tenant, person }) => renderPerson({ ...person, roles: [...person.roles], tenant }),
  }),
  defineRoute({
    ...common,
    method: "DELETE",
    path: "/session",
    summary: "End the session.",
    response: { status: 204, description: "It works no more." },
    refusals: ["RECORD_CONFLICT"],
    handle: ({ headers }) => endShownSession(upstreams, headers.authorization),
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/sessions",
    summary: "List one's own sessions.",
    response: { status: 200, description: "The newest first.", schema: contracts.sessionList },
    refusals: [],
    handle: async ({ tenant, person: { userId, session } }) =>
      renderSessions(await upstreams.auth.listSessions({ tenant, ...here, userId }), session),
  }),
  defineRoute({
    ...common,
    method: "DELETE",
    path: "/sessions/{sessionId}",
    summary: "End one of one's own sessions.",
    params: sessionParam,
    response: { status: 204, description: "It works no more." },
    refusals: ["RECORD_NOT_FOUND"],
    handle: ({ tenant, params: { sessionId }, person: { userId } }) =>
      upstreams.auth.endUserSession({ tenant, ...here, userId, sessionId }),
  }),
];

export const sessionParam = { sessionId: "Id of the session, a UUID." };

/** Sessions of one user; `current` marks the session of the request. */
export const renderSessions = (
  { sessions }: ListSessionsResponse,
  current: string | undefined,
): Answered<typeof contracts.sessionList> => ({
  sessions: sessions.map(({ sessionId, openedAt, seenAt, expiresAt }) => ({
    sessionId,
    isCurrent: sessionId === current,
    openedAt: openedAt?.toISOString() ?? null,
    seenAt: seenAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  })),
});

const usersPath = "/organizations/{tenant}/users";
const here = { isOperator: false };
const tenantParam = { tenant: "Slug of the tenant." };
const userParam = { ...tenantParam, userId: "Id of the user, a UUID." };

/** Another tenant's users do not exist for the caller. */
function admit({ tenant, params }: { tenant: string; params: { tenant: string } }): void {
  if (params.tenant !== tenant) throw new DomainError("RECORD_NOT_FOUND", "there is no such tenant");
}

const teamRoutes = ({ auth }: Auth): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: usersPath,
    summary: "List the people of the tenant.",
    params: tenantParam,
    response: { status: 200, description: "The oldest first.", schema: contracts.userList },
    refusals: ["RECORD_NOT_FOUND"],
    admit,
    handle: async ({ tenant }) => ({ users: (await auth.listUsers({ tenant, ...here })).users.map(renderUser) }),
  }),
  defineRoute({
    ...common,
    isPrivileged: true,
    limit: "userChange",
    method: "POST",
    path: usersPath,
    summary: "Invite somebody by e-mail address.",
    params: tenantParam,
    request: contracts.invitationOf("TenantInvitation", tenantRoles),
    response: { status: 201, description: "The user, who has not come yet.", schema: contracts.user },
    refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"],
    admit,
    handle: async ({ tenant, body: { email, roles } }) =>
      renderUser((await auth.inviteUser({ tenant, ...here, email, roles: [...roles] })).user),
  }),
  defineRoute({
    ...common,
    isPrivileged: true,
    limit: "userChange",
    method: "PATCH",
    path: `${usersPath}/{userId}`,
    summary: "Bind other roles to a user, or shut it out. You cannot change your own roles.",
    params: userParam,
    request: contracts.userChangeOf("TenantUserChange", tenantRoles),
    response: { status: 200, description: "The user.", schema: contracts.user },
    refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"],
    admit,
    async handle({ tenant, params: { userId }, body: { roles, isDisabled }, person: { userId: by } }) {
      const bound = roles === undefined ? undefined : { values: [...roles] };
      return renderUser((await auth.changeUser({ tenant, ...here, userId, roles: bound, isDisabled, by })).user);
    },
  }),
  defineRoute({
    ...common,
    isPrivileged: true,
    limit: "userChange",
    method: "DELETE",
    path: `${usersPath}/{userId}/sessions`,
    summary: "End all sessions of a user, and what the identity provider has given it.",
    params: userParam,
    response: { status: 204, description: "None of them works any more." },
    refusals: ["RECORD_NOT_FOUND"],
    admit,
    handle: async ({ tenant, params: { userId } }) => auth.endUserSessions({ tenant, ...here, userId }),
  }),
];
