import { Agent, request } from "undici";

/** Data of a Secret, decoded. */
export type SecretData = Readonly<Record<string, string>>;

export interface StoredSecret {
  data: SecretData;
  /** Named by a change, so that no concurrent change is lost. */
  version: string;
  /** Immutable: chosen when the Secret was created. */
  type: string;
}

export interface SecretStore {
  find(name: string): Promise<StoredSecret | undefined>;
  /** Creates a Secret, or replaces the one that was read. False: another writer was first. */
  save(name: string, data: SecretData, read: Pick<StoredSecret, "version" | "type"> | undefined): Promise<boolean>;
}

export interface SecretStoreOptions {
  /** Root of the API server. */
  url: string;
  namespace: string;
  token: string;
  /** Authority of the server's certificate, PEM. */
  ca: string | undefined;
}

const timeoutMs = 10_000;

interface Answer {
  status: number;
  body: unknown;
}

/** The Secrets of a namespace through the Kubernetes API. Throws for any unexpected answer. */
export function openSecretStore({ url, namespace, token, ca }: SecretStoreOptions): SecretStore {
  const dispatcher = new Agent({ connect: ca === undefined ? {} : { ca } });
  const path = `${url}/api/v1/namespaces/${namespace}/secrets`;
  const call = async (method: "GET" | "POST" | "PUT", address: string, content?: object): Promise<Answer> => {
    const answer = await request(address, {
      method,
      dispatcher,
      headers: { authorization: `Bearer ${token}`, accept: "application/json", "content-type": "application/json" },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
    });
    return { status: answer.statusCode, body: await answer.body.json() };
  };
  return {
    async find(name) {
      const { status, body } = await call("GET", `${path}/${name}`);
      if (status === 404) return undefined;
      if (status !== 200) throw new Error(`reading Secret ${name} was refused with ${status}`);
      return readSecret(name, body);
    },
    async save(name, data, read) {
      const encoded: Record<string, string> = {};
      for (const [key, value] of Object.entries(data)) encoded[key] = Buffer.from(value).toString("base64");
      const metadata = { name, namespace, ...(read === undefined ? {} : { resourceVersion: read.version }) };
      const secret = { apiVersion: "v1", kind: "Secret", metadata, type: read?.type ?? "Opaque", data: encoded };
      const { status } =
        read === undefined ? await call("POST", path, secret) : await call("PUT", `${path}/${name}`, secret);
      if (status === 409) return false;
      if (status !== 200 && status !== 201) throw new Error(`writing Secret ${name} was refused with ${status}`);
      return true;
    },
  };
}

function readSecret(name: string, body: unknown): StoredSecret {
  if (typeof body === "object" && body !== null && "metadata" in body) {
    const { metadata } = body;
    const data = "data" in body && typeof body.data === "object" ? body.data : {};
    if (typeof metadata === "object" && metadata !== null && "resourceVersion" in metadata) {
      const decoded = Object.entries(data ?? {}).map(([key, value]) => [
        key,
        Buffer.from(String(value), "base64").toString("utf8"),
      ]);
      return {
        data: Object.fromEntries(decoded) as SecretData,
        version: String(metadata.resourceVersion),
        type: "type" in body ? String(body.type) : "Opaque",
      };
    }
  }
  throw new Error(`the API server's answer about Secret ${name} is not a Secret`);
}
