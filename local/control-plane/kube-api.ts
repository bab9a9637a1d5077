import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Agent, type Dispatcher, request } from "undici";
import { parse } from "yaml";
import type { Labels } from "../chart/manifest";

/** Any object of an API server. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    labels?: Labels;
    deletionTimestamp?: string;
    deletionGracePeriodSeconds?: number;
  };
}

export interface KubeAnswer {
  status: number;
  /** The server's warnings about an object that it accepts anyway. */
  warnings: readonly string[];
  body: unknown;
}

export interface Change<T> {
  type: "ADDED" | "MODIFIED" | "DELETED";
  object: T;
}

const media = {
  json: "application/json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/** An API server, for a user with a token or a certificate. */
export interface KubeApi {
  url: string;
  /** Authority of the server's certificate, PEM. */
  ca: string;
  call(method: Dispatcher.HttpMethod, path: string, body?: object, type?: keyof typeof media): Promise<KubeAnswer>;
  /** Like `call`, but throws an error with the server's message unless it is a success. */
  must<T>(method: Dispatcher.HttpMethod, path: string, body?: object, type?: keyof typeof media): Promise<T>;
  list<T extends KubeObject>(path: string): Promise<T[]>;
  /** Reports every object of a list and each of its changes, until the signal. */
  watch<T extends KubeObject>(path: string, signal: AbortSignal, hear: (change: Change<T>) => void): Promise<void>;
  /** The same server for another user. */
  as(token: string): KubeApi;
  close(): Promise<void>;
}

interface Access {
  url: string;
  ca: string;
  token?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
}

interface Kubeconfig {
  "current-context": string;
  contexts: { name: string; context: { cluster: string; user: string } }[];
  clusters: { name: string; cluster: Readonly<Record<string, string>> }[];
  users: { name: string; user: Readonly<Record<string, string>> }[];
}

/** Opens the server of a kubeconfig's current context. It has to name a token or a certificate, and no program. */
export function openKubeApi(kubeconfig: string): KubeApi {
  const config = parse(readFileSync(kubeconfig, "utf8")) as Kubeconfig;
  const context = config.contexts.find(({ name }) => name === config["current-context"])?.context;
  const cluster = config.clusters.find(({ name }) => name === context?.cluster)?.cluster ?? {};
  const user = config.users.find(({ name }) => name === context?.user)?.user ?? {};
  const pem = (from: Readonly<Record<string, string>>, name: string): string | undefined => {
    const data = from[`${name}-data`];
    if (data !== undefined) return Buffer.from(data, "base64").toString("utf8");
    return from[name] === undefined ? undefined : readFileSync(from[name], "utf8");
  };
  return openAccess({
    url: cluster["server"] ?? "",
    ca: pem(cluster, "certificate-authority") ?? "",
    token: user["token"],
    cert: pem(user, "client-certificate"),
    key: pem(user, "client-key"),
  });
}

function openAccess(access: Access): KubeApi {
  const { url, ca, token, cert, key } = access;
  const own = cert === undefined || key === undefined ? {} : { cert, key };
  const dispatcher = new Agent({ connect: { ca, ...own }, bodyTimeout: 0 });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const call: KubeApi["call"] = async (method, path, body, type = "json") => {
    const answer = await request(`${url}${path}`, {
      method,
      dispatcher,
      headers: { ...headers, accept: media.json, "content-type": media[type] },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const warned = answer.headers["warning"] ?? [];
    const text = await answer.body.text();
    const parsed: unknown = text.startsWith("{") ? JSON.parse(text) : text;
    return { status: answer.statusCode, warnings: typeof warned === "string" ? [warned] : warned, body: parsed };
  };
  const must = async <T>(...[method, path, body, type]: Parameters<KubeApi["call"]>): Promise<T> => {
    const answer = await call(method, path, body, type);
    if (answer.status < 300) return answer.body as T;
    throw new Error(`${method} ${path} was answered with ${answer.status}: ${messageOf(answer)}`);
  };
  const list = async <T extends KubeObject>(path: string) => await must<List<T>>("GET", path);
  return {
    url,
    ca,
    call,
    must,
    list: async <T extends KubeObject>(path: string) => (await list<T>(path)).items,
    async watch<T extends KubeObject>(path: string, signal: AbortSignal, hear: (change: Change<T>) => void) {
      while (!signal.aborted) {
        const { items, metadata } = await list<T>(path);
        for (const object of items) hear({ type: "ADDED", object });
        const query = `${path.includes("?") ? "&" : "?"}watch=true&resourceVersion=${metadata.resourceVersion}`;
        const lines = openLines(`${url}${path}${query}`, { dispatcher, headers, signal });
        for await (const line of lines) {
          const change = JSON.parse(line) as Change<T> | Trouble;
          // When changes are no longer available, the list is read again.
          if (isTrouble(change)) break;
          hear(change);
        }
      }
    },
    as: (other) => openAccess({ url, ca, token: other }),
    close: () => dispatcher.destroy(),
  };
}

interface Trouble {
  type: "ERROR";
}

const isTrouble = (change: { type: string }): change is Trouble => change.type === "ERROR";

interface List<T> {
  items: T[];
  metadata: { resourceVersion: string };
}

interface Opening {
  dispatcher: Agent;
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** Yields the lines of a streamed answer. It ends when the server or the signal ends it. */
async function* openLines(url: string, opening: Opening): AsyncGenerator<string> {
  try {
    const { body } = await request(url, { ...opening, method: "GET", headersTimeout: 0 });
    for await (const line of createInterface({ input: body })) yield line;
  } catch (error) {
    if (!opening.signal.aborted) throw error;
  }
}

/** Returns the server's message of a refusal. */
export function messageOf({ body }: Pick<KubeAnswer, "body">): string {
  return typeof body === "object" && body !== null && "message" in body ? String(body.message) : JSON.stringify(body);
}
