import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { DomainError } from "../../services/shared/kernel/errors";
import type { Ids } from "../../services/shared/kernel/ids";
import type { Profile } from "../../services/shared/kernel/profile";
import { asRefusal } from "../../services/shared/rpc/rpc-errors";
import type { Authenticate } from "../authenticate";
import type { Upstreams } from "../clients";
import { makeHttpApp } from "../http-app";
import type { HttpDeps } from "../middleware/http-deps";
import { requireClear } from "../middleware/open-exchange";
import type { People } from "../people";
import { renderError } from "../render-error";
import { normalizeTarget, splitTarget } from "../request-target";
import type { Answer, Route } from "../route";
import { sendAnswer } from "../send-answer";
import { consoleAuthRoutes } from "./auth-routes";
import type { ConsoleFiles } from "./console-files";
import { consoleHeaders } from "./console-policy";
import { makeCookies } from "./cookies";
import { type ConsoleTarget, enterOwn, enterRows } from "./enter-console";
import { meRoute } from "./me-route";
import { makeOriginOf } from "./require-own-page";

export interface ConsoleDoorDeps extends Omit<HttpDeps, "enter" | "doorHeaders" | "authenticate" | "ids"> {
  tables: Readonly<Record<"open" | "operator", readonly Route[]>>;
  probes: readonly Route[];
  authenticate: Authenticate;
  people: People;
  auth: Upstreams["auth"];
  files: ConsoleFiles;
  profile: Profile;
  /** Origin of the console; undefined on one machine. */
  origin: string | undefined;
  ids: Pick<Ids, "uuid">;
}

/**
 * The third door: the rows of the public and the operator API for people with a browser, authenticated by a cookie, and the files of the
 * console. Except for the rows of the cookie itself, it has no row that a program could not call.
 */
export function makeConsoleDoor({ tables, probes, files, origin, ...deps }: ConsoleDoorDeps): RequestListener {
  const cookies = makeCookies(deps.profile !== "local");
  const originOf = makeOriginOf(origin);
  const targets = new WeakMap<object, ConsoleTarget>();
  const common = { ...deps, doorHeaders: consoleHeaders };
  const own = { ...deps, cookies, originOf };
  const enter = [enterRows((request) => targets.get(request) ?? {}, own)];
  const rowsOf = (table: readonly Route[]): RequestListener =>
    makeHttpApp(table.filter(isForPeople), { ...common, enter });
  const ownTable = [...consoleAuthRoutes(own), meRoute(own)];
  const apps = {
    tenant: rowsOf(tables.open),
    operator: rowsOf(tables.operator),
    own: makeHttpApp(ownTable, { ...common, enter: [enterOwn(own)] }),
    probes: makeHttpApp(probes, { ...common, enter: [] }),
  };
  const pages = makePages(files, common);
  return (request, response) => {
    const place = placeOf(request);
    if ("target" in place) {
      targets.set(request, place.target);
      request.url = place.url;
    }
    const { app } = place;
    if (app === "pages") pages(request, response);
    else apps[app](request, response);
  };
}

/** Leaves out the rows with which programs get and revoke tokens, those of providers, and those that need no credential. */
const isForPeople = ({ scheme }: Route): boolean => scheme !== "none";

type Place = { app: "own" | "probes" | "pages" } | { app: "tenant" | "operator"; target: ConsoleTarget; url: string };

function placeOf(request: Pick<IncomingMessage, "url">): Place {
  const [path, query] = splitTarget(request.url ?? "/");
  const rest = (from: number): string => path.slice(from) + (query === "" ? "" : `?${query}`);
  const [, tenant] = /^\/api\/t\/([a-z0-9][a-z0-9-]{0,62})\//.exec(path) ?? [];
  if (tenant !== undefined) return { app: "tenant", target: { tenant }, url: rest(`/api/t/${tenant}`.length) };
  if (path.startsWith("/api/o/")) return { app: "operator", target: {}, url: rest("/api/o".length) };
  if (path === "/healthz" || path === "/readyz") return { app: "probes" };
  return { app: path === "/api" || path.startsWith("/api/") ? "own" : "pages" };
}

/** Answers with the files of the console; no credential is needed for them, and one copy serves all callers. */
function makePages(
  files: ConsoleFiles,
  {
    ids,
    doors,
    strangers,
    peerOf,
    isDraining,
    doorHeaders,
    requestServed,
  }: Pick<HttpDeps, "doors" | "strangers" | "peerOf" | "isDraining" | "doorHeaders" | "requestServed"> &
    Pick<ConsoleDoorDeps, "ids">,
): RequestListener {
  return (request, response) => {
    const requestId = ids.uuid();
    const answer = answerOf(normalizeTarget(request), response, files, requestId);
    if (!strangers.serve(peerOf(request).address)) response.shouldKeepAlive = false;
    requestServed("console page", answer.status, 0);
    const isSecure = "encrypted" in request.socket;
    sendAnswer(response, answer, { requestId, isSecure, isDraining: isDraining(), doors, doorHeaders });
  };
}

function answerOf(
  request: ReturnType<typeof normalizeTarget>,
  response: ServerResponse,
  files: ConsoleFiles,
  requestId: string,
): Answer {
  const { url = "/", method = "", headers } = request;
  try {
    requireClear(request, response);
    if (!pageMethods.some((one) => one === method)) {
      const details = { methods: pageMethods };
      throw new DomainError("METHOD_NOT_ALLOWED", "a page does not take this method", { details });
    }
  } catch (error) {
    return renderError(asRefusal(error), { requestId, scheme: "none", hasAuthorization: false });
  }
  return files(splitTarget(url)[0], headers["accept-encoding"]?.toString());
}

const pageMethods = ["GET", "HEAD"] as const;
