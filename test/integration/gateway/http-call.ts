import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
  /** The parsed body; undefined when it is empty. */
  json: unknown;
}

export interface HttpCall {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  agent?: Agent;
  /** True sends the body in chunks, without its length. */
  isChunked?: boolean;
  /** Sends it over HTTPS, with a client certificate when one is given; PEM. */
  tls?: { ca: string; cert?: string; key?: string; servername?: string };
}

/** Sends one request as it is: no header is added and the path is not touched, which fetch would do. */
export function httpCall(port: number, path: string, call: HttpCall = {}): Promise<HttpAnswer> {
  const { method = "GET", headers = {}, body, agent = new Agent({ keepAlive: false }), isChunked = false, tls } = call;
  const length = body === undefined || isChunked ? {} : { "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const secure = tls === undefined ? {} : { ...tls, agent: new SecureAgent({ keepAlive: false }) };
    const outgoing = (tls === undefined ? request : secureRequest)(
      { host: "127.0.0.1", port, path, method, agent, headers: { ...length, ...headers }, ...secure },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString("utf8");
          const isPlain = response.headers["content-encoding"] === undefined && text !== "";
          const isJson = isPlain && (response.headers["content-type"] ?? "").includes("json");
          const json: unknown = isJson ? JSON.parse(text) : undefined;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes, text, json });
        });
      },
    );
    outgoing.on("error", reject);
    if (body !== undefined) outgoing.write(body);
    outgoing.end();
  });
}
