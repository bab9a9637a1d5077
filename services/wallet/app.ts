import { setTimeout as sleep } from "node:timers/promises";
import { WalletServiceService } from "../../proto/gen/corridor/wallet/v1/wallet_service";
import { type MessageSource, startConsumer } from "../shared/bus-consumer";
import { type Clock, systemClock } from "../shared/clock";
import { type DataKeys, makeDataKeys } from "../shared/data-keys";
import { hasReason } from "../shared/errors";
import { type Ground, openGround } from "../shared/ground";
import { type Ids, systemIds } from "../shared/ids";
import { openServiceBus, streamOf } from "../shared/jetstream";
import { makeLease, processHolder } from "../shared/lease";
import { type Running, stopAll } from "../shared/lifecycle";
import { errorFields } from "../shared/logger";
import { counter, gauge, gauges, type Metrics } from "../shared/metrics";
import { type Mongo, openMongo } from "../shared/mongo";
import { startRelay } from "../shared/outbox-relay";
import { makeParkedMessages } from "../shared/parked-messages";
import { repeat } from "../shared/repeat";
import { serveRpc } from "../shared/rpc-server";
import { unsetFloorOf, type WalletConfig } from "./config";
import { decodePaymentMoney, type PaymentMoney } from "./consumers/payment-events";
import { breakClasses } from "./domain/reconciliation";
import { makeGroupCommit } from "./group-commit";
import { changeWalletStatusHandler } from "./handlers/change-wallet-status";
import { makeShowWallet } from "./handlers/codec";
import { confirmTransactionHandler } from "./handlers/confirm-transaction";
import { createTransactionHandler } from "./handlers/create-transaction";
import { createTransferHandler } from "./handlers/create-transfer";
import { createWalletHandler } from "./handlers/create-wallet";
import { creditPayoutHandler } from "./handlers/credit-payout";
import { encodeEvents } from "./handlers/event-codec";
import { findPayoutWalletHandler } from "./handlers/find-payout-wallet";
import { getBalanceHandler } from "./handlers/get-balance";
import { getEntryHandler } from "./handlers/get-entry";
import { getPromisesHandler } from "./handlers/get-promises";
import { getStatementHandler } from "./handlers/get-statement";
import { getTrialBalanceHandler } from "./handlers/get-trial-balance";
import { getWalletHandler } from "./handlers/get-wallet";
import { listEntriesHandler } from "./handlers/list-entries";
import { listPromiseBlocksHandler } from "./handlers/list-promise-blocks";
import { listReconciliationsHandler } from "./handlers/list-reconciliations";
import { postCorrectionHandler } from "./handlers/post-correction";
import { reconcileProvidersHandler } from "./handlers/reconcile-providers";
import { returnPromiseBlockHandler } from "./handlers/return-promise-block";
import { setFloorHandler } from "./handlers/set-floor";
import { takePromiseBlockHandler } from "./handlers/take-promise-block";
import { verifyLedgerHandler } from "./handlers/verify-ledger";
import { voidTransactionHandler } from "./handlers/void-transaction";
import { voidTransferHandler } from "./handlers/void-transfer";
import { makeChangeWalletStatus } from "./operations/change-wallet-status";
import { makeCreateWallet } from "./operations/create-wallet";
import { makeCreditPayout } from "./operations/credit-payout";
import { makeEndHold } from "./operations/end-hold";
import { makeExpireHolds } from "./operations/expire-holds";
import { makeKeepReconciliation } from "./operations/keep-reconciliation";
import { makeListEntries } from "./operations/list-entries";
import { makePostCorrection } from "./operations/post-correction";
import { makePostMoney } from "./operations/post-money";
import { makeReadBalance } from "./operations/read-balance";
import { makeReadPromises } from "./operations/read-promises";
import { makeReadStatement } from "./operations/read-statement";
import { makeReadTrialBalance } from "./operations/read-trial-balance";
import { makeReconcileProviders, type ReconcileProviders } from "./operations/reconcile-providers";
import { makeReturnPromiseBlock } from "./operations/return-promise-block";
import { makeSealCheckpoint } from "./operations/seal-checkpoint";
import { makeSetFloor } from "./operations/set-floor";
import { makeStartVerification, type StartVerification } from "./operations/start-verification";
import { makeSubmitRequest } from "./operations/submit-request";
import { makeTakePromiseBlock } from "./operations/take-promise-block";
import { makeVerifyLedger } from "./operations/verify-ledger";
import { makeVoidTransfer } from "./operations/void-transfer";
import type { Ledger } from "./ports";
import { makeHttpBook } from "./providers/http-book";
import { startProving } from "./proving";
import { makeAccountStore } from "./store/account-store";
import { makeCheckpointStore } from "./store/checkpoint-store";
import { makeCommitStore, makeWalletOutbox } from "./store/commit-store";
import { makeEntryStore } from "./store/entry-store";
import { makeHoldExpiryStore } from "./store/hold-expiry-store";
import { makePromiseStore } from "./store/promise-store";
import { makeReconciliationStore } from "./store/reconciliation-store";
import { makeRowStore } from "./store/row-store";
import { makeVerificationStore } from "./store/verification-store";

interface WalletOverrides {
  clock?: Clock;
  ids?: Ids;
}

/** Everything published about wallets. */
const subject = "corridor.wallet.events";
/** How often holds are looked through for those whose time is over, milliseconds. */
const expiryPauseMs = 400;
/** How often a replica asks whether it is time to compare the books, milliseconds. */
const reconciliationPauseMs = 2_000;
/** Longer than a comparison takes: another replica takes it up when its holder dies, milliseconds. */
const reconciliationLeaseMs = 600_000;
const paymentStream = "CORRIDOR_PAYMENT";

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
  const keys = makeDataKeys({ connection: mongo.connection, sealingKeys: config.WALLET_SEALING_KEY_FILE, ids });
  await keys.init();
  await keys.rewrap(logger);
  const bus = await openServiceBus("wallet", config, logger);
  const { connection } = mongo;
  const relay = startRelay({
    ...ground,
    source: makeWalletOutbox(connection, subject),
    bus,
    stream: streamOf("wallet", config.NATS_STREAM_REPLICAS),
    lease: makeLease({ connection, name: "wallet-relay", holder: processHolder }),
    connection,
    clock,
  });
  const ledger = openLedger(config, ground, mongo, stores, { clock, ids, nudgeRelay: () => relay.nudge() });
  const consumer = startConsumer({
    ...ground,
    bus,
    stream: paymentStream,
    subject: "corridor.payment.events",
    durable: "wallet",
    decode: decodePaymentMoney,
    keyOf: ({ paymentId }) => paymentId,
    handle: postPaymentMoney(ledger, stores, ground),
    parked: stores.parked,
  });
  const duties = [startDuties(config, ground, mongo, stores, { ledger, clock })];
  const url = config.PROVIDER_BOOK_URL;
  const book = url === undefined ? undefined : makeHttpBook(url);
  const reconcileProviders = makeReconcileProviders({ ...stores, book });
  if (book !== undefined) duties.push(startReconciliation(config, ground, mongo, stores, { reconcileProviders, ids }));
  const startVerification = makeStartVerification({
    ...stores,
    verifyLedger: makeVerifyLedger({ ...stores, key: config.WALLET_SEAL_KEY_FILE }),
    clock,
    ids,
    pause: (ms) => sleep(ms),
    onError: (error) => logger.error(errorFields(error), "a verification of the ledger failed"),
  });
  const proving = startProving({
    ...ground,
    ...stores,
    startVerification,
    lease: makeLease({ connection, name: "wallet-verification", holder: `${processHolder}-${ids.uuid()}` }),
    everyMs: config.WALLET_VERIFICATION_SECONDS * 1_000,
    clock,
  });
  const handlers = {
    ...makeHandlers(stores, ledger, { keys, ids }),
    ...makePromiseHandlers(mongo, stores, { unsetFloor: unsetFloorOf(config), clock }),
    ...makeOperatorHandlers(mongo, stores, { ledger, keys, ids, reconcileProviders, startVerification }),
  };
  const address = `${config.LISTEN_HOST}:${config.GRPC_PORT}`;
  const server = await serveRpc(WalletServiceService, handlers, { ...ground, address });
  return { port: server.port, ...stopAll([ground, mongo, bus, relay, consumer, proving, ...duties, server]) };
}

/** Posts the facts of a message. One that was posted before with other content is parked, for people to look at. */
function postPaymentMoney(
  ledger: Ledger,
  { parked }: Stores,
  { logger, metrics }: Ground,
): (message: PaymentMoney, source: MessageSource) => Promise<void> {
  const postMoney = makePostMoney({ ledger });
  const refused = counter(metrics, "corridor_ledger_refused_facts_total", "Facts told again with other content.");
  return async ({ moved, paymentId }, source) => {
    try {
      await postMoney(moved);
    } catch (error) {
      if (!hasReason(error, "IDEMPOTENCY_CONFLICT")) throw error;
      refused.inc();
      logger.error({ paymentId, sequence: source.sequence }, "a fact was told again with other content; it is parked");
      await parked.park({ ...source, cause: "a fact of this message was posted before with other postings" });
    }
  };
}

/** What the ledger does by itself: it ends holds whose time is over, and seals a checkpoint. */
function startDuties(
  config: WalletConfig,
  { logger }: Ground,
  { connection, transact }: Mongo,
  stores: Stores,
  { ledger, clock }: { ledger: Ledger; clock: Clock },
): Running {
  const expireHolds = makeExpireHolds({ ledger, expiries: stores.expiries, clock });
  const key = config.WALLET_SEAL_KEY_FILE;
  const seal = makeSealCheckpoint({ transact, ...stores, key, clock });
  const lease = makeLease({ connection, name: "wallet-checkpoint", holder: processHolder });
  const sealAll = async (): Promise<void> => {
    for (let isAll = false; !isAll && (await lease.hold()); ) {
      const sealed = await seal();
      isAll = sealed?.isAll ?? true;
      if (sealed === undefined) continue;
      const { number, heads, seal: hash } = sealed.checkpoint;
      logger.info({ number, heads: heads.length, seal: hash }, "a checkpoint is sealed");
    }
  };
  return stopAll([
    { stop: () => lease.release() },
    repeat(expiryPauseMs, expireHolds, (error) =>
      logger.warn(errorFields(error), "looking for holds that are over failed"),
    ),
    repeat(config.WALLET_CHECKPOINT_SECONDS * 1_000, sealAll, (error) =>
      logger.warn(errorFields(error), "a checkpoint was not sealed"),
    ),
  ]);
}

/** Compares the books again and again, at one replica at a time, and shows what the last comparison found. */
function startReconciliation(
  config: WalletConfig,
  { logger, metrics }: Ground,
  { connection }: Mongo,
  { reconciliations }: Stores,
  { reconcileProviders, ids }: { reconcileProviders: ReconcileProviders; ids: Ids },
): Running {
  const everyMs = config.WALLET_RECONCILIATION_SECONDS * 1_000;
  const options = { connection, name: "wallet-reconciliation", holder: `${processHolder}-${ids.uuid()}` };
  const lease = makeLease({ ...options, ttlMs: reconciliationLeaseMs });
  const waiting = new AbortController();
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: waiting.signal });
  // What providers do follows the machine's time, whatever the sandbox's clock says.
  const clock = systemClock;
  const keep = makeKeepReconciliation({ reconcileProviders, reconciliations, everyMs, clock, ids, pause });
  const reconcile = async (): Promise<void> => {
    if (!(await lease.hold())) return;
    try {
      await keep();
    } finally {
      await lease.release();
    }
  };
  const loop = repeat(Math.min(reconciliationPauseMs, everyMs), reconcile, (error) => {
    if (!waiting.signal.aborted) logger.warn(errorFields(error), "the books of the providers were not compared");
  });
  showReconciliation(metrics, reconciliations, clock);
  return {
    async stop() {
      waiting.abort();
      await loop.stop();
    },
  };
}

function showReconciliation(metrics: Metrics, { latest }: Stores["reconciliations"], clock: Clock): void {
  const startedAt = clock.now();
  gauges(metrics, "corridor_reconciliation_breaks", "Breaks that the last comparison of the books found, by class.", {
    labelNames: ["class"],
    async read() {
      const [last] = await latest(1);
      if (last === undefined) return [];
      return breakClasses.map((name) => ({ labels: { class: name }, value: last.classes[name] ?? 0 }));
    },
  });
  gauge(
    metrics,
    "corridor_reconciliation_age_seconds",
    "Time since the books were compared, or since the start.",
    async () => {
      const [last] = await latest(1);
      return (clock.now().getTime() - (last?.startedAt ?? startedAt).getTime()) / 1_000;
    },
  );
}

type Stores = Awaited<ReturnType<typeof openStores>>;

async function openStores({ connection }: Mongo) {
  const stores = {
    accounts: makeAccountStore(connection),
    entries: makeEntryStore(connection),
    rows: makeRowStore(connection),
    commits: makeCommitStore(connection, encodeEvents),
    expiries: makeHoldExpiryStore(connection),
    promises: makePromiseStore(connection),
    checkpoints: makeCheckpointStore(connection),
    verifications: makeVerificationStore(connection),
    reconciliations: makeReconciliationStore(connection),
    parked: makeParkedMessages(connection),
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

interface OperatorDeps {
  ledger: Ledger;
  keys: DataKeys;
  ids: Ids;
  reconcileProviders: ReconcileProviders;
  startVerification: StartVerification;
}

/** What only operators ask for. */
function makeOperatorHandlers(
  { transact }: Mongo,
  stores: Stores,
  { ledger, keys, ids, reconcileProviders, startVerification }: OperatorDeps,
) {
  const { accounts } = stores;
  return {
    changeWalletStatus: changeWalletStatusHandler(
      makeChangeWalletStatus({ ledger, accounts, ids }),
      makeShowWallet(keys),
    ),
    getTrialBalance: getTrialBalanceHandler(makeReadTrialBalance({ ...stores, transact })),
    verifyLedger: verifyLedgerHandler(startVerification),
    reconcileProviders: reconcileProvidersHandler(reconcileProviders),
    listReconciliations: listReconciliationsHandler(stores.reconciliations),
    postCorrection: postCorrectionHandler(makePostCorrection({ ledger })),
    getEntry: getEntryHandler(stores.entries, accounts),
    listEntries: listEntriesHandler(makeListEntries(stores), accounts),
  };
}

/** What may be promised of accounts. */
function makePromiseHandlers(
  { transact }: Mongo,
  stores: Stores,
  rest: { unsetFloor: bigint | undefined; clock: Clock },
) {
  const deps = { ...stores, ...rest, transact };
  return {
    takePromiseBlock: takePromiseBlockHandler(makeTakePromiseBlock(deps)),
    returnPromiseBlock: returnPromiseBlockHandler(makeReturnPromiseBlock(deps)),
    listPromiseBlocks: listPromiseBlocksHandler(transact, stores.promises),
    getPromises: getPromisesHandler(makeReadPromises(deps)),
    setFloor: setFloorHandler(makeSetFloor(deps)),
  };
}

function makeHandlers(stores: Stores, ledger: Ledger, { keys, ids }: { keys: DataKeys; ids: Ids }) {
  const { accounts, entries, rows } = stores;
  const submit = makeSubmitRequest({ ledger, entries, keys });
  const show = makeShowWallet(keys);
  const endHold = makeEndHold({ ledger });
  return {
    createWallet: createWalletHandler(makeCreateWallet({ ledger, accounts, keys, ids }), show),
    getWallet: getWalletHandler(accounts, show),
    getBalance: getBalanceHandler(makeReadBalance({ accounts, rows })),
    getStatement: getStatementHandler(makeReadStatement({ accounts, rows, entries, keys })),
    createTransaction: createTransactionHandler(submit),
    confirmTransaction: confirmTransactionHandler(endHold),
    voidTransaction: voidTransactionHandler(endHold),
    createTransfer: createTransferHandler(submit),
    voidTransfer: voidTransferHandler(makeVoidTransfer({ ledger })),
    findPayoutWallet: findPayoutWalletHandler(accounts),
    creditPayout: creditPayoutHandler(makeCreditPayout({ ledger, keys })),
  };
}
