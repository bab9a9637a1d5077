import type { SigningKey } from "../domain/signing-key";
import type { SigningKeyStore } from "../store/signing-key-store";

export interface LoadSigningKeysDeps {
  signingKeys: Pick<SigningKeyStore, "all" | "addIfAbsent">;
  makeKey: (number: number) => Promise<SigningKey>;
}

/** All keys of this installation, the newest first, never empty. */
export type LoadSigningKeys = () => Promise<readonly [SigningKey, ...SigningKey[]]>;

/** The first start makes the first key. Replicas that start at once all take the one that was stored first. */
export const makeLoadSigningKeys =
  ({ signingKeys, makeKey }: LoadSigningKeysDeps): LoadSigningKeys =>
  async () => {
    const [newest, ...older] = await signingKeys.all();
    return newest === undefined ? [await signingKeys.addIfAbsent(await makeKey(1))] : [newest, ...older];
  };
