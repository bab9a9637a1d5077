import { X509Certificate } from "node:crypto";
import { connect, createServer } from "node:tls";
import { ensureCertificates } from "../../../cluster/certificates/ensure-certificates";
import { openSecretStore } from "../../../cluster/certificates/secret-store";
import { type ApiServer, startApiServer } from "./api-server";

const plan = {
  namespace: "corridor",
  prefix: "corridor",
  services: ["payment", "wallet"],
  days: 30,
  renewBeforeDays: 10,
};
const dayMs = 24 * 60 * 60 * 1_000;

let api: ApiServer & { token: string };
let nowMs: number;

beforeEach(async () => {
  api = await startApiServer("corridor");
  nowMs = Date.now();
});
afterEach(() => api.stop());

const store = (token = api.token) => openSecretStore({ url: api.url, namespace: "corridor", token, ca: undefined });
const ensure = () => ensureCertificates(plan, { secrets: store(), clock: { now: () => new Date(nowMs) } });
const passDays = (days: number): void => {
  nowMs += days * dayMs;
};

function secret(service: string) {
  const data = api.secrets.get(`corridor-${service}-rpc-tls`)?.data ?? {};
  const text = (key: string): string => Buffer.from(data[key] ?? "", "base64").toString("utf8");
  return { ca: text("ca.crt"), cert: text("tls.crt"), key: text("tls.key") };
}

const certificatesIn = (bundle: string): number => bundle.match(/BEGIN CERTIFICATE/g)?.length ?? 0;

/** A handshake with certificates on both sides; the name that the client's certificate gives it. */
async function shakeHands(client: ReturnType<typeof secret>, server: ReturnType<typeof secret>): Promise<string> {
  const listener = createServer({ ...server, requestCert: true, rejectUnauthorized: true });
  const caller = new Promise<string>((resolve) => {
    listener.once("secureConnection", (socket) => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.end();
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const socket = connect({ ...client, host: "127.0.0.1", port, servername: "corridor-wallet" });
  try {
    return await Promise.race([
      caller,
      new Promise<never>((_resolve, reject) => {
        socket.once("error", reject);
      }),
    ]);
  } finally {
    socket.destroy();
    listener.close();
  }
}

/** True if who has the first pair believes the certificate of the second, whatever the time is. */
const trusts = (one: { ca: string }, other: { cert: string }): boolean =>
  (one.ca.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).some((authority) =>
    new X509Certificate(other.cert).verify(new X509Certificate(authority).publicKey),
  );

describe("certificates of the calls between services", () => {
  it("are made for each service by one authority, and let one call the other", async () => {
    const written = await ensure();

    expect(written).toEqual(["corridor-rpc-authority", "corridor-payment-rpc-tls", "corridor-wallet-rpc-tls"]);
    expect(new X509Certificate(secret("payment").cert).subjectAltName).toBe(
      "DNS:corridor-payment, DNS:corridor-payment.corridor.svc",
    );
    await expect(shakeHands(secret("payment"), secret("wallet"))).resolves.toBe("corridor-payment");
  });

  it("keep the type that somebody gave their Secret, which nobody may change", async () => {
    const metadata = { name: "corridor-payment-rpc-tls", resourceVersion: "0" };
    api.secrets.set(metadata.name, { metadata, type: "kubernetes.io/tls", data: { "tls.crt": "", "tls.key": "" } });

    expect(await ensure()).toContain(metadata.name);

    expect(api.secrets.get(metadata.name)?.type).toBe("kubernetes.io/tls");
    expect(api.secrets.get("corridor-wallet-rpc-tls")?.type).toBe("Opaque");
    await expect(shakeHands(secret("payment"), secret("wallet"))).resolves.toBe("corridor-payment");
  });

  it("are made again when somebody has deleted them", async () => {
    await ensure();
    api.secrets.delete("corridor-wallet-rpc-tls");

    expect(await ensure()).toEqual(["corridor-wallet-rpc-tls"]);
  });

  it("stay what they are when nothing is near its end", async () => {
    await ensure();
    const before = secret("payment");
    passDays(19);

    expect(await ensure()).toEqual([]);
    expect(secret("payment")).toEqual(before);
  });

  it("are replaced ten days before their end, by the same authority", async () => {
    await ensure();
    const before = secret("payment");
    passDays(21);

    expect(await ensure()).toEqual(["corridor-payment-rpc-tls", "corridor-wallet-rpc-tls"]);
    expect(secret("payment").cert).not.toBe(before.cert);
    expect(secret("payment").ca).toBe(before.ca);
    expect(trusts(before, secret("wallet"))).toBe(true);
  });

  it("are made anew where somebody has broken one", async () => {
    await ensure();
    const stored = api.secrets.get("corridor-wallet-rpc-tls");
    if (stored !== undefined) stored.data["tls.key"] = Buffer.from("broken").toString("base64");

    expect(await ensure()).toEqual(["corridor-wallet-rpc-tls"]);
  });

  it("change their authority in two steps, so that old and new trust each other all the time", async () => {
    await ensure();
    // Two lives of a certificate before the end of the authority, to the day.
    passDays(3_650 - 60);
    const written = await ensure();
    const first = secret("payment");

    expect(written).toContain("corridor-rpc-authority");
    expect(certificatesIn(first.ca)).toBe(2);
    const signer = (pair: { cert: string }): string => new X509Certificate(pair.cert).issuer;
    passDays(31);
    await ensure();
    const second = secret("wallet");
    expect(signer(second)).not.toBe(signer(first));
    expect([trusts(first, second), trusts(second, first)]).toEqual([true, true]);
  });

  it("are whole when two make them at once", async () => {
    await Promise.all([ensure(), ensure()]);

    expect(await ensure()).toEqual([]);
    await expect(shakeHands(secret("payment"), secret("wallet"))).resolves.toBe("corridor-payment");
  });

  it("are given up when somebody else changes them all the time", async () => {
    await ensure();
    passDays(21);
    api.beforeWrite = (name) => {
      const stored = api.secrets.get(name);
      if (stored !== undefined) stored.metadata.resourceVersion = `rival-${api.calls.length}`;
    };

    await expect(ensure()).rejects.toThrow("keeps being changed by another writer");
  });

  it("are not made without the right to", async () => {
    const deps = { secrets: store("another"), clock: { now: () => new Date(nowMs) } };

    await expect(ensureCertificates(plan, deps)).rejects.toThrow("was refused with 401");
  });
});
