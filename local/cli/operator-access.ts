import { readFileSync } from "node:fs";
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

/**
 * Reads `OPERATOR_URL` and `OPERATOR_TOKEN`, or those of the local platform. `OPERATOR_CA_FILE` names the authority of the
 * server's certificate, and `OPERATOR_SERVER_NAME` its host when the connection uses another one, as with a port-forward.
 */
export function openAccess(env: NodeJS.ProcessEnv = process.env): Access {
  const { OPERATOR_CA_FILE: caFile, OPERATOR_SERVER_NAME: servername } = env;
  const connect = {
    ...(caFile === undefined ? {} : { ca: readFileSync(caFile, "utf8") }),
    ...(servername === undefined ? {} : { servername }),
  };
  return { ...readAddress(env), dispatcher: new Agent({ connect }) };
}

function readAddress(env: NodeJS.ProcessEnv): Omit<Access, "dispatcher"> {
  const { OPERATOR_URL: operatorUrl, OPERATOR_TOKEN: operatorToken } = env;
  if (operatorUrl !== undefined && operatorToken !== undefined) return { operatorUrl, operatorToken };
  const dir = resolve(env["CORRIDOR_DIR"] ?? ".local");
  const text = readFileSync(resolve(dir, "credentials.json"), "utf8");
  const { secondOperatorToken, ...local } = JSON.parse(text) as Omit<Access, "dispatcher"> & {
    secondOperatorToken: string;
  };
  return { ...local, operatorToken: options.isSecond ? secondOperatorToken : local.operatorToken };
}

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
