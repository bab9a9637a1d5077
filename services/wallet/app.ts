import { hostname } from "node:os";
import { WalletServiceService } from "../../proto/gen/corridor/wallet/v1/wallet_service";
import type { Clock } from "../shared/clock";
import { type Ground, openGround } from "../shared/ground";
import { type Ids, systemIds } from "../shared/ids";
import { openBus, streamOf } from "../shared/jetstream";
import { makeLease } from "../shared/lease";
import { type Running, stopAll } from "../shared/lifecycle";
import { errorFields } from "../shared/logger";
import { counter } from "../shared/metrics";
import { type Mongo, openMongo } from "../shared/mongo";
import { startRelay } from "../shared/outbox-relay";
import { repeat } from "../shared/repeat";
import type { Rpc } from "../shared/rpc";
import { serveRpc } from "../shared/rpc-server";
import type { WalletConfig } from "./config";
import { makeGroupCommit } from "./group-commit";
import { changeWalletStatusHandler } from "./handlers/change-wallet-status";
import { confirmTransactionHandler } from "./handlers/confirm-transaction";
import { createTransactionHandler } from "./handlers/create-transaction";
import { createTransferHandler } from "./handlers/create-transfer";
import { createWalletHandler } from "./handlers/create-wallet";
import { creditPayoutHandler } from "./handlers/credit-payout";
import { encodeEvents } from "./handlers/event-codec";
import { findPayoutWalletHandler } from "./handlers/find-payout-wallet";
import { getBalanceHandler } from "./handlers/get-balance";
import { getStatementHandler } from "./handlers/get-statement";
import { getWalletHandler } from "./handlers/get-wallet";
import { voidTransactionHandler } from "./handlers/void-transaction";
import { voidTransferHandler } from "./handlers/void-transfer";
import { makeChangeWalletStatus } from "./operations/change-wallet-status";
import { makeCreateWallet } from "./operations/create-wallet";
import { makeCreditPayout } from "./operations/credit-payout";
import { makeEndHold } from "./operations/end-hold";
import { makeExpireHolds } from "./operations/expire-holds";
import { makeReadBalance } from "./operations/read-balance";
import { makeReadStatement } from "./operations/read-statement";
import { makeSubmitRequest } from "./operations/submit-request";
import { makeVoidTransfer } from "./operations/void-transfer";
import type { Ledger } from "./ports";
import { makeAccountStore } from "./store/account-store";
import { makeCommitStore, makeWalletOutbox } from "./store/commit-store";
import { makeEntryStore } from "./store/entry-store";
import { makeHoldExpiryStore } from "./store/hold-expiry-store";
import { makeRowStore } from "./store/row-store";

interface WalletOverrides {
  clock?: Clock;
  ids?: Ids;
}

/** Everything published about wallets. */
const subject = "corridor.wallet.events";
/** How often holds are looked through for those whose time is over, milliseconds. */
const expiryPauseMs = 400;

/** Starts the wallet service. It answers SERVING when its store is ready; a bus that is away only delays events. */
export async function startWallet(
  config: WalletConfig,
  { clock: givenClock, ids = systemIds }: WalletOverrides = {},
): Promise<Running & { port: number }> {
  const ground = await openGround("wallet", config);
  const clock = givenClock ?? ground.clock;
  const { logger, tracing } = ground;
  const { MONGODB_URI: uri, MONGODB_DATABASE: database, PROFILE: profile } = config;
  const mongo = await openMongo({ uri, database, profile, tracing });
  const stores = await openStores(mongo);
  const bus = await openBus({ url: config.NATS_URL, name: "wallet", logger });
  const { connection } = mongo;
  const relay = startRelay({
    ...ground,
    source: makeWalletOutbox(connection, subject, encodeEvents, clock),
    bus,
    stream: streamOf("wallet", config.NATS_STREAM_REPLICAS),
    lease: makeLease({ connection, name: "wallet-relay", holder: `${hostname()}-${process.pid}` }),
    connection,
    clock,
  });
  const ledger = openLedger(config, ground, mongo, stores, { clock, ids, nudgeRelay: () => relay.nudge() });
  const expireHolds = makeExpireHolds({ ledger, expiries: stores.expiries, clock });
  const expiring = repeat(expiryPauseMs, expireHolds, (error) =>
    logger.warn(errorFields(error), "looking for holds that are over failed"),
  );
  const server = await serveRpc(WalletServiceService, makeHandlers(stores, ledger, ids), {
    ...ground,
    address: `${config.LISTEN_HOST}:${config.GRPC_PORT}`,
  });
  return { port: server.port, ...stopAll([ground, mongo, bus, relay, expiring, server]) };
}

type Stores = Awaited<ReturnType<typeof openStores>>;

async function openStores({ connection }: Mongo) {
  const stores = {
    accounts: makeAccountStore(connection),
    entries: makeEntryStore(connection),
    rows: makeRowStore(connection),
    commits: makeCommitStore(connection),
    expiries: makeHoldExpiryStore(connection),
  };
  await Promise.all(Object.values(stores).map((store) => store.init()));
  return stores;
}

function openLedger(
  config: WalletConfig,
  { metrics }: Ground,
  { transact }: Mongo,
  stores: Stores,
  rest: { clock: Clock; ids: Ids; nudgeRelay(): void },
): Ledger {
  const groups = counter(metrics, "corridor_ledger_groups_total", "Groups of commands that were written together.");
  const commands = counter(metrics, "corridor_ledger_commands_total", "Commands in these groups.");
  return makeGroupCommit({
    ...stores,
    ...rest,
    transact,
    shards: config.WALLET_ACCOUNT_SHARDS,
    observe(size) {
      groups.inc();
      commands.inc(size);
    },
  });
}

function makeHandlers(stores: Stores, ledger: Ledger, ids: Ids): Rpc<typeof WalletServiceService> {
  const { accounts, entries, rows } = stores;
  const submit = makeSubmitRequest({ ledger, entries });
  const endHold = makeEndHold({ ledger });
  return {
    createWallet: createWalletHandler(makeCreateWallet({ ledger, accounts, ids })),
    getWallet: getWalletHandler(accounts),
    getBalance: getBalanceHandler(makeReadBalance({ accounts, rows })),
    getStatement: getStatementHandler(makeReadStatement({ accounts, rows, entries })),
    createTransaction: createTransactionHandler(submit),
    confirmTransaction: confirmTransactionHandler(endHold),
    voidTransaction: voidTransactionHandler(endHold),
    createTransfer: createTransferHandler(submit),
    voidTransfer: voidTransferHandler(makeVoidTransfer({ ledger })),
    findPayoutWallet: findPayoutWalletHandler(accounts),
    creditPayout: creditPayoutHandler(makeCreditPayout({ ledger })),
    changeWalletStatus: changeWalletStatusHandler(makeChangeWalletStatus({ ledger, accounts, ids })),
  };
}
