import type { Client, Credential, CredentialBounds } from "../proto/gen/corridor/auth/v1/directory_service";
import { parseInstant } from "../services/shared/kernel/clock";
import { scopes as tokenScopes } from "../services/shared/kernel/scopes";
import { knownWord } from "./codec/known-word";
import * as contracts from "./contract/credentials";
import type { Answered } from "./contract/infer";

interface AskedBounds {
  scopes?: readonly string[];
  expiresAt?: string;
  allowlist?: readonly string[];
}

export const toBounds = ({ scopes: given, expiresAt, allowlist: networks = [] }: AskedBounds): CredentialBounds => ({
  scopes: given && { values: [...given] },
  expiresAt: expiresAt === undefined ? undefined : parseInstant(expiresAt),
  allowlist: [...networks],
});

export function renderClient(client: Client | undefined): Answered<typeof contracts.client> {
  if (client === undefined) throw new Error("the auth service sent no client");
  const { clientId, tenant, scopes, disabledAt = null } = client;
  return { clientId, tenant, scopes: scopes.map((scope) => knownWord(tokenScopes, scope)), disabledAt };
}

export function renderCredential(credential: Credential | undefined): Answered<typeof contracts.credential> {
  if (credential === undefined) throw new Error("the auth service sent no credential");
  const { id, kind, owner, prefix, createdAt = null, lastUsedAt = null, bounds } = credential;
  return {
    id,
    kind: knownWord(contracts.credentialKinds, kind),
    owner,
    prefix,
    createdAt,
    lastUsedAt,
    scopes: bounds?.scopes?.values.map((scope) => knownWord(contracts.credentialScopes, scope)) ?? null,
    expiresAt: bounds?.expiresAt ?? null,
    allowlist: bounds?.allowlist ?? [],
  };
}
