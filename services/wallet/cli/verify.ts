import { systemIds } from "../../shared/kernel/ids";
import { noTracing } from "../../shared/process/tracing";
import { makeAnchorFile } from "../../shared/storage/anchor-file";
import { openMongo } from "../../shared/storage/mongo";
import { readVerifierConfig } from "../config";
import { makeLedgerKeys } from "../domain/ledger-keys";
import { makeVerifyLedger } from "../operations/verify-ledger";
import { makeAccountStore } from "../store/account-store";
import { makeCheckpointStore } from "../store/checkpoint-store";
import { makeEntryStore } from "../store/entry-store";
import { makeHoldExpiryStore } from "../store/hold-expiry-store";
import { makeRowStore } from "../store/row-store";

/**
 * Verifies the whole ledger with the settings of the wallet service but without the key of its sealed details. Prints the
 * report as JSON; exits with 0 when the ledger is sound, with 1 when it is not, and with 2 when it could not be verified.
 */
async function verify(): Promise<number> {
  const config = readVerifierConfig();
  const { MONGODB_URI: uri, MONGODB_DATABASE: database, PROFILE: profile } = config;
  const mongo = await openMongo({ uri, database, profile, tracing: noTracing });
  const report = await makeVerifyLedger({
    accounts: makeAccountStore(mongo.connection),
    entries: makeEntryStore(mongo.connection),
    rows: makeRowStore(mongo.connection),
    checkpoints: makeCheckpointStore(mongo.connection),
    expiries: makeHoldExpiryStore(mongo.connection),
    anchors: config.WALLET_ANCHOR_FILE === undefined ? [] : [makeAnchorFile(config.WALLET_ANCHOR_FILE)],
    keys: makeLedgerKeys(config.WALLET_SEAL_KEY_FILE, systemIds),
  })();
  await mongo.stop();
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  return report.findings.length === 0 ? 0 : 1;
}

verify().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`cannot verify the ledger: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  },
);
