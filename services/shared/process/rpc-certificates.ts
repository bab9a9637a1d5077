import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { ChannelCredentials, experimental, ServerCredentials } from "@grpc/grpc-js";
import type { Running } from "./lifecycle";
import { repeat } from "./repeat";
import { type Release, releaseOf } from "./rpc-callers";

/** PEM files of one process for mutual TLS between services. */
export interface RpcTlsFiles {
  ca: string;
  certificate: string;
  key: string;
}

/** The current certificates of one process, with notice of changes. */
export interface RpcTls extends experimental.CertificateProvider {
  /** The release of our own certificate. */
  release(): Release;
  /** When our own certificate expires. */
  validTo(): Date;
}

interface Pems {
  ca: Buffer;
  certificate: Buffer;
  key: Buffer;
  release: Release;
  validTo: Date;
}

const filesAreReadEveryMs = 10_000;

/**
 * Follows certificate files: connections made after a change use the new certificates, and open ones stay. Throws when the
 * files are unusable at first; later calls `onBadFiles` and keeps the previous ones.
 */
export function followCertificates(
  files: RpcTlsFiles,
  onBadFiles: (error: unknown) => void,
  readEveryMs = filesAreReadEveryMs,
): RpcTls & Running {
  let present = readUsable(files);
  const caListeners = new Set<experimental.CaCertificateUpdateListener>();
  const identityListeners = new Set<experimental.IdentityCertificateUpdateListener>();
  const tellCa = (listener: experimental.CaCertificateUpdateListener): void => listener({ caCertificate: present.ca });
  const tellIdentity = (listener: experimental.IdentityCertificateUpdateListener): void =>
    listener({ certificate: present.certificate, privateKey: present.key });
  const read = async (): Promise<void> => {
    const next = readUsable(files);
    if (isSame(present, next)) return;
    present = next;
    identityListeners.forEach(tellIdentity);
    caListeners.forEach(tellCa);
  };
  const reading = repeat(readEveryMs, read, onBadFiles);
  return {
    ...reading,
    release: () => present.release,
    validTo: () => present.validTo,
    // Listeners are called a little later: servers are not ready while they add one.
    addCaCertificateListener(listener) {
      caListeners.add(listener);
      process.nextTick(tellCa, listener);
    },
    removeCaCertificateListener: (listener) => void caListeners.delete(listener),
    addIdentityCertificateListener(listener) {
      identityListeners.add(listener);
      process.nextTick(tellIdentity, listener);
    },
    removeIdentityCertificateListener: (listener) => void identityListeners.delete(listener),
  };
}

/** Reads the files. Throws when one is missing, or when certificate and key do not belong together, for example in the middle of a change. */
function readUsable({ ca, certificate, key }: RpcTlsFiles): Pems {
  const pems = { ca: readFileSync(ca), certificate: readFileSync(certificate), key: readFileSync(key) };
  createSecureContext({ ca: pems.ca, cert: pems.certificate, key: pems.key });
  const read = new X509Certificate(pems.certificate);
  return { ...pems, release: releaseOf(read.subjectAltName), validTo: read.validToDate };
}

const isSame = (one: Pems, other: Pems): boolean =>
  one.ca.equals(other.ca) && one.certificate.equals(other.certificate) && one.key.equals(other.key);

/** A client's credentials; without certificates its calls are unencrypted. */
export const channelCredentials = (tls: RpcTls | undefined): ChannelCredentials =>
  tls === undefined
    ? ChannelCredentials.createInsecure()
    : experimental.createCertificateProviderChannelCredentials(tls, tls);

/** A server's credentials, which require a client certificate of the same authority. */
export const serverCredentials = (tls: RpcTls | undefined): ServerCredentials =>
  tls === undefined
    ? ServerCredentials.createInsecure()
    : experimental.createCertificateProviderServerCredentials(tls, tls, true);
