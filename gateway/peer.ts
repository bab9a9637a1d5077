import { X509Certificate } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Networks } from "../services/shared/kernel/networks";
import { type Callers, plainAddress } from "./callers";

/** The other end of the connection, before any credential is checked. */
export interface Peer {
  /** IPv4 or IPv6; empty when it is not known. */
  address: string;
  /** SHA-256 fingerprint of its client certificate, lower-case hex; undefined without mutual TLS. */
  certificate: string | undefined;
}

export interface PeerOptions {
  callers: Pick<Callers, "addressOf">;
  /** How many proxies in front of the gateway append to x-forwarded-for; entries before theirs are not trusted. */
  trustedHops: number;
  /** Networks of the proxy that calls the gateway: x-forwarded-for of any other peer is ignored. */
  proxies: Networks;
  /** Fingerprint of the one proxy that may name its client's certificate in x-client-certificate (PEM, URL-encoded). */
  proxyCertificate: string | undefined;
}

/** Reads the peer of a request. */
export type PeerReader = (request: Pick<IncomingMessage, "socket" | "headers">) => Peer;

export const makePeerReader =
  ({ callers, trustedHops, proxies, proxyCertificate }: PeerOptions): PeerReader =>
  ({ socket, headers }) => {
    const own = ownCertificate(socket);
    const isProxy = own !== undefined && own === proxyCertificate;
    const address = callers.addressOf(socket);
    const isForwarded = trustedHops > 0 && proxies.includes(address);
    return {
      address: isForwarded ? plainAddress(forwardedAddress(headers, trustedHops)) : address,
      certificate: isProxy ? namedCertificate(headers) : own,
    };
  };

/** Returns the address that the outermost trusted proxy saw; none when there are fewer proxies than configured. */
function forwardedAddress(headers: IncomingHttpHeaders, hops: number): string | undefined {
  const forwarded = headers["x-forwarded-for"];
  const list = Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? "");
  return list.split(",").at(-hops)?.trim();
}

const plainFingerprint = (fingerprint: string): string => fingerprint.replaceAll(":", "").toLowerCase();

function ownCertificate(socket: Socket): string | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { fingerprint256 } = socket.getPeerCertificate();
  return fingerprint256 === undefined ? undefined : plainFingerprint(fingerprint256);
}

function namedCertificate(headers: IncomingHttpHeaders): string | undefined {
  try {
    const pem = decodeURIComponent(String(headers["x-client-certificate"] ?? ""));
    return plainFingerprint(new X509Certificate(pem).fingerprint256);
  } catch {
    return undefined;
  }
}
