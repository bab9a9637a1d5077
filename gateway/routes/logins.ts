import type { ListUsersRequest, Person } from "../../proto/gen/corridor/auth/v1/people_service";
import type { Upstreams } from "../clients";
import { defineRoute, replyWith } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import * as contracts from "../contract/users";
import type { Route } from "../route";

type Auth = Pick<Upstreams, "auth">;

const tag = "People";
/** Selects the users: those of one tenant, or operators. */
export type UserScope = Pick<ListUsersRequest, "tenant" | "isOperator">;
export const operators: UserScope = { tenant: undefined, isOperator: true };
const notKept = { "cache-control": "no-store" };

const beginRow = {
  scheme: "none",
  tag,
  method: "POST",
  path: "/login",
  summary: "Begin a login at the identity provider (authorization code with PKCE).",
  response: { status: 201, description: "Where the browser goes.", schema: contracts.begunLogin },
  refusals: ["RECORD_NOT_FOUND", "UNAVAILABLE"],
} as const;

async function begin(
  { auth }: Auth,
  whose: UserScope,
  redirectUri: string,
): Promise<Answered<typeof contracts.begunLogin>> {
  const { login, authorizationUrl, expiresAt } = await auth.beginLogin({ ...whose, redirectUri });
  if (expiresAt === undefined) throw new Error("the auth service sent no end of the login");
  return { login, authorizationUrl, expiresAt: expiresAt.toISOString() };
}

const beginDeviceRow = {
  scheme: "none",
  tag,
  method: "POST",
  path: "/login/device",
  summary: "Begin a login without a browser of its own: the identity provider's device grant (RFC 8628).",
  response: { status: 201, description: "What the person is shown.", schema: contracts.begunDeviceLogin },
  refusals: ["RECORD_NOT_FOUND", "UNAVAILABLE"],
} as const;

async function beginDevice({ auth }: Auth, whose: UserScope): Promise<Answered<typeof contracts.begunDeviceLogin>> {
  const { expiresAt, verificationUriComplete = null, ...begun } = await auth.beginDeviceLogin(whose);
  if (expiresAt === undefined) throw new Error("the auth service sent no end of the login");
  return { ...begun, verificationUriComplete, expiresAt: expiresAt.toISOString() };
}

/** Logins of a tenant's people. */
export const tenantLoginRoutes = (upstreams: Auth): readonly Route[] => [
  defineRoute({
    ...beginRow,
    request: contracts.tenantLogin,
    handle: async ({ body: { tenant, redirectUri } }) =>
      replyWith(await begin(upstreams, { tenant, isOperator: false }, redirectUri), notKept),
  }),
  answerRoute(upstreams, false),
  defineRoute({
    ...beginDeviceRow,
    request: contracts.tenantDeviceLogin,
    handle: async ({ body: { tenant } }) =>
      replyWith(await beginDevice(upstreams, { tenant, isOperator: false }), notKept),
  }),
  askDeviceRoute(upstreams, false),
];

/** Logins of operators. */
export const operatorLoginRoutes = (upstreams: Auth): readonly Route[] => [
  defineRoute({
    ...beginRow,
    request: contracts.operatorLogin,
    handle: async ({ body: { redirectUri } }) => replyWith(await begin(upstreams, operators, redirectUri), notKept),
  }),
  answerRoute(upstreams, true),
  defineRoute({
    ...beginDeviceRow,
    handle: async () => replyWith(await beginDevice(upstreams, operators), notKept),
  }),
  askDeviceRoute(upstreams, true),
];

const answerRoute = ({ auth }: Auth, isOperator: boolean): Route =>
  defineRoute({
    scheme: "none",
    proof: "login",
    tag,
    method: "POST",
    path: "/login/answer",
    summary: "Finish a login with what the identity provider sent back. Each is finished once, whatever comes of it.",
    request: contracts.loginAnswer,
    response: { status: 201, description: "The session, shown only here.", schema: contracts.newSession },
    refusals: ["UNAUTHENTICATED", "ROLE_MISSING", "SECOND_FACTOR_MISSING", "UNAVAILABLE"],
    async handle({ body: { iss: issuer, ...answer } }) {
      const { session, person } = await auth.finishLogin({ ...answer, issuer, isOperator });
      if (person === undefined) throw new Error("the auth service named no person");
      return replyWith({ session, ...renderPerson(person) }, notKept);
    },
  });

const askDeviceRoute = ({ auth }: Auth, isOperator: boolean): Route =>
  defineRoute({
    scheme: "none",
    proof: "device",
    tag,
    method: "POST",
    path: "/login/device/answer",
    summary: "Ask whether the person has logged in. Each login ends once, whatever comes of it.",
    request: contracts.deviceLoginQuestion,
    response: {
      status: 200,
      description: "How far it is; the session is shown only here.",
      schema: contracts.deviceLoginAnswer,
    },
    refusals: ["UNAUTHENTICATED", "ROLE_MISSING", "SECOND_FACTOR_MISSING", "UNAVAILABLE"],
    async handle({ body: { login } }) {
      const { state: said, intervalSeconds, session, person } = await auth.askDeviceLogin({ login, isOperator });
      const state = contracts.deviceLoginStates.find((one) => one === said);
      if (state === undefined) throw new Error(`the auth service sent the state ${said}`);
      if (session === undefined || person === undefined) return replyWith({ state, intervalSeconds }, notKept);
      return replyWith({ state, intervalSeconds, session: { session, ...renderPerson(person) } }, notKept);
    },
  });

export const renderPerson = ({
  userId,
  tenant,
  roles,
  expiresAt,
}: Pick<Person, "userId" | "tenant" | "roles" | "expiresAt">): Answered<typeof contracts.session> => ({
  userId: userId === "" ? null : userId,
  tenant: tenant ?? null,
  roles: [...roles],
  expiresAt: expiresAt?.toISOString() ?? null,
});
