import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Agent, type Dispatcher, request } from "undici";

/** Address, caller and TLS trust of the operator API. */
export interface Access {
  operatorUrl: string;
  operatorToken: string;
  dispatcher: Dispatcher;
}

/** Options among the words: a command's approval, and calling as the local platform's second operator. */
interface Options {
  approval?: string;
  isSecond: boolean;
}
let options: Options = { isSecond: false };

/** Removes `--approval <id>` and `--second` from the words. */
export function takeOptions(words: readonly string[]): readonly string[] {
  const at = words.indexOf("--approval");
  const approval = at < 0 ? undefined : words[at + 1];
  options = { ...(approval === undefined ? {} : { approval }), isSecond: words.includes("--second") };
  return words.filter((word, index) => word !== "--second" && (at < 0 || (index !== at && index !== at + 1)));
}

const folderOf = (env: NodeJS.ProcessEnv): string => resolve(env["CORRIDOR_DIR"] ?? ".local");

/** Where the session of who has logged in is kept. */
export const sessionFile = (env: NodeJS.ProcessEnv = process.env): string =>
  resolve(folderOf(env), "operator-session.json");

/**
 * Reads `OPERATOR_URL` and `OPERATOR_TOKEN`, else the session of who has logged in there, else what the local platform has.
 * `OPERATOR_CA_FILE` names the authority of the server's certificate, and `OPERATOR_SERVER_NAME` the host in it, for a connection
 * that uses another one, as with a port-forward.
 */
export function openAccess(env: NodeJS.ProcessEnv = process.env): Access {
  const address = readAddress(env);
  return { ...address, operatorToken: readToken(env, address.operatorUrl) };
}

/** The same without saying who calls. */
export function readAddress(env: NodeJS.ProcessEnv = process.env): Omit<Access, "operatorToken"> {
  const { OPERATOR_CA_FILE: caFile, OPERATOR_SERVER_NAME: servername, OPERATOR_URL: given } = env;
  const connect = {
    ...(caFile === undefined ? {} : { ca: readFileSync(caFile, "utf8") }),
    ...(servername === undefined ? {} : { servername }),
  };
  return { operatorUrl: given ?? readCredentials(env).operatorUrl, dispatcher: new Agent({ connect }) };
}

function readToken(env: NodeJS.ProcessEnv, operatorUrl: string): string {
  const { OPERATOR_TOKEN: token } = env;
  if (token !== undefined) return token;
  const session = options.isSecond ? undefined : readSession(env, operatorUrl);
  if (session !== undefined) return session;
  const { operatorUrl: local, operatorToken, secondOperatorToken } = readCredentials(env);
  if (local !== operatorUrl) throw new Error("log in, or set OPERATOR_TOKEN");
  return options.isSecond ? secondOperatorToken : operatorToken;
}

/** The session that was opened there; it is sent to no other address. */
function readSession(env: NodeJS.ProcessEnv, operatorUrl: string): string | undefined {
  const file = sessionFile(env);
  if (!existsSync(file)) return undefined;
  const kept = JSON.parse(readFileSync(file, "utf8")) as { operatorUrl: string; session: string };
  return kept.operatorUrl === operatorUrl ? kept.session : undefined;
}

interface LocalCredentials {
  operatorUrl: string;
  operatorToken: string;
  secondOperatorToken: string;
}

const readCredentials = (env: NodeJS.ProcessEnv): LocalCredentials =>
  JSON.parse(readFileSync(resolve(folderOf(env), "credentials.json"), "utf8")) as LocalCredentials;

/** Calls the operator API once; throws its refusal. */
export async function send(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: object,
): Promise<unknown> {
  const { operatorUrl, operatorToken, dispatcher } = openAccess();
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const approval = options.approval === undefined ? {} : { "x-approval": options.approval };
  const headers = { authorization: `Bearer ${operatorToken}`, "content-type": "application/json", ...approval };
  const answer = await request(`${operatorUrl}${path}`, { method, headers, dispatcher, ...json });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${answer.statusCode} ${text}`);
  return text === "" ? {} : JSON.parse(text);
}
