import { setTimeout as sleep } from "node:timers/promises";
import { CaseServiceService } from "../../proto/gen/corridor/payment/v1/case_service";
import { WalletServiceService } from "../../proto/gen/corridor/wallet/v1/wallet_service";
import { openAnchors } from "../shared/bus/anchor-bus";
import { type MessageSource, startConsumer } from "../shared/bus/bus-consumer";
import { messageParked } from "../shared/bus/bus-users";
import { shareDueNotes } from "../shared/bus/due-signals";
import { openServiceBus, streamOf } from "../shared/bus/jetstream";
import { startRelay } from "../shared/bus/outbox-relay";
import { makeParkedMessages } from "../shared/bus/parked-messages";
import type { Anchors } from "../shared/crypto/anchor";
import { type Clock, systemClock } from "../shared/kernel/clock";
import { hasReason } from "../shared/kernel/errors";
import { type Ids, idsOf } from "../shared/kernel/ids";
import { type DueNotes, makeDueNotes } from "../shared/process/due-work";
import { gatherCalls } from "../shared/process/gather-calls";
import { type Running, stopAll } from "../shared/process/lifecycle";
import { errorFields } from "../shared/process/logger";
import { counter } from "../shared/process/metrics";
import { openRuntime, type Runtime } from "../shared/process/runtime";
import { makeRpcClient } from "../shared/rpc/rpc-client";
import { serveRpc } from "../shared/rpc/rpc-server";
import { type ClockGuard, makeClockGuard } from "../shared/storage/clock-guard";
import { startClockWatch } from "../shared/storage/clock-watch";
import { makeLease, processHolder } from "../shared/storage/lease";
import type { Mongo } from "../shared/storage/mongo";
import { openServiceStore } from "../shared/storage/service-store";
import { makeReadStoreTime } from "../shared/storage/store-clock";
import { makeCaseBook } from "./adapters/case-book/client";
import { openStatements } from "./adapters/statements/places";
import { bookHandlers } from "./app/book-handlers";
import { openKeys } from "./app/keys";
import { lookupServices, openLookups } from "./app/lookups";
import { startScheduledWork } from "./app/scheduled-work";
import { unsetFloorOf, type WalletConfig } from "./config";
import { decodePaymentMoney, type PaymentMoney } from "./consumers/payment-events";
import type { LedgerKeys } from "./domain/ledger-keys";
import { cancelPayoutHandler } from "./handlers/cancel-payout";
import { changeWalletStatusHandler } from "./handlers/change-wallet-status";
import { checkTransactionHandler } from "./handlers/check-transaction";
import { checkTransferHandler } from "./handlers/check-transfer";
import { confirmTransactionHandler } from "./handlers/confirm-transaction";
import { createTransactionHandler } from "./handlers/create-transaction";
import { createTransferHandler } from "./handlers/create-transfer";
import { createWalletHandler } from "./handlers/create-wallet";
import { creditPayoutHandler } from "./handlers/credit-payout";
import { encodeEvents } from "./handlers/event-codec";
import { findPayoutHandler } from "./handlers/find-payout";
import { findPayoutWalletHandler } from "./handlers/find-payout-wallet";
import { getBalanceHandler } from "./handlers/get-balance";
import { getDailyProofHandler } from "./handlers/get-daily-proof";
import { getEntryHandler } from "./handlers/get-entry";
import { getPromisesHandler } from "./handlers/get-promises";
import { getStatementHandler } from "./handlers/get-statement";
import { getTrialBalanceHandler } from "./handlers/get-trial-balance";
import { getWalletHandler } from "./handlers/get-wallet";
import { listBreaksHandler } from "./handlers/list-breaks";
import { listEntriesHandler } from "./handlers/list-entries";
import { listPromiseBlocksHandler } from "./handlers/list-promise-blocks";
import { postCorrectionHandler } from "./handlers/post-correction";
import { reconcileProvidersHandler } from "./handlers/reconcile-providers";
import { resolveBreakHandler } from "./handlers/resolve-break";
import { returnPromiseBlockHandler } from "./handlers/return-promise-block";
import { setFloorHandler } from "./handlers/set-floor";
import { takePromiseBlockHandler } from "./handlers/take-promise-block";
import { verifyLedgerHandler } from "./handlers/verify-ledger";
import { voidTransactionHandler } from "./handlers/void-transaction";
import { voidTransferHandler } from "./handlers/void-transfer";
import { makeShowWallet } from "./handlers/wallet-codec";
import { makeCancelPayout, makeFindPayout } from "./operations/cancel-payout";
import { makeChangeWalletStatus } from "./operations/change-wallet-status";
import { makeCheckRequest } from "./operations/check-request";
import { makeCreateWallet } from "./operations/create-wallet";
import { makeCreditPayout } from "./operations/credit-payout";
import { makeEndHold } from "./operations/end-hold";
import { makeFindBreaks } from "./operations/find-breaks";
import { type GroupCommitDeps, makeGroupCommit } from "./operations/group-commit";
import { makeKeepProof } from "./operations/keep-proof";
import { makeKnownAccounts } from "./operations/known-accounts";
import { makeListEntries } from "./operations/list-entries";
import { makeMatchStatements } from "./operations/match-statements";
import { makePostCorrection } from "./operations/post-correction";
import { makePostMoney } from "./operations/post-money";
import { makeReadBalance } from "./operations/read-balance";
import { makeReadPromises } from "./operations/read-promises";
import { makeReadStatement } from "./operations/read-statement";
import { makeReadStatements } from "./operations/read-statements";
import { makeReadTrialBalance } from "./operations/read-trial-balance";
import { makeReconcileProviders, type ReconcileProviders } from "./operations/reconcile-providers";
import { makeResolveBreak } from "./operations/resolve-break";
import { makeReturnPromiseBlock } from "./operations/return-promise-block";
import { makeSetFloor } from "./operations/set-floor";
import { makeStartVerification, type StartVerification } from "./operations/start-verification";
import { makeSubmitRequest } from "./operations/submit-request";
import { makeTakePromiseBlock } from "./operations/take-promise-block";
import { makeVerifyLedger } from "./operations/verify-ledger";
import { makeVoidTransfer } from "./operations/void-transfer";
import type { Ledger } from "./ports";
import { makeAccountStore } from "./store/account-store";
import { makeCheckpointStore } from "./store/checkpoint-store";
import { makeCommitStore, makeFreshCommits, makeWalletOutbox } from "./store/commit-store";
import { makeEntryStore } from "./store/entry-store";
import { makeHoldExpiryStore } from "./store/hold-expiry-store";
import { makePromiseStore } from "./store/promise-store";
import { makeProofStore } from "./store/proof-store";
import { makeRowStore } from "./store/row-store";
import { makeSealedDetails, type SealedDetails } from "./store/sealed-details";
import { makeStatementStore } from "./store/statement-store";
import { makeSuspenseStore } from "./store/suspense-store";
import { makeVerificationStore } from "./store/verification-store";
import { startStatements } from "./workers/statements";
import { startLedgerVerification } from "./workers/verify-ledger";

interface WalletOverrides {
  clock?: Clock;
  /** Replaces the machine's clock. */
  machineClock?: Clock;
  ids?: Ids;
}

/** Everything published about wallets. */
const subject = "corridor.wallet.events";
/** How many messages are posted together, and how often, milliseconds. Postings to the platform's own accounts are not urgent. */
const postedTogether = { most: 32, everyMs: 1_000 };
/** Milliseconds; longer than a page of a statement takes. When the reading replica dies, another one continues. */
const statementLeaseMs = 120_000;

/** Starts the wallet service. It reports SERVING once its store is ready; an unreachable bus only delays events. */
export async function startWallet(
  config: WalletConfig,
  { clock: givenClock, machineClock = systemClock, ids = idsOf("wallet") }: WalletOverrides = {},
): Promise<Running & { port: number }> {
  const runtime = await openRuntime("wallet", config);
  const clock = givenClock ?? (config.CLOCK_URL === undefined ? machineClock : runtime.clock);
  const { MONGODB_URI: uri, MONGODB_DATABASE: database, PROFILE: profile } = config;
  const mongo = await openServiceStore({ ...runtime, uri, database, profile });
  const due = makeDueNotes();
  const stores = await openStores(mongo, due);
  const { keys, ledgerKeys, keyRotation } = await openKeys(config, runtime, mongo, ids);
  const [{ key }] = ledgerKeys;
  const bus = await openServiceBus("wallet", config, runtime.logger);
  const sharing = shareDueNotes(bus, "wallet", { holds: due });
  const { connection } = mongo;
  const fresh = makeFreshCommits(subject, encodeEvents);
  const relay = startRelay({
    ...runtime,
    source: makeWalletOutbox(connection, subject, fresh),
    bus,
    stream: streamOf("wallet", config.NATS_STREAM_REPLICAS),
    lease: makeLease({ connection, name: "wallet-relay", holder: processHolder }),
    connection,
    clock,
  });
  const boundMs = config.WALLET_CLOCK_SKEW_SECONDS * 1_000;
  const guard = makeClockGuard({ readStoreTime: makeReadStoreTime(connection), clock: machineClock, boundMs });
  const writing = { clock, ids, key, requireClock: guard.require };
  const ledger = openLedger(config, runtime, mongo, stores, { ...writing, news: fresh });
  const consumer = startConsumer({
    ...runtime,
    bus,
    stream: "CORRIDOR_PAYMENT",
    subject: "corridor.payment.events",
    durable: "wallet",
    decode: decodePaymentMoney,
    keyOf: ({ paymentId }) => paymentId,
    externalIdOf: ({ externalId }) => externalId,
    concurrency: 2 * postedTogether.most,
    handle: postPaymentMoney(ledger, stores, runtime, () => bus.signal(messageParked)),
    parked: stores.parked,
    connection,
  });
  const anchors = openAnchors("wallet", config.WALLET_ANCHOR_FILE, bus, clock);
  const everyMs = config.WALLET_CHECKPOINT_SECONDS * 1_000;
  const parts = { ...runtime, ...mongo, ...stores, ...writing };
  const duties = [startScheduledWork({ ...parts, keys: ledgerKeys, ledger, anchors, due, everyMs })];
  const { reconcileProviders, reading } = openStatementReading(config, runtime, mongo, stores, { ledger, ids });
  duties.push(reading);
  const verifying = { anchors, keys: ledgerKeys, clock, ids };
  const { startVerification, proving } = openVerification(config, runtime, mongo, stores, verifying);
  const handlers = {
    ...makeHandlers(stores, ledger, { sealed: makeSealedDetails(keys), ids }),
    ...(await openLookups({ ...stores, connection, keys, keyRotation }, [consumer])),
    ...makePromiseHandlers(mongo, stores, { unsetFloor: unsetFloorOf(config), clock, requireClock: guard.require }),
    ...makeOperatorHandlers(mongo, stores, { ledger, reconcileProviders, startVerification }),
  };
  const address = `${config.LISTEN_HOST}:${config.GRPC_PORT}`;
  const server = await serveRpc({ ...WalletServiceService, ...lookupServices }, handlers, { ...runtime, address });
  duties.push(startClockWatch({ ...runtime, guard, setServing: server.setServing }));
  return {
    port: server.port,
    ...stopAll([runtime, mongo, bus, sharing, relay, keyRotation, consumer, proving, ...duties, server]),
  };
}

/** Verifies the whole ledger on demand, and periodically at one replica. */
function openVerification(
  config: WalletConfig,
  runtime: Runtime,
  { connection }: Mongo,
  stores: Stores,
  { anchors, keys, clock, ids }: { anchors: readonly Anchors[]; keys: LedgerKeys; clock: Clock; ids: Ids },
) {
  const startVerification = makeStartVerification({
    ...stores,
    verifyLedger: makeVerifyLedger({ ...stores, anchors, keys }),
    clock,
    ids,
    pause: (ms) => sleep(ms),
    onError: (error) => runtime.logger.error(errorFields(error), "a verification of the ledger failed"),
  });
  const proving = startLedgerVerification({
    ...runtime,
    ...stores,
    startVerification,
    lease: makeLease({ connection, name: "wallet-verification", holder: `${processHolder}-${ids.uuid()}` }),
    everyMs: config.WALLET_VERIFICATION_SECONDS * 1_000,
    clock,
  });
  return { startVerification, proving };
}

/**
 * Posts the facts of a message, with those of others in one group of the ledger: each touches about the same accounts. A fact that
 * was posted before with other content is parked for an operator.
 */
function postPaymentMoney(
  ledger: Ledger,
  { parked }: Stores,
  { logger, metrics }: Runtime,
  tellParked: () => void,
): (message: PaymentMoney, source: MessageSource) => Promise<void> {
  const postMoney = makePostMoney({ ledger });
  const gather = gatherCalls(postedTogether);
  const refused = counter(metrics, "corridor_ledger_refused_facts_total", "Facts repeated with other content.");
  return async ({ moved, paymentId }, source) => {
    if (moved.length === 0) return;
    await gather();
    try {
      await postMoney(moved);
    } catch (error) {
      if (!hasReason(error, "IDEMPOTENCY_CONFLICT")) throw error;
      refused.inc();
      logger.error({ paymentId, sequence: source.sequence }, "a fact was repeated with other content and is parked");
      await parked.park({ ...source, cause: `a fact of payment ${paymentId} was posted before with other postings` });
      tellParked();
    }
  };
}

type Stores = Awaited<ReturnType<typeof openStores>>;

async function openStores({ connection }: Mongo, due: DueNotes) {
  const stores = {
    accounts: makeAccountStore(connection),
    entries: makeEntryStore(connection),
    rows: makeRowStore(connection),
    commits: makeCommitStore(connection, encodeEvents),
    expiries: makeHoldExpiryStore(connection, due.note),
    promises: makePromiseStore(connection),
    checkpoints: makeCheckpointStore(connection),
    verifications: makeVerificationStore(connection),
    statements: makeStatementStore(connection),
    suspense: makeSuspenseStore(connection),
    proofs: makeProofStore(connection),
    parked: makeParkedMessages(connection),
  };
  await Promise.all(Object.values(stores).map((store) => store.init()));
  return { ...stores, known: makeKnownAccounts() };
}

function openLedger(
  config: WalletConfig,
  { metrics }: Runtime,
  { transact }: Mongo,
  stores: Stores,
  rest: Pick<GroupCommitDeps, "clock" | "ids" | "key" | "requireClock" | "news">,
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
  reconcileProviders: ReconcileProviders;
  startVerification: StartVerification;
}

/** The calls that only operators make. */
function makeOperatorHandlers(
  { transact }: Mongo,
  stores: Stores,
  { ledger, reconcileProviders, startVerification }: OperatorDeps,
) {
  return {
    ...bookHandlers(stores, transact),
    getTrialBalance: getTrialBalanceHandler(makeReadTrialBalance({ ...stores, transact })),
    verifyLedger: verifyLedgerHandler(startVerification),
    reconcileProviders: reconcileProvidersHandler(reconcileProviders),
    postCorrection: postCorrectionHandler(makePostCorrection({ ledger })),
    getEntry: getEntryHandler(stores.entries, stores.accounts),
    listEntries: listEntriesHandler(makeListEntries(stores), stores.accounts),
    listBreaks: listBreaksHandler(stores.statements),
    resolveBreak: resolveBreakHandler(makeResolveBreak({ ...stores, transact, clock: systemClock })),
    getDailyProof: getDailyProofHandler(stores.proofs),
  };
}

/** The calls about promises on accounts. */
function makePromiseHandlers(
  { transact }: Mongo,
  stores: Stores,
  rest: { unsetFloor: bigint | undefined; clock: Clock; requireClock: ClockGuard["require"] },
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

/** Reads the providers' statements and opens cases where the books differ. Providers follow the machine's time. */
function openStatementReading(
  config: WalletConfig,
  runtime: Runtime,
  { connection, transact }: Mongo,
  stores: Stores,
  { ledger, ids }: { ledger: Ledger; ids: Ids },
): { reconcileProviders: ReconcileProviders; reading: Running } {
  const clock = systemClock;
  const cases = openCases(config, runtime);
  const deps = { ...stores, transact, ledger, clock, caseBook: cases?.book };
  const readTrialBalance = makeReadTrialBalance(deps);
  const { WALLET_STATEMENTS: places = [], WALLET_STATEMENT_TOKENS_FILE: tokensFile = "" } = config;
  const sources = openStatements(places, tokensFile, clock);
  const holder = `${processHolder}-${ids.uuid()}`;
  const reading = {
    ...deps,
    sources,
    matchStatements: makeMatchStatements(deps),
    findBreaks: makeFindBreaks({ ...deps, graceMs: config.WALLET_STATEMENT_GRACE_SECONDS * 1_000 }),
    keepProof: makeKeepProof({ ...deps, readTrialBalance }),
    lease: makeLease({ connection, name: "wallet-statements", holder, ttlMs: statementLeaseMs }),
    everyMs: config.WALLET_STATEMENT_SECONDS * 1_000,
    pause: (ms: number) => sleep(ms),
  };
  const readStatements = makeReadStatements(reading);
  const worker = startStatements({ ...runtime, ...reading, readStatements });
  return {
    reconcileProviders: makeReconcileProviders({ ...stores, sources, readStatements }),
    reading: stopAll([...(cases === undefined ? [] : [cases]), worker]),
  };
}

/** The payment service's book of cases; undefined when no payment service is configured. */
function openCases({ PAYMENT_TARGET: address }: WalletConfig, { tls, tracing }: Runtime) {
  if (address === undefined) return undefined;
  const options = { target: address, tls, tracing, timeoutMs: 5_000, retryable: ["openCase" as const] };
  const client = makeRpcClient(CaseServiceService, options);
  return { book: makeCaseBook(client), stop: () => client.stop() };
}

function makeHandlers(stores: Stores, ledger: Ledger, { sealed, ids }: { sealed: SealedDetails; ids: Ids }) {
  const { accounts, known, entries, rows } = stores;
  const submit = makeSubmitRequest({ ledger, entries, sealed });
  const check = makeCheckRequest({ entries, sealed });
  const show = makeShowWallet(sealed);
  const endHold = makeEndHold({ ledger });
  return {
    createWallet: createWalletHandler(makeCreateWallet({ ledger, accounts, sealed, ids }), show),
    getWallet: getWalletHandler(accounts, show),
    getBalance: getBalanceHandler(makeReadBalance({ accounts, rows })),
    getStatement: getStatementHandler(makeReadStatement({ accounts, rows, sealed })),
    createTransaction: createTransactionHandler(submit),
    checkTransaction: checkTransactionHandler(check),
    confirmTransaction: confirmTransactionHandler(endHold),
    voidTransaction: voidTransactionHandler(endHold),
    createTransfer: createTransferHandler(submit),
    checkTransfer: checkTransferHandler(check),
    voidTransfer: voidTransferHandler(makeVoidTransfer({ ledger })),
    findPayoutWallet: findPayoutWalletHandler(accounts, known),
    creditPayout: creditPayoutHandler(makeCreditPayout({ ledger, sealed })),
    cancelPayout: cancelPayoutHandler(makeCancelPayout({ ledger })),
    findPayout: findPayoutHandler(makeFindPayout({ entries })),
    changeWalletStatus: changeWalletStatusHandler(makeChangeWalletStatus({ ledger, accounts, ids }), show),
  };
}
