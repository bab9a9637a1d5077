import { type CredentialKind, parseCredential } from "../../shared/crypto/credential";
import type { Profile } from "../../shared/kernel/profile";
import type { CredentialHasher } from "../domain/credential-hash";
import type { Credential } from "../domain/directory";
import type { CredentialStore } from "../store/credential-store";

export interface FindHolderDeps {
  credentials: Pick<CredentialStore, "find" | "rehash">;
  hasher: CredentialHasher;
  env: Profile;
  /** Told of every genuine credential. */
  noteUse(id: string): void;
  /** Hears that a hash could not be replaced; the next use tries again. */
  onFault(error: unknown): void;
}

type Holder = Pick<Credential, "id" | "tenant" | "owner" | "bounds">;

/** Whose a presented credential is. */
export interface Found {
  /** Whose it says it is: nothing is proven. */
  claimed: Holder | undefined;
  /** The same when the credential is genuine. */
  holder: Holder | undefined;
}

/**
 * Looks at a credential of one kind and of this environment. An unknown id costs the same hash and compare as a known one. A genuine
 * one whose hash is under an older pepper is hashed anew: only now is it known.
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
