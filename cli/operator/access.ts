import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Operator } from "../../sdk/src/operator.ts";
import type { Context } from "../context.ts";
import { Usage } from "../failures.ts";
import { makeFetch } from "../https-fetch.ts";
import { configFolder, type Env, isProduction, readLocalPlatform, writeSecret } from "../profile.ts";

/** File with the session of the logged-in operator. */
const sessionFile = (env: Env): string => join(configFolder(env), "operator-session.json");

/**
 * The operator API: at OPERATOR_URL, otherwise that of the platform that runs here. OPERATOR_CA_FILE names the authority of the server's
 * certificate, and OPERATOR_SERVER_NAME the host in it, for a connection under another name, as with a port-forward.
 */
function operatorUrlOf(env: Env): string {
  const url = env["OPERATOR_URL"] ?? readLocalPlatform(env)?.operatorUrl;
  if (url === undefined) throw new Usage("no operator API is known: set OPERATOR_URL");
  return url;
}

/** Makes a client of the operator API; without a token for calls that need none. */
export function openOperator(
  { env, gate }: Pick<Context, "env" | "gate">,
  { isSecond = false, isNobody = false } = {},
): Operator {
  const baseUrl = operatorUrlOf(env);
  const { OPERATOR_CA_FILE: caFile, OPERATOR_SERVER_NAME: serverName } = env;
  const fetch = makeFetch({ caFile, serverName });
  const token = isNobody ? undefined : readToken(env, baseUrl, isSecond);
  return new Operator({
    baseUrl,
    before: (request) => gate.pass(request, isReal(env, baseUrl)),
    ...(token === undefined ? {} : { token: () => token }),
    ...(fetch === undefined ? {} : { fetch }),
  });
}

/** A platform that runs in this folder is not production; any other is, unless CORRIDOR_PRODUCTION says otherwise. */
const isReal = (env: Env, operatorUrl: string): boolean =>
  isProduction({
    production: env["CORRIDOR_PRODUCTION"],
    sandboxUrl: readLocalPlatform(env)?.operatorUrl === operatorUrl ? operatorUrl : undefined,
  });

/** OPERATOR_TOKEN, otherwise the session of the operator who has logged in there, otherwise the local platform's token. */
function readToken(env: Env, operatorUrl: string, isSecond: boolean): string {
  const { OPERATOR_TOKEN: token } = env;
  if (token !== undefined) return token;
  const session = isSecond ? undefined : readSession(env, operatorUrl);
  if (session !== undefined) return session;
  const local = readLocalPlatform(env);
  if (local?.operatorUrl !== operatorUrl) throw new Usage("log in (corridor login --operator), or set OPERATOR_TOKEN");
  return isSecond ? local.secondOperatorToken : local.operatorToken;
}

/** The session that was opened at this address; it is sent to no other. */
function readSession(env: Env, operatorUrl: string): string | undefined {
  const file = sessionFile(env);
  if (!existsSync(file)) return undefined;
  const kept = JSON.parse(readFileSync(file, "utf8")) as { operatorUrl: string; session: string };
  return kept.operatorUrl === operatorUrl ? kept.session : undefined;
}

export const keepSession = (env: Env, session: string): void =>
  writeSecret(sessionFile(env), { operatorUrl: operatorUrlOf(env), session });

export const dropSession = (env: Env): void => rmSync(sessionFile(env), { force: true });
