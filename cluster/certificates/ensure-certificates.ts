import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Clock } from "../../services/shared/kernel/clock";
import { dayMs, issueCertificate, type KeyPair, makeAuthority } from "./authority";
import type { SecretStore } from "./secret-store";

export interface EnsureCertificatesDeps {
  secrets: SecretStore;
  clock: Clock;
}

export interface CertificatePlan {
  namespace: string;
  /** Prefix of the names of Secrets and hosts. */
  prefix: string;
  services: readonly string[];
  days: number;
  renewBeforeDays: number;
}

const authorityDays = 3_650;
const authoritiesKey = "authorities.json";
const attempts = 5;

/**
 * Issues, for every service, the Secret with its certificate for calls, and replaces certificates that expire soon. Returns the
 * names of the Secrets written. An authority is replaced in two steps: every service trusts the next one for a whole certificate
 * lifetime before it signs. Safe to repeat and to run twice at once.
 */
export async function ensureCertificates(plan: CertificatePlan, deps: EnsureCertificatesDeps): Promise<string[]> {
  const authority = await ensureAuthorities(plan, deps);
  const written: string[] = authority.isNew ? [authorityName(plan)] : [];
  for (const service of plan.services) {
    const name = `${plan.prefix}-${service}-rpc-tls`;
    if (await ensureCertificate(name, service, authority.authorities, plan, deps)) written.push(name);
  }
  return written;
}

const authorityName = ({ prefix }: CertificatePlan): string => `${prefix}-rpc-authority`;

const leftMs = (certificate: string, clock: Clock): number =>
  new X509Certificate(certificate).validToDate.getTime() - clock.now().getTime();

interface Authorities {
  authorities: readonly KeyPair[];
  isNew: boolean;
}

async function ensureAuthorities(plan: CertificatePlan, deps: EnsureCertificatesDeps): Promise<Authorities> {
  const { secrets, clock } = deps;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const stored = await secrets.find(authorityName(plan));
    const kept = parseAuthorities(stored?.data[authoritiesKey]).filter((one) => leftMs(one.certificate, clock) > 0);
    const newest = kept.at(-1);
    // The next authority must be trusted for a certificate lifetime before the old one expires too soon to sign.
    if (newest !== undefined && leftMs(newest.certificate, clock) > 2 * plan.days * dayMs) {
      return { authorities: kept, isNew: false };
    }
    const next = await makeAuthority(`${plan.prefix} calls`, { now: clock.now(), days: authorityDays });
    const authorities = [...kept, next];
    const data = { [authoritiesKey]: JSON.stringify(authorities) };
    if (await secrets.save(authorityName(plan), data, stored)) return { authorities, isNew: true };
  }
  throw new Error(`Secret ${authorityName(plan)} keeps being changed by another writer`);
}

function parseAuthorities(text: string | undefined): KeyPair[] {
  if (text === undefined) return [];
  const list: unknown = JSON.parse(text);
  if (Array.isArray(list) && list.every(isKeyPair)) return list;
  throw new Error("the stored authorities are unreadable");
}

const isKeyPair = (value: unknown): value is KeyPair =>
  typeof value === "object" &&
  value !== null &&
  "certificate" in value &&
  typeof value.certificate === "string" &&
  "key" in value &&
  typeof value.key === "string";

/** True when the Secret was written. */
async function ensureCertificate(
  name: string,
  service: string,
  authorities: readonly KeyPair[],
  plan: CertificatePlan,
  { secrets, clock }: EnsureCertificatesDeps,
): Promise<boolean> {
  const bundle = authorities.map(({ certificate }) => certificate).join("");
  const hosts = [`${plan.prefix}-${service}`, `${plan.prefix}-${service}.${plan.namespace}.svc`];
  const signer = authorities.find(({ certificate }) => leftMs(certificate, clock) > plan.days * dayMs);
  if (signer === undefined) throw new Error("no authority lives long enough to sign");
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const stored = await secrets.find(name);
    const { "tls.crt": certificate = "", "tls.key": key = "", "ca.crt": trusted = "" } = stored?.data ?? {};
    const isGood = isUsable({ certificate, key }, hosts, authorities, plan, clock);
    if (isGood && trusted === bundle) return false;
    const names = hosts.map((value) => ({ type: "dns" as const, value }));
    const pair = isGood
      ? { certificate, key }
      : await issueCertificate(signer, { names, now: clock.now(), days: plan.days });
    const data = { "ca.crt": bundle, "tls.crt": pair.certificate, "tls.key": pair.key };
    if (await secrets.save(name, data, stored)) return true;
  }
  throw new Error(`Secret ${name} keeps being changed by another writer`);
}

/** True for a certificate of one of the authorities for exactly these hosts, with its key, that does not expire soon. */
function isUsable(
  { certificate, key }: KeyPair,
  hosts: readonly string[],
  authorities: readonly KeyPair[],
  { renewBeforeDays }: CertificatePlan,
  clock: Clock,
): boolean {
  try {
    const read = new X509Certificate(certificate);
    return (
      leftMs(certificate, clock) > renewBeforeDays * dayMs &&
      read.checkPrivateKey(createPrivateKey(key)) &&
      read.subjectAltName === hosts.map((host) => `DNS:${host}`).join(", ") &&
      authorities.some((one) => read.verify(new X509Certificate(one.certificate).publicKey))
    );
  } catch {
    return false;
  }
}
