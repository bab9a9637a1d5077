import { type CredentialKind, makeCredential, parseCredential } from "../../shared/crypto/credential";
import type { Ids } from "../../shared/kernel/ids";
import type { Profile } from "../../shared/kernel/profile";
import type { CredentialBounds } from "./credential-bounds";
import type { CredentialHasher } from "./credential-hash";
import type { Credential } from "./directory";

interface CredentialFacts {
  kind: CredentialKind;
  tenant: string;
  owner: string;
  env: Profile;
  hasher: CredentialHasher;
  ids: Pick<Ids, "bytes">;
  bounds: CredentialBounds;
  createdAt: Date;
}

/** Makes a credential: the text to show once, and the record to store. */
export function newCredential({ kind, tenant, owner, env, hasher, ids, bounds, createdAt }: CredentialFacts): {
  text: string;
  credential: Omit<Credential, "slot" | "lastUsedAt">;
} {
  const text = makeCredential(kind, env, ids);
  const id = parseCredential(text)?.id ?? "";
  return { text, credential: { id, kind, tenant, owner, hash: hasher.hash(text), bounds, createdAt } };
}
