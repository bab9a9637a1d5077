import { DomainError } from "../../services/shared/kernel/errors";
import { operatorRoles, tenantRoles } from "../../services/shared/kernel/roles";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import * as contracts from "../contract/users";
import type { Route } from "../route";
import { operators, renderPerson, type UserScope } from "../routes/logins";
import { endShownSession, renderSessions, renderUser, sessionParam } from "../routes/users";

type Auth = Pick<Upstreams, "auth">;

const common = { scheme: "operator", tag: "People" } as const;
const refusals = ["RECORD_NOT_FOUND", "RECORD_CONFLICT"] as const;

/** The id of an operator who is one of the users; undefined for an operator with a static token. */
const userIn = (operator: string): string | undefined => /^user:(.+)$/.exec(operator)?.[1];

/** The operator's own session, and the users of the platform and of each tenant. */
export const operatorUserRoutes = (upstreams: Auth): readonly Route[] => [
  ...sessionRoutes(upstreams),
  ...usersAt(upstreams, "/users", operatorRoles),
  ...usersAt(upstreams, "/tenants/{tenant}/users", tenantRoles),
];

const sessionRoutes = (upstreams: Auth): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/session",
    summary: "Who the session or token is of, and what it may do.",
    response: { status: 200, description: "Who calls.", schema: contracts.session },
    refusals: [],
    handle: async ({ operator, roles, until }) =>
      renderPerson({ userId: userIn(operator) ?? "", tenant: undefined, roles: [...roles], expiresAt: until }),
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
    summary: "List one's own sessions. Who has a static token has none.",
    response: { status: 200, description: "The newest first.", schema: contracts.sessionList },
    refusals: [],
    async handle({ operator, session }) {
      const userId = userIn(operator);
      const own = userId === undefined ? { sessions: [] } : await upstreams.auth.listSessions({ ...operators, userId });
      return renderSessions(own, session);
    },
  }),
  defineRoute({
    ...common,
    method: "DELETE",
    path: "/sessions/{sessionId}",
    summary: "End one of one's own sessions.",
    params: sessionParam,
    response: { status: 204, description: "It works no more." },
    refusals: ["RECORD_NOT_FOUND"],
    handle: ({ operator, params: { sessionId } }) =>
      upstreams.auth.endUserSession({ ...operators, userId: userIn(operator) ?? "", sessionId }),
  }),
];

/** The users of one kind: operators, or the people of the tenant that the path names. */
function usersAt(
  { auth }: Auth,
  path: "/users" | "/tenants/{tenant}/users",
  roleNames: typeof operatorRoles | typeof tenantRoles,
): readonly Route[] {
  const isOperators = path === "/users";
  const whose = isOperators ? "the operators" : "the people of a tenant";
  const title = isOperators ? "Operator" : "TenantPerson";
  // Only one of the two paths names a tenant; for the other none is read.
  const place = path as "/tenants/{tenant}/users";
  const tenantParam = isOperators ? {} : { tenant: "Slug of the tenant." };
  const onList = { path: place, params: tenantParam as { tenant: string } };
  const onUser = { params: { ...onList.params, userId: "Id of the user, a UUID." } };
  const whoseOf = ({ tenant }: { tenant?: string }): UserScope =>
    isOperators ? operators : { tenant, isOperator: false };
  return [
    defineRoute({
      ...common,
      ...onList,
      method: "GET",
      summary: `List ${whose}.`,
      response: { status: 200, description: "The oldest first.", schema: contracts.userList },
      refusals: [],
      handle: async ({ params }) => ({
        users: (await auth.listUsers(whoseOf(params))).users.map(renderUser),
      }),
    }),
    defineRoute({
      ...common,
      ...onList,
      method: "POST",
      summary: `Invite one of ${whose} by e-mail address.`,
      request: contracts.invitationOf(`${title}Invitation`, roleNames),
      response: { status: 201, description: "The user, who has not come yet.", schema: contracts.user },
      refusals,
      async handle({ params, body: { email, roles } }) {
        const invitation = { ...whoseOf(params), email, roles: [...roles] };
        return renderUser((await auth.inviteUser(invitation)).user);
      },
    }),
    defineRoute({
      ...common,
      ...onUser,
      method: "PATCH",
      path: `${place}/{userId}`,
      summary: `Bind other roles to one of ${whose}, or shut it out. You cannot change your own roles.`,
      request: contracts.userChangeOf(`${title}Change`, roleNames),
      response: { status: 200, description: "The user.", schema: contracts.user },
      refusals,
      async handle({ params, operator, approver, body: { roles, isDisabled } }) {
        if (userIn(approver) === params.userId)
          throw new DomainError("RECORD_CONFLICT", "a person cannot agree to a change of their own roles");
        const bound = roles === undefined ? undefined : { values: [...roles] };
        const change = { ...whoseOf(params), userId: params.userId, roles: bound, isDisabled };
        return renderUser((await auth.changeUser({ ...change, by: userIn(operator) })).user);
      },
    }),
    defineRoute({
      ...common,
      ...onUser,
      method: "DELETE",
      path: `${place}/{userId}/sessions`,
      summary: `End all sessions of one of ${whose}, and what the identity provider has given it. Needs no second person.`,
      response: { status: 204, description: "None of them works any more." },
      refusals: ["RECORD_NOT_FOUND"],
      handle: async ({ params }) => auth.endUserSessions({ ...whoseOf(params), userId: params.userId }),
    }),
  ];
}
