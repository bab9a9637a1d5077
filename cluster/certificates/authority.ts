import "reflect-metadata";
import { randomBytes, webcrypto } from "node:crypto";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type JsonGeneralName,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { plusMs } from "../../services/shared/kernel/clock";

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  certificate: string;
  key: string;
}

export const dayMs = 24 * 60 * 60 * 1_000;
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

const generateKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);

const privatePem = async (keys: webcrypto.CryptoKeyPair): Promise<string> =>
  `${PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY")}\n`;

async function readPrivateKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [pkcs8] = PemConverter.decode(pem);
  return await webcrypto.subtle.importKey("pkcs8", pkcs8 ?? new ArrayBuffer(), algorithm, true, ["sign"]);
}

const validity = (now: Date, days: number): { notBefore: Date; notAfter: Date } => ({
  // A clock that is a little behind must not refuse the certificate.
  notBefore: plusMs(now, -dayMs),
  notAfter: plusMs(now, days * dayMs),
});

/** A positive serial number of 127 bits; clients confuse certificates of one issuer that share theirs. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8(bytes.readUInt8(0) & 0x7f, 0);
  return bytes.toString("hex");
}

/** Makes a certificate authority. A random word in its name keeps a renewed one apart from the one before. */
export async function makeAuthority(name: string, { now, days }: { now: Date; days: number }): Promise<KeyPair> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=${name} ${serialNumber().slice(0, 8)}`,
    ...validity(now, days),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: `${certificate.toString("pem")}\n`, key: await privatePem(keys) };
}

interface Subject {
  /** Hosts and addresses; the first host is also the common name. */
  names: readonly JsonGeneralName[];
  now: Date;
  days: number;
}

/** Makes, with an authority, a certificate for client and server. Throws when the authority cannot be read. */
export async function issueCertificate(authority: KeyPair, { names, now, days }: Subject): Promise<KeyPair> {
  const ca = new X509Certificate(authority.certificate);
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: `CN=${names[0]?.value ?? ""}`,
    issuer: ca.subject,
    ...validity(now, days),
    publicKey: keys.publicKey,
    signingKey: await readPrivateKey(authority.key),
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension([...names]),
      await AuthorityKeyIdentifierExtension.create(ca),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: `${certificate.toString("pem")}\n`, key: await privatePem(keys) };
}
