import type { Sealer } from "../../shared/sealing";
import { secretContext } from "../domain/secret";
import { type SigningKeys, signingKeysOf } from "../domain/signature";
import type { KeysOf } from "../ports";

const capacity = 1_000;

/**
 * Signing keys, opened once per secret. They are kept under the sealed text, which every rotation changes, so an old key
 * is never taken for a new secret.
 */
export function makeSigningKeys(sealer: Pick<Sealer, "open">): KeysOf {
  const known = new Map<string, SigningKeys>();
  return ({ id, tenant, secret }) => {
    if (secret === undefined) return undefined;
    const found = known.get(secret.sealed);
    if (found !== undefined) return found;
    const keys = signingKeysOf(sealer.open(secret.sealed, secretContext(tenant, id)).toString("utf8"));
    const [oldest] = known.keys();
    if (known.size >= capacity && oldest !== undefined) known.delete(oldest);
    known.set(secret.sealed, keys);
    return keys;
  };
}
