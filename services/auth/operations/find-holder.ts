import type { Profile } from "../../shared/config";
import { type CredentialKind, parseCredential } from "../../shared/credential";
import type { CredentialHasher } from "../domain/credential-hash";
import type { Credential } from "../domain/directory";
import type { CredentialStore } from "../store/credential-store";

export interface FindHolderDeps {
  credentials: Pick<CredentialStore, "find">;
  hasher: CredentialHasher;
  env: Profile;
}

/** Whose a presented credential is; undefined unless it is genuine, of that kind and of this environment. */
export type FindHolder = (
  kind: CredentialKind,
  presented: string,
) => Promise<Pick<Credential, "tenant" | "owner"> | undefined>;

export const makeFindHolder =
  ({ credentials, hasher, env }: FindHolderDeps): FindHolder =>
  async (kind, presented) => {
    const name = parseCredential(presented);
    if (name === undefined || name.kind !== kind || name.env !== env) return undefined;
    const stored = await credentials.find(name.id);
    return hasher.matches(presented, stored?.hash) ? stored : undefined;
  };
