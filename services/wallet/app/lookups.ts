import type { Connection } from "mongoose";
import { BusServiceService } from "../../../proto/gen/corridor/common/v1/bus_service";
import { KeyServiceService } from "../../../proto/gen/corridor/common/v1/key_service";
import { SearchServiceService } from "../../../proto/gen/corridor/common/v1/search_service";
import { MovementServiceService } from "../../../proto/gen/corridor/wallet/v1/movement_service";
import type { BusConsumer } from "../../shared/bus/bus-consumer";
import { makeBusService } from "../../shared/bus/bus-service";
import { makeKeyService } from "../../shared/bus/key-service";
import { makeSearchService } from "../../shared/rpc/search-service";
import type { DataKeys } from "../../shared/storage/data-keys";
import type { KeyRotation } from "../../shared/storage/key-rotation";
import { getTransactionHandler } from "../handlers/get-transaction";
import { getTransferHandler } from "../handlers/get-transfer";
import { listMovementsHandler } from "../handlers/list-movements";
import { listWalletsHandler } from "../handlers/list-wallets";
import { encodeFound } from "../handlers/search-codec";
import { makeShowWallet } from "../handlers/wallet-codec";
import { makeReadMovements } from "../operations/read-movements";
import type { AccountStore } from "../store/account-store";
import type { EntryStore } from "../store/entry-store";
import { makeSealedDetails } from "../store/sealed-details";
import { makeSearchStore } from "../store/search-store";
import { makeWalletListStore } from "../store/wallet-list-store";

/** The gRPC services that are served beside the ledger itself. */
export const lookupServices = {
  ...MovementServiceService,
  ...BusServiceService,
  ...KeyServiceService,
  ...SearchServiceService,
};

export interface LookupDeps {
  connection: Connection;
  keys: DataKeys;
  accounts: AccountStore;
  entries: EntryStore;
  keyRotation: KeyRotation;
}

/** Opens the lists and searches of wallets, and the store of parked messages. */
export async function openLookups(
  { connection, keys, accounts, entries, keyRotation }: LookupDeps,
  consumers: readonly BusConsumer[],
) {
  const search = makeSearchStore(connection, keys);
  const walletLists = makeWalletListStore(connection);
  await walletLists.init();
  const sealed = makeSealedDetails(keys);
  const movements = makeReadMovements({ entries, accounts, sealed });
  return {
    listWallets: listWalletsHandler({ walletLists, accounts, show: makeShowWallet(sealed) }),
    getTransaction: getTransactionHandler(movements),
    getTransfer: getTransferHandler(movements),
    listMovements: listMovementsHandler(movements),
    ...makeBusService({ connection, consumers }),
    ...makeKeyService(keyRotation),
    ...makeSearchService(async (scope, id) => (await search.find(scope, id)).map(encodeFound)),
  };
}
