/** A key pair that signs access tokens. */
export interface SigningKey {
  /** 1 for the first key of an installation, one more with each rotation. */
  number: number;
  /** RFC 7638 thumbprint of the public key. */
  kid: string;
  publicJwk: Readonly<Record<string, string>>;
  /** PKCS #8, PEM. */
  privatePem: string;
  /** It is published before, so that every verifier knows it when the first token comes. */
  signsFrom: Date;
}

/** How keys follow one another, times in milliseconds. */
export interface KeyPolicy {
  /** How long a key signs. */
  lifeMs: number;
  /** How long a new key is published before it signs. */
  leadMs: number;
  /** How long a token lives after it was signed, leeway included. */
  tokenLifeMs: number;
}

/** The keys at one moment. */
export interface KeyPlan {
  signing: SigningKey;
  /** What verifiers may see: the signing key, those that come next, and those whose tokens may still be alive. */
  published: readonly SigningKey[];
  /** True when the next key should be made now. */
  isNextDue: boolean;
}

/** Sorts keys, newest first and at least one, for the moment `at`. */
export function planKeys(keys: readonly [SigningKey, ...SigningKey[]], at: Date, policy: KeyPolicy): KeyPlan {
  const now = at.getTime();
  const [newest] = keys;
  // Before the very first key's time it signs all the same: there is no other.
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
