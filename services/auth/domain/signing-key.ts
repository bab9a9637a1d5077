/** A key pair that signs access tokens. */
export interface SigningKey {
  /** 1 for the first key of an installation, increased with each rotation. */
  number: number;
  /** RFC 7638 thumbprint of the public key. */
  kid: string;
  publicJwk: Readonly<Record<string, string>>;
  /** PKCS #8, PEM. */
  privatePem: string;
  /** The key is published earlier, so that every verifier has it when the first token arrives. */
  signsFrom: Date;
}

/** Rotation policy of signing keys, times in milliseconds. */
export interface KeyPolicy {
  /** How long a key signs. */
  lifeMs: number;
  /** How long a new key is published before it signs. */
  leadMs: number;
  /** Life of a token after signing, leeway included. */
  tokenLifeMs: number;
}

/** The keys at one moment. */
export interface KeyPlan {
  signing: SigningKey;
  /** The keys that verifiers may see: the signing key, the next ones, and those whose tokens may still be valid. */
  published: readonly SigningKey[];
  /** True when the next key should be made now. */
  isNextDue: boolean;
}

/** Plans the use of keys, newest first and at least one, at the instant `at`. */
export function planKeys(keys: readonly [SigningKey, ...SigningKey[]], at: Date, policy: KeyPolicy): KeyPlan {
  const now = at.getTime();
  const [newest] = keys;
  // The very first key signs even before its time: there is no other.
  const signing = keys.find(({ signsFrom }) => signsFrom.getTime() <= now) ?? keys.at(-1) ?? newest;
  const isAlive = (_key: SigningKey, index: number): boolean => {
    const successor = keys[index - 1];
    return successor === undefined || successor.signsFrom.getTime() + policy.tokenLifeMs > now;
  };
  return {
    signing,
    published: keys.filter(isAlive),
    isNextDue: newest.signsFrom.getTime() + policy.lifeMs - policy.leadMs <= now,
  };
}
