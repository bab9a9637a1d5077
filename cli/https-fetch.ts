import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { rootCertificates } from "node:tls";

/** Special settings of a connection. */
export interface TlsFiles {
  /** An authority that is trusted beside the public ones. */
  readonly caFile?: string | undefined;
  /** A client certificate and its key. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** The host that the server's certificate names, if it is reached under another name, as through a port-forward. */
  readonly serverName?: string | undefined;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Makes a fetch with custom certificates, which Node's own does not support; undefined if there are none. */
export function makeFetch({ caFile, certFile, keyFile, serverName }: TlsFiles): Fetch | undefined {
  if ([caFile, certFile, keyFile, serverName].every((one) => one === undefined)) return undefined;
  const tls = {
    ...(caFile === undefined ? {} : { ca: [...rootCertificates, readFileSync(caFile, "utf8")] }),
    ...(certFile === undefined ? {} : { cert: readFileSync(certFile, "utf8") }),
    ...(keyFile === undefined ? {} : { key: readFileSync(keyFile, "utf8") }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
  return async (url, init) => {
    if (!url.startsWith("https:")) return fetch(url, init);
    // Node's own classes serialise forms and files, with their content type.
    const whole = new Request(url, init);
    const body = Buffer.from(await whole.arrayBuffer());
    const headers = { ...Object.fromEntries(whole.headers), "content-length": String(body.length) };
    const options = { ...tls, method: whole.method, headers, signal: init.signal ?? undefined };
    return new Promise((resolve, reject) => {
      const sent = request(url, options, (answer) => {
        responseOf(answer).then(resolve, reject);
      });
      // As fetch reports it: the reason is the cause.
      sent.on("error", (cause) => reject(new TypeError("fetch failed", { cause })));
      sent.end(body);
    });
  };
}

async function responseOf(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const { statusCode: status = 500, headers } = answer;
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, one] as [string, string]])),
  );
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: given });
}
