import { systemIds } from "../../services/shared/kernel/ids";
import { noTracing } from "../../services/shared/process/tracing";
import { makeDataKeys } from "../../services/shared/storage/data-keys";
import { type Mongo, openMongo } from "../../services/shared/storage/mongo";
import { makeLedgerKeys } from "../../services/wallet/domain/ledger-keys";
import { encodeEvents } from "../../services/wallet/handlers/event-codec";
import { type GroupCommitDeps, makeGroupCommit } from "../../services/wallet/operations/group-commit";
import { makeVerifyLedger } from "../../services/wallet/operations/verify-ledger";
import { makeAccountStore } from "../../services/wallet/store/account-store";
import { makeCheckpointStore } from "../../services/wallet/store/checkpoint-store";
import { makeCommitStore } from "../../services/wallet/store/commit-store";
import { makeEntryStore } from "../../services/wallet/store/entry-store";
import { makeHoldExpiryStore } from "../../services/wallet/store/hold-expiry-store";
import { makePromiseStore } from "../../services/wallet/store/promise-store";
import { makeRowStore } from "../../services/wallet/store/row-store";
import { makeSealedDetails } from "../../services/wallet/store/sealed-details";

/** The ledger on a store, without the service around it. */
export async function openLedger(uri: string, database: string, clock: { now(): Date }) {
  const mongo: Mongo = await openMongo({ uri, database, profile: "local", tracing: noTracing });
  const { connection, transact } = mongo;
  const keys = makeDataKeys({ connection, sealingKeys: [Buffer.alloc(32, 6)], ids: systemIds });
  const ledgerKeys = makeLedgerKeys([Buffer.alloc(32, 5)], systemIds);
  const [{ key }] = ledgerKeys;
  const stores = {
    accounts: makeAccountStore(connection),
    entries: makeEntryStore(connection),
    rows: makeRowStore(connection),
    commits: makeCommitStore(connection, encodeEvents),
    expiries: makeHoldExpiryStore(connection),
    promises: makePromiseStore(connection),
    checkpoints: makeCheckpointStore(connection),
  };
  await Promise.all([keys, ...Object.values(stores)].map((store) => store.init()));
  const newWriter = (changes: Partial<GroupCommitDeps> = {}) =>
    makeGroupCommit({
      ...stores,
      transact,
      clock,
      ids: systemIds,
      shards: 4,
      key,
      requireClock: async () => {},
      news: { add() {}, doubt() {} },
      observe: () => {},
      ...changes,
    });
  return {
    ...stores,
    key,
    keys,
    sealed: makeSealedDetails(keys),
    mongo,
    ledger: newWriter(),
    /** Another writer on the same store, as another replica has. */
    newWriter,
    verify: makeVerifyLedger({ ...stores, anchors: [], keys: ledgerKeys }),
  };
}
