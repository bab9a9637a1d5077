import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";

interface Secret {
  metadata: { name: string; resourceVersion?: string };
  type?: string;
  data: Record<string, string>;
}

/** The part of a Kubernetes API server that keeps the Secrets of one namespace, with its rules of versions and rights. */
export interface ApiServer {
  url: string;
  secrets: Map<string, Secret>;
  /** `GET name`, `POST name` or `PUT name`, in order. */
  calls: string[];
  /** Runs before each write, for a concurrent writer that is faster. */
  beforeWrite: (name: string) => void;
  stop(): Promise<void>;
}

const token = "token-of-the-pod";

async function bodyOf(request: IncomingMessage): Promise<Secret> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Secret;
}

export async function startApiServer(namespace: string): Promise<ApiServer & { token: string }> {
  const secrets = new Map<string, Secret>();
  const calls: string[] = [];
  const api = { secrets, calls, beforeWrite: (_name: string): void => {} };
  let version = 0;
  const write = (secret: Secret): Secret => {
    version += 1;
    const stored = { ...secret, metadata: { ...secret.metadata, resourceVersion: String(version) } };
    secrets.set(secret.metadata.name, stored);
    return stored;
  };
  const answer = async (request: IncomingMessage): Promise<[number, object]> => {
    if (request.headers.authorization !== `Bearer ${token}`) return [401, { reason: "Unauthorized" }];
    const path = /^\/api\/v1\/namespaces\/([^/]+)\/secrets(?:\/([^/]+))?$/.exec(request.url ?? "");
    if (path?.[1] !== namespace) return [403, { reason: "Forbidden" }];
    const secret = request.method === "GET" ? undefined : await bodyOf(request);
    const name = path[2] ?? secret?.metadata.name ?? "";
    calls.push(`${request.method} ${name}`);
    if (secret === undefined) {
      const stored = secrets.get(name);
      return stored === undefined ? [404, { reason: "NotFound" }] : [200, stored];
    }
    api.beforeWrite(name);
    const stored = secrets.get(name);
    if (request.method === "POST")
      return stored === undefined ? [201, write(secret)] : [409, { reason: "AlreadyExists" }];
    const isCurrent = stored?.metadata.resourceVersion === secret.metadata.resourceVersion;
    if (isCurrent && stored?.type !== secret.type) return [422, { reason: "Invalid" }];
    return isCurrent ? [200, write(secret)] : [409, { reason: "Conflict" }];
  };
  const server: Server = createServer((request, response) => {
    void answer(request).then(([status, body]) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return Object.assign(api, {
    url: `http://127.0.0.1:${port}`,
    token,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
