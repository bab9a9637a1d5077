import { type CredentialKind, parseCredential } from "../../shared/crypto/credential";
import type { Profile } from "../../shared/kernel/profile";
import type { CredentialHasher } from "../domain/credential-hash";
import type { Credential } from "../domain/directory";
import type { CredentialStore } from "../store/credential-store";

export interface FindHolderDeps {
  credentials: Pick<CredentialStore, "find" | "rehash">;
  hasher: CredentialHasher;
  env: Profile;
  /** Called with every genuine credential. */
  noteUse(id: string): void;
  /** Called when a hash could not be replaced; the next use tries again. */
  onFault(error: unknown): void;
}

type Holder = Pick<Credential, "id" | "tenant" | "owner" | "bounds">;

/** The owner of a presented credential. */
export interface Found {
  /** The owner by the id alone, without proof. */
  claimed: Holder | undefined;
  /** The owner when the credential is genuine. */
  holder: Holder | undefined;
}

/**
 * Finds the owner of a credential of one kind and of this environment. An unknown id costs the same hash and comparison as a known one.
 * Rehashes a genuine credential with a hash under an older pepper, since only its use reveals it.
 */
export type FindHolder = (kind: CredentialKind, presented: string) => Promise<Found>;

export const makeFindHolder =
  ({ credentials, hasher, env, noteUse, onFault }: FindHolderDeps): FindHolder =>
  async (kind, presented) => {
    const name = parseCredential(presented);
    if (name === undefined || name.kind !== kind || name.env !== env) return { claimed: undefined, holder: undefined };
    const stored = await credentials.find(name.id);
    const isGenuine = hasher.matches(presented, stored?.hash);
    if (isGenuine) noteUse(name.id);
    if (isGenuine && stored !== undefined && hasher.ageOf(stored.hash) === "older") {
      await credentials.rehash(name.id, stored.hash, hasher.hash(presented)).catch(onFault);
    }
    return { claimed: stored, holder: isGenuine ? stored : undefined };
  };
