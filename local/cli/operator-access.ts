import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Agent, type Dispatcher } from "undici";

/** Where the operator API is, who calls it, and how its certificate is judged. */
export interface Access {
  operatorUrl: string;
  operatorToken: string;
  dispatcher: Dispatcher;
}

/**
 * `OPERATOR_URL` and `OPERATOR_TOKEN`, else those of the local platform. `OPERATOR_CA_FILE` names the authority of the server's
 * certificate, and `OPERATOR_SERVER_NAME` the host in it, for a connection that comes by another one, as through a port-forward.
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
  return JSON.parse(readFileSync(resolve(dir, "credentials.json"), "utf8")) as Omit<Access, "dispatcher">;
}
