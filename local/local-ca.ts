import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dayMs, issueCertificate as issue, type KeyPair, makeAuthority } from "../cluster/certificates/authority";

export interface LocalCa {
  caFile: string;
  certFile: string;
  keyFile: string;
}

const renewBeforeMs = 7 * dayMs;

/**
 * Creates in `dir`, once, a certificate authority and a certificate for localhost and 127.0.0.1. Replaces either when one of
 * its files is missing or it expires within 7 days. Keys are readable by their owner only.
 */
export async function ensureLocalCa(dir: string, now: Date = new Date()): Promise<LocalCa> {
  const caFile = join(dir, "ca.crt");
  const caKeyFile = join(dir, "ca.key");
  const certFile = join(dir, "localhost.crt");
  const keyFile = join(dir, "localhost.key");
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const authority = (await readPair(caFile, caKeyFile, now)) ?? (await renewAuthority(caFile, caKeyFile, now));
  const leaf = await readPair(certFile, keyFile, now);
  if (leaf === undefined || !isSignedBy(leaf, authority)) await makeLeaf("localhost", dir, authority, now);
  return { caFile, certFile, keyFile };
}

/** Issues, with the authority of `dir`, a client and server certificate for the given name. */
export async function issueCertificate(dir: string, name: string, now: Date = new Date()): Promise<LocalCa> {
  const caFile = join(dir, "ca.crt");
  const authority = await readPair(caFile, join(dir, "ca.key"), now);
  if (authority === undefined) throw new Error(`there is no authority in ${dir}`);
  await makeLeaf(name, dir, authority, now);
  return { caFile, certFile: join(dir, `${name}.crt`), keyFile: join(dir, `${name}.key`) };
}

/** The pair in two files; undefined when a file is missing or invalid, or the certificate expires soon. */
async function readPair(certFile: string, keyFile: string, now: Date): Promise<KeyPair | undefined> {
  try {
    const [certificate, key] = [await readFile(certFile, "utf8"), await readFile(keyFile, "utf8")];
    const read = new X509Certificate(certificate);
    const isFresh = read.validToDate.getTime() - now.getTime() > renewBeforeMs;
    return isFresh && read.checkPrivateKey(createPrivateKey(key)) ? { certificate, key } : undefined;
  } catch {
    return undefined;
  }
}

const isSignedBy = (leaf: KeyPair, authority: KeyPair): boolean =>
  new X509Certificate(leaf.certificate).verify(new X509Certificate(authority.certificate).publicKey);

async function renewAuthority(certFile: string, keyFile: string, now: Date): Promise<KeyPair> {
  const pair = await makeAuthority("Corridor local authority", { now, days: 3_650 });
  await save(keyFile, pair.key, 0o600);
  await save(certFile, pair.certificate, 0o644);
  return pair;
}

async function makeLeaf(name: string, dir: string, authority: KeyPair, now: Date): Promise<void> {
  const names = [
    { type: "dns" as const, value: name },
    { type: "ip" as const, value: "127.0.0.1" },
  ];
  const pair = await issue(authority, { names, now, days: 365 });
  await save(join(dir, `${name}.key`), pair.key, 0o600);
  await save(join(dir, `${name}.crt`), pair.certificate, 0o644);
}

/** Replaces the file atomically. */
async function save(file: string, content: string, mode: number): Promise<void> {
  const partial = `${file}.${process.pid}.new`;
  await writeFile(partial, content, { mode });
  await rename(partial, file);
}
