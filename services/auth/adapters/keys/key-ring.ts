import { type Clock, plusMs } from "../../../shared/kernel/clock";
import { DomainError } from "../../../shared/kernel/errors";
import type { AccessTokenClaims } from "../../domain/access-token";
import { type KeyPlan, type KeyPolicy, planKeys, type SigningKey } from "../../domain/signing-key";
import type { SigningKeyStore } from "../../store/signing-key-store";
import { makeTokenSigner, type SignToken } from "./token-signer";

/** The signing keys of this installation, as last read from the store. */
export interface KeyRing {
  /** Signs with the key that is current. */
  sign: SignToken;
  /** The keys at this moment. */
  plan(): KeyPlan;
  /** Reads the store again, and makes the next key when it is due. */
  refresh(): Promise<void>;
  /** Publishes the next key; returns the one already waiting, if there is one. */
  rotate(): Promise<SigningKey>;
  /** Removes a key. Throws RECORD_NOT_FOUND, and RECORD_CONFLICT for the only one. */
  revoke(kid: string): Promise<void>;
}

export interface KeyRingDeps {
  signingKeys: Pick<SigningKeyStore, "all" | "addIfAbsent" | "remove">;
  makeKey(number: number, signsFrom: Date): Promise<SigningKey>;
  policy: KeyPolicy;
  clock: Clock;
}

type Keys = readonly [SigningKey, ...SigningKey[]];

/** Opens the ring. The first start of an installation makes its first key; replicas agree on one by its number. */
export async function openKeyRing(deps: KeyRingDeps): Promise<KeyRing> {
  const { signingKeys, makeKey, policy, clock } = deps;
  const signers = new Map<string, Promise<SignToken>>();

  const load = async (): Promise<Keys> => {
    const [newest, ...older] = await signingKeys.all();
    return newest === undefined ? [await signingKeys.addIfAbsent(await makeKey(1, clock.now()))] : [newest, ...older];
  };
  const addNext = async (after: SigningKey): Promise<SigningKey> => {
    const signsFrom = plusMs(clock.now(), policy.leadMs);
    return signingKeys.addIfAbsent(await makeKey(after.number + 1, signsFrom));
  };
  let keys = await load();

  const refresh = async (): Promise<void> => {
    keys = await load();
    if (!planKeys(keys, clock.now(), policy).isNextDue) return;
    await addNext(keys[0]);
    keys = await load();
  };
  await refresh();

  const signerOf = (key: SigningKey): Promise<SignToken> => {
    const known = signers.get(key.kid) ?? makeTokenSigner(key);
    signers.set(key.kid, known);
    return known;
  };
  const plan = (): KeyPlan => planKeys(keys, clock.now(), policy);
  return {
    plan,
    refresh,
    async sign(claims: AccessTokenClaims) {
      const sign = await signerOf(plan().signing);
      return sign(claims);
    },
    async rotate() {
      keys = await load();
      const [newest] = keys;
      const next = newest.signsFrom > clock.now() ? newest : await addNext(newest);
      keys = await load();
      return next;
    },
    async revoke(kid) {
      keys = await load();
      const isKnown = keys.some((key) => key.kid === kid);
      if (isKnown && keys.length === 1) throw new DomainError("RECORD_CONFLICT", "it is the only key; rotate first");
      if (!isKnown || !(await signingKeys.remove(kid)))
        throw new DomainError("RECORD_NOT_FOUND", "there is no key with this id");
      keys = await load();
    },
  };
}
