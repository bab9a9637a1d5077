import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "mongoose";
import { FxServiceService } from "../../proto/gen/corridor/fx/v1/fx_service";
import { DecisionServiceService } from "../../proto/gen/corridor/identity/v1/decision_service";
import { IdentityServiceService } from "../../proto/gen/corridor/identity/v1/identity_service";
import { SchemaServiceService } from "../../proto/gen/corridor/schema/v1/schema_service";
import { WalletServiceService } from "../../proto/gen/corridor/wallet/v1/wallet_service";
import { type BusConsumer, startConsumer } from "../shared/bus/bus-consumer";
import { makeBusService } from "../shared/bus/bus-service";
import { paymentTouched } from "../shared/bus/bus-users";
import { shareDueNotes } from "../shared/bus/due-signals";
import { type Bus, openServiceBus, streamOf } from "../shared/bus/jetstream";
import { joinOutboxes } from "../shared/bus/joined-outbox";
import { makeKeyService } from "../shared/bus/key-service";
import { type Relay, startRelay } from "../shared/bus/outbox-relay";
import { makeParkedMessages } from "../shared/bus/parked-messages";
import { type Clock, systemClock } from "../shared/kernel/clock";
import { systemIds } from "../shared/kernel/ids";
import { type DueNotes, makeDueNotes } from "../shared/process/due-work";
import { stopAll } from "../shared/process/lifecycle";
import type { Logger } from "../shared/process/logger";
import { openRuntime, type Runtime } from "../shared/process/runtime";
import { makeRpcClient } from "../shared/rpc/rpc-client";
import { type RpcServer, serveRpc } from "../shared/rpc/rpc-server";
import { makeClockGuard } from "../shared/storage/clock-guard";
import { startClockWatch } from "../shared/storage/clock-watch";
import { makeDataKeys } from "../shared/storage/data-keys";
import { startKeyRotation } from "../shared/storage/key-rotation";
import { makeLease, processHolder } from "../shared/storage/lease";
import type { Mongo } from "../shared/storage/mongo";
import { openServiceStore } from "../shared/storage/service-store";
import { makeReadStoreTime } from "../shared/storage/store-clock";
import { makeCardTokens } from "./adapters/acquirer/card-tokens";
import { makeQuotes } from "./adapters/fx/quotes";
import { makeValueIn } from "./adapters/fx/valuation";
import { makeScreening } from "./adapters/identity/compliance";
import { makeParticipants } from "./adapters/identity/participants";
import { makeDetailsRules } from "./adapters/schema/details-rules";
import { makeSchemas } from "./adapters/schema/published-schemas";
import { makeBookings } from "./adapters/wallet/bookings";
import { walletLedger } from "./adapters/wallet/manifest";
import { isOwnWallet } from "./adapters/wallet/wallet-payouts";
import { acceptanceHandlers } from "./app/acceptance";
import { openChecks } from "./app/checks";
import { listHandlers, openColumns } from "./app/lists";
import { openFunds } from "./app/open-funds";
import { openProviders, providerCalls } from "./app/open-providers";
import { paymentServices } from "./app/payment-services";
import { watchParkedMessages } from "./app/watch-parked-messages";
import type { PaymentConfig } from "./config";
import { decodeErasure, type ErasedParticipant } from "./consumers/erasures";
import { type DecidedPayment, decodeDecision } from "./consumers/payment-decisions";
import defaultTerms from "./domain/default-terms.json";
import type { Payment } from "./domain/payment";
import { makeAgentLimits, makeTerms } from "./domain/terms";
import { addPayoutAccountHandler } from "./handlers/add-payout-account";
import { cancelPaymentHandler } from "./handlers/cancel-payment";
import { capturePaymentHandler } from "./handlers/capture-payment";
import { commandCaseHandler } from "./handlers/command-case";
import { decideReversalHandler } from "./handlers/decide-reversal";
import { encodeEvents } from "./handlers/event-codec";
import { getCaseHandler } from "./handlers/get-case";
import { type GetLimitsDeps, getLimitsHandler } from "./handlers/get-limits";
import { getPaymentHandler } from "./handlers/get-payment";
import { getTimelineHandler } from "./handlers/get-timeline";
import { getTransactionHandler } from "./handlers/get-transaction";
import { listCasesHandler } from "./handlers/list-cases";
import { listPayoutAccountsHandler } from "./handlers/list-payout-accounts";
import { listTransactionsHandler } from "./handlers/list-transactions";
import { openCaseHandler } from "./handlers/open-case";
import { quotePayoutHandler } from "./handlers/quote-payout";
import { receiveCallbackHandler } from "./handlers/receive-callback";
import { refundPaymentHandler } from "./handlers/refund-payment";
import { rejectHoldHandler } from "./handlers/reject-hold";
import { setTransactionMetadataHandler } from "./handlers/set-transaction-metadata";
import { voidPaymentHandler } from "./handlers/void-payment";
import { type AddPayoutAccountDeps, makeAddPayoutAccount } from "./operations/add-payout-account";
import { makeAdvancePayment } from "./operations/advance-payment";
import { type ApplyDecision, makeApplyDecision } from "./operations/apply-decision";
import { type AskProvider, makeAskProvider } from "./operations/ask-provider";
import { makeCommandCase } from "./operations/command-case";
import { makeCommandPayment } from "./operations/command-payment";
import { makeDirectPayment } from "./operations/direct-payment";
import { makeExpireEvidence } from "./operations/expire-evidence";
import { makeForgetBookedConversions } from "./operations/forget-booked-conversions";
import { type ForgetParticipant, makeForgetParticipant } from "./operations/forget-participant";
import { makeOpenReportedCase } from "./operations/open-reported-case";
import { makeQuotePayout, type QuotePayoutDeps } from "./operations/quote-payout";
import { makeSetTransactionMetadata } from "./operations/set-transaction-metadata";
import { makeSettleCallback } from "./operations/settle-callback";
import type { Providers } from "./ports";
import { type CaseStore, makeCaseStore } from "./store/case-store";
import { makeEvidenceStore } from "./store/evidence-store";
import { makeLimitStore } from "./store/limit-store";
import { readLostPayments } from "./store/lost-payment-store";
import { makeOpenConversionStore } from "./store/open-conversion-store";
import { makeParticipantKeys } from "./store/participant-keys";
import { type FreshEvents, makeFreshEvents, makePaymentOutbox } from "./store/payment-outbox";
import { makePaymentStore, type PaymentStore } from "./store/payment-store";
import { makePayoutAccountStore, type PayoutAccountStore } from "./store/payout-account-store";
import { makePromiseHolderStore } from "./store/promise-holder-store";
import type { News } from "./store/stored-events";
import { makeTransactionStore, type TransactionStore } from "./store/transaction-store";
import { countPayments, timePayments } from "./telemetry";
import { startBookedConversions } from "./workers/booked-conversions";
import { startEvidenceExpiry } from "./workers/evidence-expiry";
import { type Executor, startExecutor } from "./workers/payment-executor";
import { warmSchemas } from "./workers/warm-schemas";

/** Subject of everything that is published about payments. */
const subject = "corridor.payment.events";
/** Stream to which identity publishes its decisions and erasures. */
const identityStream = "CORRIDOR_IDENTITY";
const decisionsSource = { stream: identityStream, subject: "corridor.identity.decisions", durable: "payment" };
const erasuresSource = { stream: identityStream, subject: "corridor.identity.erasures", durable: "payment-erasures" };
const timeoutMs = 5_000;
/** The parts of the identity service that payments need, on one connection. */
const identityServices = { ...IdentityServiceService, ...DecisionServiceService };

/** The largest difference to the store's clock, milliseconds: a clock that differs more is not trusted. */
const clockBoundMs = 5_000;

/** Starts the payment service. It answers SERVING when its store is ready; an unavailable bus only delays events. */
export async function startPayment(config: PaymentConfig, machineClock: Clock = systemClock): Promise<RpcServer> {
  const runtime = await openRuntime("payment", config);
  const { logger, tracing, metrics } = runtime;
  const clock = config.CLOCK_URL === undefined ? machineClock : runtime.clock;
  const { MONGODB_URI: uri, MONGODB_DATABASE: database, PROFILE: profile } = config;
  const mongo = await openServiceStore({ ...runtime, uri, database, profile });
  const due = makeDueNotes();
  const fresh = makeFreshEvents(subject, encodeEvents);
  const bus = await openServiceBus("payment", config, logger);
  const news = { ...fresh, touched: (id: string): void => bus.signal(paymentTouched, id) };
  const stores = await openStores(config, mongo, logger, { due, news });
  const { duty, keys, payments, cases, limits, accounts, transactions, holders } = stores;
  countPayments(runtime, payments, cases);
  const sharing = shareDueNotes(bus, "payment", { payments: due });
  const relay = openRelay(config, runtime, mongo.connection, { bus, fresh });
  const { schemas, quotes, valueIn, wallets, decisions, participants, stopPeers } = openPeers(config, runtime);
  const callOf = providerCalls(config, runtime);
  const checks = await openChecks(config, runtime, { connection: mongo.connection, keys }, callOf);
  const rules = makeDetailsRules(schemas);
  const providers = openProviders(config, { callOf, tokens: checks.accounts, wallets });
  const funds = openFunds({ holders, payments, wallets, callOf, logger });
  const nudgeRelay = (): void => relay.nudge();
  const advance = makeAdvancePayment({ payments, providers, screening: makeScreening(decisions), clock });
  const guard = guardClock(mongo, machineClock);
  const requireClock = guard.require;
  const executor = startExecutor({ payments, due, advance, clock, requireClock, logger, tracing, metrics });
  const consumers = await openConsumers(runtime, mongo.connection, bus, {
    applyDecision: makeApplyDecision({ payments, ask: askBy(executor) }),
    forgetParticipant: makeForgetParticipant({ ...mongo, accounts, checks: checks.accounts, clock }),
  });
  const terms = config.PAYMENT_TERMS ?? defaultTerms;
  const termsOf = makeTerms(terms);
  const limitsOf = makeAgentLimits(terms);
  const known = { cardTokens: makeCardTokens(callOf("acquirer")), accountTokens: checks.accounts };
  const acceptance = acceptanceHandlers({
    ...{ payments, limits, limitsOf, schemas, quotes, valueIn, walletLedger, funds },
    ...{ clock, termsOf, requireClock, nudgeRelay, ...known },
    lost: await readLostPayments(mongo.connection),
    isOwnWallet: (named) => isOwnWallet(wallets, named),
    proceed: (payment) => executor.proceed(payment, "send"),
  });
  const agents = { transactions, accounts, participants, rules, limits, limitsOf, quotes, termsOf, clock };
  const busService = makeBusService({ connection: mongo.connection, consumers });
  const watch = watchParkedMessages(config, runtime, mongo, { cases, own: busService, clock, bus });
  const columns = openColumns(mongo, bus, subject, logger);
  const conversions = makeOpenConversionStore(mongo.connection);
  await conversions.init();
  const bookings = makeBookings(wallets);
  const booking = startBookedConversions(makeForgetBookedConversions({ conversions, bookings, clock }), logger);
  const handlers = {
    ...acceptance,
    getPayment: getPaymentHandler(payments),
    getTimeline: getTimelineHandler(payments),
    ...listHandlers({ ...mongo, conversions }, keys, clock, columns),
    ...movingHandlers({ payments, cases, providers, clock, nudgeRelay }, executor),
    ...checks.handlers,
    ...{ ...busService, ...makeKeyService(duty) },
    ...agentHandlers({ ...agents, ...known }),
  };
  const address = `${config.LISTEN_HOST}:${config.GRPC_PORT}`;
  const server = await serveRpc(paymentServices, handlers, { ...runtime, address });
  const watching = startClockWatch({ ...runtime, guard, setServing: server.setServing });
  const warming = warmSchemas(schemas, logger);
  const expiry = openExpiry(config, runtime, mongo);
  const ways = [columns, duty, bus, sharing, relay, watch, watching, expiry, booking, { stop: stopPeers }];
  const parts = stopAll([runtime, mongo, ...ways, funds, executor, stopAll(consumers), server, warming]);
  return { port: server.port, stop: () => parts.stop() };
}

const guardClock = ({ connection }: Mongo, clock: Clock) =>
  makeClockGuard({ readStoreTime: makeReadStoreTime(connection), clock, boundMs: clockBoundMs });

function openExpiry(config: PaymentConfig, { clock, logger }: Runtime, { connection }: Pick<Mongo, "connection">) {
  const evidence = makeEvidenceStore(connection);
  const keptMs = config.PAYMENT_EVIDENCE_DAYS * 86_400_000;
  return startEvidenceExpiry(makeExpireEvidence({ evidence, keptMs, clock }), clock, logger);
}

/** Opens the stores, and has the keys in them resealed when there is a newer sealing key. */
async function openStores(
  config: PaymentConfig,
  mongo: Mongo,
  logger: Logger,
  { due, news }: { due: DueNotes; news: News },
) {
  const sealingKeys = config.PAYMENT_SEALING_KEY_FILE;
  const keys = makeDataKeys({ connection: mongo.connection, sealingKeys, ids: systemIds });
  const limits = makeLimitStore(mongo.connection, mongo.transact);
  const participantKeys = makeParticipantKeys({ ...mongo, sealingKeys, ids: systemIds });
  const payments = makePaymentStore(mongo.connection, keys, mongo.transact, participantKeys, due.note, news);
  const cases = makeCaseStore(mongo.connection, keys, mongo.transact, participantKeys);
  const accounts = makePayoutAccountStore({ ...mongo, keys: participantKeys, tenantKeys: keys, ids: systemIds });
  const transactions = makeTransactionStore(mongo.connection, keys);
  const holders = makePromiseHolderStore(mongo.connection);
  await Promise.all(
    [keys, payments, cases, limits, participantKeys, accounts, transactions, holders].map((store) => store.init()),
  );
  const uses = [keys, participantKeys].map((store) => store.renewal("PAYMENT_SEALING_KEY_FILE"));
  const rings = { PAYMENT_SEALING_KEY_FILE: sealingKeys };
  const duty = await startKeyRotation({ connection: mongo.connection, rings, uses, logger });
  return { duty, keys, payments, cases, limits, accounts, transactions, holders };
}

const askBy =
  ({ proceed }: Executor) =>
  (payment: Payment): Promise<void> =>
    proceed(payment, "ask");

interface ConsumerOperations {
  applyDecision: ApplyDecision;
  forgetParticipant: ForgetParticipant;
}

/** Subscribes to identity's decisions about payments and to its erasures. */
async function openConsumers(
  runtime: Runtime,
  connection: Connection,
  bus: Bus,
  { applyDecision, forgetParticipant }: ConsumerOperations,
): Promise<BusConsumer[]> {
  const parked = makeParkedMessages(connection);
  await parked.init();
  const common = { ...runtime, bus, parked, connection };
  const decisions = startConsumer<DecidedPayment>({
    ...common,
    ...decisionsSource,
    decode: decodeDecision,
    keyOf: ({ paymentId }) => paymentId,
    handle: applyDecision,
  });
  const erasures = startConsumer<ErasedParticipant>({
    ...common,
    ...erasuresSource,
    decode: decodeErasure,
    keyOf: ({ participantId }) => participantId,
    handle: forgetParticipant,
  });
  return [decisions, erasures];
}

interface MovingDeps {
  payments: PaymentStore;
  cases: CaseStore;
  providers: Providers;
  clock: Clock;
  nudgeRelay(): void;
}

/** Handlers that act on an existing payment: for its caller, its providers, and operators. */
function movingHandlers(deps: MovingDeps, executor: Executor) {
  const { proceed } = executor;
  const pause = (ms: number): Promise<void> => sleep(ms);
  const command = makeCommandPayment({ ...deps, proceed, pause });
  const direct = makeDirectPayment({ ...deps, proceed });
  const ask = askBy(executor);
  const inquire = makeAskProvider({ ...deps, ask });
  return {
    receiveCallback: receiveCallbackHandler(makeSettleCallback({ ...deps, ask, inquire })),
    capturePayment: capturePaymentHandler(command),
    voidPayment: voidPaymentHandler(command),
    refundPayment: refundPaymentHandler(command),
    cancelPayment: cancelPaymentHandler(direct),
    decideReversal: decideReversalHandler(direct),
    rejectHold: rejectHoldHandler(direct),
    openCase: openCaseHandler({ ...deps, openReported: makeOpenReportedCase(deps) }),
    listCases: listCasesHandler(deps.cases),
    getCase: getCaseHandler(deps.cases),
    commandCase: commandCaseHandler(makeCommandCase({ ...deps, proceed, inquire: askAll(inquire) })),
  };
}

/** Asks both sides of a payment. */
const askAll =
  (inquire: AskProvider) =>
  async (payment: Payment): Promise<void> => {
    const names = [payment.pull?.provider, payment.payout?.rail].filter((name) => name !== undefined);
    for (const name of names) await inquire(payment, name);
  };

type AgentDeps = AddPayoutAccountDeps &
  GetLimitsDeps &
  QuotePayoutDeps & { transactions: TransactionStore; accounts: PayoutAccountStore };

/** Handlers of what agents may do besides paying. */
const agentHandlers = (deps: Omit<AgentDeps, "ids">) => ({
  listTransactions: listTransactionsHandler(deps.transactions),
  getTransaction: getTransactionHandler(deps.transactions),
  setTransactionMetadata: setTransactionMetadataHandler(makeSetTransactionMetadata(deps)),
  getLimits: getLimitsHandler(deps),
  quotePayout: quotePayoutHandler(makeQuotePayout(deps)),
  addPayoutAccount: addPayoutAccountHandler(makeAddPayoutAccount({ ...deps, ids: systemIds })),
  listPayoutAccounts: listPayoutAccountsHandler(deps),
});

function openRelay(
  config: PaymentConfig,
  runtime: Runtime,
  connection: Connection,
  { bus, fresh }: { bus: Bus; fresh: FreshEvents },
): Relay {
  const common = { connection, subject, encode: encodeEvents };
  return startRelay({
    ...runtime,
    source: joinOutboxes(
      makePaymentOutbox({ ...common, collection: "payments", fresh, onEnded: timePayments(runtime) }),
      makePaymentOutbox({ ...common, collection: "cases" }),
    ),
    bus,
    stream: streamOf("payment", config.NATS_STREAM_REPLICAS),
    lease: makeLease({ connection, name: "payment-relay", holder: processHolder }),
    connection,
  });
}

/** Connects to the services that payments ask. */
function openPeers(config: PaymentConfig, { tls, tracing, logger }: Runtime) {
  const common = { tls, tracing, timeoutMs };
  const schemaClient = makeRpcClient(SchemaServiceService, {
    ...common,
    target: config.SCHEMA_TARGET,
    retryable: ["getSchema", "listSchemas", "checkNumbers"],
  });
  const fxClient = makeRpcClient(FxServiceService, {
    ...common,
    target: config.FX_TARGET,
    retryable: ["quotePayment", "getRate", "createQuote"],
  });
  const wallets = makeRpcClient(WalletServiceService, {
    ...common,
    target: config.WALLET_TARGET,
    retryable: [
      "findPayoutWallet",
      "creditPayout",
      "cancelPayout",
      "findPayout",
      "takePromiseBlock",
      "returnPromiseBlock",
      "listPromiseBlocks",
      "getPromises",
      "findPostings",
    ],
  });
  const identity = makeRpcClient(identityServices, {
    ...common,
    target: config.IDENTITY_TARGET,
    retryable: ["getParticipant", "decidePayment"],
  });
  return {
    wallets,
    decisions: identity,
    participants: makeParticipants(identity),
    schemas: makeSchemas(schemaClient),
    quotes: makeQuotes(fxClient),
    valueIn: makeValueIn(fxClient, logger),
    stopPeers: () => stopAll([schemaClient, fxClient, wallets, identity]).stop(),
  };
}
