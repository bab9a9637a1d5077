import type { Person } from "../../proto/gen/corridor/auth/v1/people_service";
import { invalid } from "../../services/shared/kernel/errors";
import { localPeople } from "../../services/shared/kernel/local-people";
import type { Profile } from "../../services/shared/kernel/profile";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Route } from "../route";
import { type BrowserSession, readSession, sessionText } from "./browser-session";
import * as contracts from "./console-contract";
import type { Cookies } from "./cookies";
import { type OriginOf, requireCsrf } from "./require-own-page";
import { returnPath } from "./return-path";

export interface ConsoleAuthDeps {
  auth: Upstreams["auth"];
  profile: Profile;
  cookies: Cookies;
  originOf: OriginOf;
}

const common = { scheme: "none", tag: "Console" } as const;
/** Address that the identity provider redirects browsers to. */
export const callbackPath = "/api/auth/callback";
const loginSeconds = 600;

/** Logins, and their end. */
export const consoleAuthRoutes = (deps: ConsoleAuthDeps): readonly Route[] => [
  optionsRoute(deps),
  ...(deps.profile === "local" ? [localRoute(deps)] : []),
  loginRoute(deps),
  callbackRoute(deps),
  logoutRoute(deps),
];

const optionsRoute = ({ profile }: ConsoleAuthDeps): Route =>
  defineRoute({
    ...common,
    method: "GET",
    path: "/api/auth/options",
    summary: "How people log in here.",
    response: { status: 200, description: "Ways to log in.", schema: contracts.options },
    refusals: [],
    handle: () => Promise.resolve({ profile, people: profile === "local" ? buttons : [] }),
  });

const buttons = localPeople.map(({ id, name, tenant = null }) => ({ person: id, name, tenant }));

/** A click alone opens a session: allowed only where there is nothing to protect. */
const localRoute = (deps: ConsoleAuthDeps): Route =>
  defineRoute({
    ...common,
    proof: "login",
    method: "POST",
    path: "/api/auth/local",
    summary: "Log in as one of the people of a local platform.",
    request: contracts.localLogin,
    response: { status: 204, description: "The session is in the cookie." },
    refusals: ["RECORD_NOT_FOUND"],
    async handle({ body: { person: id }, headers }) {
      const { session: token, person } = await deps.auth.openLocalSession({ person: id });
      return { madeElsewhere: { status: 204, headers: await enter({ token, person }, headers, deps) } };
    },
  });

const loginRoute = ({ auth, cookies, originOf }: ConsoleAuthDeps): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/api/auth/login",
    summary: "Begin a login at the identity provider.",
    request: contracts.login,
    response: { status: 201, description: "Where the browser goes.", schema: contracts.begunLogin },
    refusals: ["RECORD_NOT_FOUND", "UNAVAILABLE"],
    async handle({ body: { tenant, isOperator = false, returnTo }, headers }) {
      if ((tenant === undefined) !== isOperator)
        throw invalid([{ field: "tenant", message: "or isOperator is required" }]);
      const redirectUri = originOf(headers) + callbackPath;
      const { login, authorizationUrl } = await auth.beginLogin({ tenant, isOperator, redirectUri });
      const kept = [isOperator ? "o" : "t", login, Buffer.from(returnPath(returnTo)).toString("base64url")].join(".");
      return {
        replyWith: { authorizationUrl },
        headers: { "set-cookie": cookies.write("corridor-login", kept, loginSeconds) },
      };
    },
  });

/** Handles the browser's return from the provider; what it brings opens a session only together with the cookie of its own login. */
const callbackRoute = (deps: ConsoleAuthDeps): Route =>
  defineRoute({
    ...common,
    proof: "login",
    method: "GET",
    path: callbackPath,
    failurePage: "/login",
    summary: "Finish a login with what the identity provider sends the browser back with.",
    query: contracts.callbackQuery,
    response: { status: 303, description: "The session is in the cookie." },
    refusals: ["UNAUTHENTICATED", "ROLE_MISSING", "SECOND_FACTOR_MISSING", "UNAVAILABLE"],
    async handle({ query: { code = "", state = "", iss: issuer }, headers }) {
      const [kind, login = "", path = ""] = (deps.cookies.read(headers.cookie, "corridor-login") ?? "").split(".");
      const answer = { login, code, state, issuer, isOperator: kind === "o" };
      const { session: token, person } = await deps.auth.finishLogin(answer);
      const location = returnPath(Buffer.from(path, "base64url").toString());
      const cookie = await enter({ token, person }, headers, deps);
      return { madeElsewhere: { status: 303, headers: { ...cookie, location } } };
    },
  });

const logoutRoute = ({ auth, cookies }: ConsoleAuthDeps): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/api/auth/logout",
    summary: "End the session.",
    response: { status: 204, description: "It works no more." },
    refusals: ["CROSS_SITE"],
    async handle({ headers }) {
      const session = readSession(cookies, headers);
      if (session !== undefined) {
        requireCsrf({ method: "POST", headers }, session);
        await auth.endSession({ session: session.token });
      }
      return { madeElsewhere: { status: 204, headers: { "set-cookie": cookies.write("corridor", undefined) } } };
    },
  });

/** Puts a new session into the cookie and ends the one before, so that an older proof can no longer be used. */
async function enter(
  { token, person }: Pick<BrowserSession, "token"> & { person: Person | undefined },
  headers: Parameters<typeof readSession>[1],
  { auth, cookies }: ConsoleAuthDeps,
): Promise<{ "set-cookie": string }> {
  if (person === undefined) throw new Error("the auth service named no person");
  const before = readSession(cookies, headers);
  if (before !== undefined) await auth.endSession({ session: before.token });
  const text = sessionText({ token, isOperator: person.tenant === undefined });
  return { "set-cookie": cookies.write("corridor", text) };
}
