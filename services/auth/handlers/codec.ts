import type {
  AuditEntry as WireEntry,
  AuditRecord as WireRecord,
} from "../../../proto/gen/corridor/auth/v1/audit_service";
import type {
  Agent as WireAgent,
  CredentialBounds as WireBounds,
  Client as WireClient,
  Credential as WireCredential,
  SigningKey as WireSigningKey,
  Tenant as WireTenant,
} from "../../../proto/gen/corridor/auth/v1/directory_service";
import { type CredentialKind, credentialPrefix } from "../../shared/crypto/credential";
import { beginningOfTime } from "../../shared/kernel/clock";
import { invalid } from "../../shared/kernel/errors";
import type { Profile } from "../../shared/kernel/profile";
import type { AuditEntry, AuditRecord } from "../domain/audit-chain";
import { type CredentialBounds, isBound } from "../domain/credential-bounds";
import type { Agent, Client, Credential, Tenant } from "../domain/directory";
import type { KeyPlan, SigningKey } from "../domain/signing-key";

export const encodeTenant = ({ allowlist, certificates, ...tenant }: Tenant): WireTenant => ({
  ...tenant,
  allowlist: [...allowlist],
  certificates: [...certificates],
});

export const encodeClient = ({ id, tenant, scopes, disabledAt }: Client): WireClient => ({
  clientId: id,
  tenant,
  scopes: [...scopes],
  disabledAt,
});

export const encodeAgent = ({ version: _version, ...agent }: Agent): WireAgent => agent;

export function encodeCredential(credential: Omit<Credential, "slot" | "hash">, env: Profile): WireCredential {
  const { id, kind, owner, createdAt, lastUsedAt } = credential;
  const bounds = encodeBounds(credential.bounds);
  return { id, kind, owner, prefix: credentialPrefix({ kind, env, id }), createdAt, lastUsedAt, bounds };
}

/** Undefined for a credential without bounds. */
export const encodeBounds = (bounds: CredentialBounds): WireBounds | undefined =>
  isBound(bounds)
    ? {
        scopes: encodeTexts(bounds.scopes),
        expiresAt: bounds.expiresAt,
        allowlist: [...bounds.allowlist],
      }
    : undefined;

export const encodeTexts = (values: readonly string[] | undefined): { values: string[] } | undefined =>
  values === undefined ? undefined : { values: [...values] };

export const decodeBounds = (bounds: WireBounds | undefined): CredentialBounds => ({
  scopes: bounds?.scopes?.values,
  expiresAt: bounds?.expiresAt,
  allowlist: bounds?.allowlist ?? [],
});

export const encodeSigningKey = ({ kid, signsFrom }: SigningKey, { signing }: KeyPlan): WireSigningKey => ({
  kid,
  signsFrom,
  isSigning: kid === signing.kid,
});

export function decodeKind(text: string): CredentialKind {
  if (text === "key" || text === "agent" || text === "secret") return text;
  throw invalid([{ field: "kind", message: "must be key, agent or secret" }]);
}

export const decodeEntry = ({ at, count, ...entry }: WireEntry): AuditEntry => ({
  ...entry,
  at: at ?? beginningOfTime,
  count: Math.max(count, 1),
});

export const encodeRecord = ({ sequence, hash, ...entry }: AuditRecord): WireRecord => ({
  sequence: BigInt(sequence),
  entry,
  hash,
});
