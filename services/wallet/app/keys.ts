import type { Ids } from "../../shared/kernel/ids";
import type { Runtime } from "../../shared/process/runtime";
import { type DataKeys, makeDataKeys } from "../../shared/storage/data-keys";
import { type KeyRotation, startKeyRotation } from "../../shared/storage/key-rotation";
import type { Mongo } from "../../shared/storage/mongo";
import type { WalletConfig } from "../config";
import { type LedgerKeys, makeLedgerKeys } from "../domain/ledger-keys";
import { coveredCheckpoints } from "../store/checkpoint-store";
import { markedEntries } from "../store/entry-store";

/** Opens the keys of the service, and the rotation that puts everything under the newest ones. */
export async function openKeys(
  { WALLET_SEAL_KEY_FILE, WALLET_SEALING_KEY_FILE }: WalletConfig,
  { logger }: Runtime,
  { connection }: Mongo,
  ids: Ids,
): Promise<{ keys: DataKeys; ledgerKeys: LedgerKeys; keyRotation: KeyRotation }> {
  const keys = makeDataKeys({ connection, sealingKeys: WALLET_SEALING_KEY_FILE, ids });
  await keys.init();
  const ledgerKeys = makeLedgerKeys(WALLET_SEAL_KEY_FILE, ids);
  const uses = [
    keys.renewal("WALLET_SEALING_KEY_FILE"),
    markedEntries("WALLET_SEAL_KEY_FILE", ledgerKeys),
    coveredCheckpoints("WALLET_SEAL_KEY_FILE", ledgerKeys),
  ];
  const rings = { WALLET_SEALING_KEY_FILE, WALLET_SEAL_KEY_FILE };
  return { keys, ledgerKeys, keyRotation: await startKeyRotation({ connection, rings, uses, logger }) };
}
