import "reflect-metadata";
import { randomBytes, webcrypto } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

export interface LocalCa {
  caFile: string;
  certFile: string;
  keyFile: string;
}

const dayMs = 24 * 60 * 60 * 1_000;
const renewBeforeMs = 7 * dayMs;
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

interface Authority {
  certificate: X509Certificate;
  privateKey: webcrypto.CryptoKey;
}

/**
 * Makes in `dir`, once, a certificate authority and with it a certificate for localhost and 127.0.0.1. Either is made
 * anew when a file of it is missing or it ends within 7 days. Keys are readable by their owner only.
 */
export async function ensureLocalCa(dir: string, now: Date = new Date()): Promise<LocalCa> {
  const caFile = join(dir, "ca.crt");
  const caKeyFile = join(dir, "ca.key");
  const certFile = join(dir, "localhost.crt");
  const keyFile = join(dir, "localhost.key");
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const authority = (await readAuthority(caFile, caKeyFile, now)) ?? (await makeAuthority(caFile, caKeyFile, now));
  if (!(await isUsable(certFile, keyFile, authority, now))) await makeLeaf("localhost", dir, authority, now);
  return { caFile, certFile, keyFile };
}

/** Makes, with the authority of `dir`, a certificate for client and server with the given name. */
export async function issueCertificate(dir: string, name: string, now: Date = new Date()): Promise<LocalCa> {
  const caFile = join(dir, "ca.crt");
  const authority = await readAuthority(caFile, join(dir, "ca.key"), now);
  if (authority === undefined) throw new Error(`there is no authority in ${dir}`);
  await makeLeaf(name, dir, authority, now);
  return { caFile, certFile: join(dir, `${name}.crt`), keyFile: join(dir, `${name}.key`) };
}

/** What `read` answers, or undefined when a file is missing or is not what it should be. */
async function unlessBroken<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

const isFresh = ({ notAfter }: X509Certificate, now: Date): boolean =>
  notAfter.getTime() - now.getTime() > renewBeforeMs;

const readAuthority = (certFile: string, keyFile: string, now: Date): Promise<Authority | undefined> =>
  unlessBroken(async () => {
    const certificate = new X509Certificate(await readFile(certFile, "utf8"));
    const privateKey = await readPrivateKey(keyFile);
    return isFresh(certificate, now) ? { certificate, privateKey } : undefined;
  });

async function isUsable(certFile: string, keyFile: string, authority: Authority, now: Date): Promise<boolean> {
  const verdict = await unlessBroken(async () => {
    const certificate = new X509Certificate(await readFile(certFile, "utf8"));
    await readPrivateKey(keyFile);
    return isFresh(certificate, now) && (await certificate.verify({ publicKey: authority.certificate, date: now }));
  });
  return verdict === true;
}

async function readPrivateKey(file: string): Promise<webcrypto.CryptoKey> {
  const [pkcs8] = PemConverter.decode(await readFile(file, "utf8"));
  return await webcrypto.subtle.importKey("pkcs8", pkcs8 ?? new ArrayBuffer(), algorithm, true, ["sign"]);
}

async function makeAuthority(certFile: string, keyFile: string, now: Date): Promise<Authority> {
  const keys = await generateKeys();
  const certificate = await certifyAuthority(keys, now);
  await save(keyFile, await privatePem(keys), 0o600);
  await save(certFile, certificate.toString("pem"), 0o644);
  return { certificate, privateKey: keys.privateKey };
}

async function makeLeaf(name: string, dir: string, authority: Authority, now: Date): Promise<void> {
  const keys = await generateKeys();
  const certificate = await certifyHost(name, keys, authority, now);
  await save(join(dir, `${name}.key`), await privatePem(keys), 0o600);
  await save(join(dir, `${name}.crt`), certificate.toString("pem"), 0o644);
}

const generateKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);

const validity = (now: Date, days: number): { notBefore: Date; notAfter: Date } => ({
  // A clock that is a little behind must not refuse the certificate.
  notBefore: new Date(now.getTime() - dayMs),
  notAfter: new Date(now.getTime() + days * dayMs),
});

/** A positive serial number of 127 bits; clients confuse certificates of one issuer that share theirs. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8(bytes.readUInt8(0) & 0x7f, 0);
  return bytes.toString("hex");
}

async function certifyAuthority(keys: webcrypto.CryptoKeyPair, now: Date): Promise<X509Certificate> {
  return await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    // A name of its own keeps a renewed authority apart from the one before.
    name: `CN=Corridor local authority ${serialNumber().slice(0, 8)}`,
    ...validity(now, 3_650),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
}

async function certifyHost(
  name: string,
  keys: webcrypto.CryptoKeyPair,
  { certificate: ca, privateKey: caKey }: Authority,
  now: Date,
): Promise<X509Certificate> {
  return await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: `CN=${name}`,
    issuer: ca.subject,
    ...validity(now, 365),
    publicKey: keys.publicKey,
    signingKey: caKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension([
        { type: "dns", value: name },
        { type: "ip", value: "127.0.0.1" },
      ]),
      await AuthorityKeyIdentifierExtension.create(ca),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
}

const privatePem = async (keys: webcrypto.CryptoKeyPair): Promise<string> =>
  PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY");

/** Replaces the file at once, so that nobody reads half of it. */
async function save(file: string, content: string, mode: number): Promise<void> {
  const partial = `${file}.${process.pid}.new`;
  await writeFile(partial, `${content}\n`, { mode });
  await rename(partial, file);
}
