import { readFileSync } from "node:fs";
import { Corridor, CorridorError, type Outgoing, readJson, Unreachable } from "../sdk/src/main.ts";
import { Usage } from "./failures.ts";
import type { Gate } from "./gate.ts";
import { makeFetch } from "./https-fetch.ts";
import type { Output } from "./output.ts";
import { type Env, type FoundProfile, findProfile, isProduction, profileNamesOf } from "./profile.ts";

/** Dependencies of a command. */
export interface Context {
  readonly env: Env;
  readonly out: Output;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** The name given with --profile. */
  readonly profileName: string | undefined;
  readonly gate: Gate;
  profile(): FoundProfile;
  profileNames(): readonly string[];
  corridor(): Corridor;
  /** Calls the simulated outside world. */
  sandbox(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<unknown>;
  /** The text of a file, or of stdin for `-`. */
  readText(path: string): Promise<string>;
  /** JSON of a file, or of stdin for `-`; amounts keep their digits. */
  readFile(path: string): Promise<unknown>;
  /** Asks for a secret: on a terminal without echo, otherwise reads the next line of stdin. */
  askSecret(words: string): Promise<string>;
}

export interface ContextOptions {
  readonly env: Env;
  readonly out: Output;
  readonly signal: AbortSignal;
  readonly profileName: string | undefined;
  readonly gate: Gate;
  readonly stdin: AsyncIterable<Buffer>;
  askSecret(words: string): Promise<string>;
}

export function makeContext({ env, out, signal, profileName, gate, stdin, askSecret }: ContextOptions): Context {
  let profile: FoundProfile | undefined;
  let corridor: Corridor | undefined;
  const readProfile = (): FoundProfile => {
    profile ??= findProfile(env, profileName);
    return profile;
  };
  const before = (request: Outgoing): Promise<void> => gate.pass(request, isProduction(readProfile()));
  const readStdin = async (): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  };
  const read = async (path: string): Promise<string> => (path === "-" ? readStdin() : readText(path));
  return {
    env,
    out,
    signal,
    profileName,
    gate,
    profile: readProfile,
    profileNames: () => profileNamesOf(env),
    corridor() {
      corridor ??= connect(readProfile(), before);
      return corridor;
    },
    async sandbox(method, path, body) {
      const { sandboxUrl } = readProfile();
      if (sandboxUrl === undefined) throw new Usage("no sandbox is known: set CORRIDOR_SANDBOX_URL");
      const request = sandboxRequest(sandboxUrl, method, path, body);
      await before(request);
      return callSandbox(request, `${method} ${path} of the sandbox`);
    },
    readText: read,
    async readFile(path) {
      return parseWith(readJson, path, await read(path));
    },
    askSecret,
  };
}

/** Parses JSON that a person has written. */
export function parseWith(parse: (text: string) => unknown, path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new Usage(`${path} is no JSON: ${String(error)}`);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Usage(error instanceof Error ? error.message : String(error));
  }
}

/** Makes a client from a profile. */
export function connect(profile: FoundProfile, before?: (request: Outgoing) => Promise<void>): Corridor {
  const { url, clientId, clientSecret, tenant, apiKey, agentId, agentApiKey } = profile;
  if (url === undefined) throw new Usage("no platform is known: corridor login, or set CORRIDOR_URL");
  const fetch = makeFetch(profile);
  return new Corridor({
    baseUrl: url,
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(agentId === undefined || agentApiKey === undefined ? {} : { agent: { id: agentId, apiKey: agentApiKey } }),
    ...(fetch === undefined ? {} : { fetch }),
    ...(before === undefined ? {} : { before }),
  });
}

function sandboxRequest(sandboxUrl: string, method: string, path: string, body: unknown): Outgoing {
  return {
    operation: `${method} ${path}`,
    url: `${sandboxUrl}${path}`,
    credential: "none",
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

async function callSandbox({ operation, url, headers, body }: Outgoing, name: string): Promise<unknown> {
  const [method = ""] = operation.split(" ");
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const { response, text } = await sendToSandbox(url, init, name);
  if (response.ok) return text === "" ? undefined : (JSON.parse(text) as unknown);
  const refusal = { code: `HTTP_${response.status}`, message: text, status: response.status, requestId: "" };
  throw new CorridorError({ ...refusal, errors: [], details: {}, retryAfterMs: undefined, attempts: 1 });
}

/** Repeats a question whose connection breaks: the sandbox may close one that was kept open at the moment that it is used again. */
async function sendToSandbox(
  url: string,
  init: RequestInit,
  name: string,
): Promise<{ response: Response; text: string }> {
  const tries = init.method === "GET" ? 3 : 1;
  for (let attempts = 1; ; attempts += 1) {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
      return { response, text: await response.text() };
    } catch (cause) {
      if (attempts === tries) throw new Unreachable(name, attempts, cause);
    }
  }
}
