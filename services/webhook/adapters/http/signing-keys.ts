import type { Sealer } from "../../../shared/crypto/sealing";
import { secretContext, seedContext } from "../../domain/secret";
import { type SigningKeys, signingKeysOf } from "../../domain/signature";
import type { KeysOf } from "../../ports";

const capacity = 1_000;

/**
 * Opens signing keys once per secret. They are cached by the sealed text, which every rotation changes, so an old key is
 * never used for a new secret.
 */
export function makeSigningKeys(sealer: Pick<Sealer, "open">): KeysOf {
  const known = new Map<string, SigningKeys>();
  return ({ id, tenant, secret }) => {
    if (secret === undefined) return undefined;
    const found = known.get(secret.sealed);
    if (found !== undefined) return found;
    const open = (sealed: string, context: string): string => sealer.open(sealed, context).toString("utf8");
    const keys = signingKeysOf(
      open(secret.sealed, secretContext(tenant, id)),
      open(secret.sealedSeed, seedContext(tenant, id)),
    );
    const [oldest] = known.keys();
    if (known.size >= capacity && oldest !== undefined) known.delete(oldest);
    known.set(secret.sealed, keys);
    return keys;
  };
}
