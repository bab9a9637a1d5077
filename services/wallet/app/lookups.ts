import type { Connection } from "mongoose";
import { BusServiceService } from "../../../proto/gen/corridor/common/v1/bus_service";
import { KeyServiceService } from "../../../proto/gen/corridor/common/v1/key_service";
import { SearchServiceService } from "../../../proto/gen/corridor/common/v1/search_service";
import type { BusConsumer } from "../../shared/bus/bus-consumer";
import { makeBusService } from "../../shared/bus/bus-service";
import { makeKeyService } from "../../shared/bus/key-service";
import { makeSearchService } from "../../shared/rpc/search-service";
import type { DataKeys } from "../../shared/storage/data-keys";
import type { KeyDuty } from "../../shared/storage/key-duty";
import { listWalletsHandler } from "../handlers/list-wallets";
import { encodeFound } from "../handlers/search-codec";
import { makeShowWallet } from "../handlers/wallet-codec";
import type { AccountStore } from "../store/account-store";
import { makeSealedDetails } from "../store/sealed-details";
import { makeSearchStore } from "../store/search-store";
import { makeWalletListStore } from "../store/wallet-list-store";

/** What several services serve, and this one too. */
export const commonServices = { ...BusServiceService, ...KeyServiceService, ...SearchServiceService };

export interface LookupDeps {
  connection: Connection;
  keys: DataKeys;
  accounts: AccountStore;
  keyDuty: KeyDuty;
}

/** How wallets are listed and found, and what becomes of messages that could not be read. */
export async function openLookups(
  { connection, keys, accounts, keyDuty }: LookupDeps,
  consumers: readonly BusConsumer[],
) {
  const search = makeSearchStore(connection, keys);
  const walletLists = makeWalletListStore(connection);
  await walletLists.init();
  return {
    listWallets: listWalletsHandler({ walletLists, accounts, show: makeShowWallet(makeSealedDetails(keys)) }),
    ...makeBusService({ connection, consumers }),
    ...makeKeyService(keyDuty),
    ...makeSearchService(async (scope, id) => (await search.find(scope, id)).map(encodeFound)),
  };
}
