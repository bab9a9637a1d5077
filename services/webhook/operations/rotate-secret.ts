import type { Sealer } from "../../shared/crypto/sealing";
import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import {
  fingerprintOf,
  makeSecret,
  publicKeyOf,
  type StoredSecret,
  secretContext,
  seedContext,
  signerOf,
} from "../domain/secret";
import type { SubscriptionStore } from "../store/subscription-store";

export interface RotateSecretDeps {
  subscriptions: Pick<SubscriptionStore, "setSecret">;
  sealer: Pick<Sealer, "seal">;
  clock: Clock;
  ids: Ids;
}

export type RotateSecret = (tenant: string, id: string) => Promise<{ secret: string; stored: StoredSecret }>;

/** Makes a new secret and a new pair of keys, and replaces the old ones at once. Throws WEBHOOK_NOT_FOUND. */
export const makeRotateSecret =
  ({ subscriptions, sealer, clock, ids }: RotateSecretDeps): RotateSecret =>
  async (tenant, id) => {
    const secret = makeSecret(ids.bytes);
    const seed = makeSecret(ids.bytes);
    const stored = {
      sealed: sealer.seal(secret, secretContext(tenant, id)),
      sealedSeed: sealer.seal(seed, seedContext(tenant, id)),
      publicKey: publicKeyOf(signerOf(seed)),
      fingerprint: fingerprintOf(secret),
      rotatedAt: clock.now(),
    };
    const isSet = await subscriptions.setSecret(tenant, id, stored);
    if (!isSet) throw new DomainError("WEBHOOK_NOT_FOUND", "there is no such subscription");
    return { secret, stored };
  };
