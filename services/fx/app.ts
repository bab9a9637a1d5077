import { FoundKind, SearchServiceService } from "../../proto/gen/corridor/common/v1/search_service";
import { ExposureServiceService } from "../../proto/gen/corridor/fx/v1/exposure_service";
import { FxServiceService } from "../../proto/gen/corridor/fx/v1/fx_service";
import { MarginServiceService } from "../../proto/gen/corridor/fx/v1/margin_service";
import { RateServiceService } from "../../proto/gen/corridor/fx/v1/rate_service";
import { PaymentListServiceService } from "../../proto/gen/corridor/payment/v1/payment_list_service";
import { SchemaServiceService } from "../../proto/gen/corridor/schema/v1/schema_service";
import { WalletServiceService } from "../../proto/gen/corridor/wallet/v1/wallet_service";
import { type Clock, systemClock } from "../shared/kernel/clock";
import { type Ids, idsOf } from "../shared/kernel/ids";
import { type Running, stopAll } from "../shared/process/lifecycle";
import { openRuntime, type Runtime } from "../shared/process/runtime";
import { makeRpcClient } from "../shared/rpc/rpc-client";
import { serveRpc } from "../shared/rpc/rpc-server";
import { makeSearchService } from "../shared/rpc/search-service";
import { makeIdLookup } from "../shared/storage/id-lookup";
import { openServiceStore } from "../shared/storage/service-store";
import { makeConversions } from "./adapters/ledger/conversions";
import { makePositions } from "./adapters/ledger/positions";
import { askReference, askSource, packagedRates } from "./adapters/rates/rate-source";
import { makeCorridors } from "./adapters/schema/corridors";
import type { FxConfig } from "./config";
import pricing from "./domain/pricing.json";
import { parseRatePolicy, type RatePolicy } from "./domain/rate-policy";
import offeredPolicy from "./domain/rate-policy.json";
import { parseRoutePolicy } from "./domain/route";
import offeredRoutes from "./domain/routes.json";
import { createQuoteHandler } from "./handlers/create-quote";
import { getExposureHandler } from "./handlers/get-exposure";
import { getMarginHandler } from "./handlers/get-margin";
import { getQuoteHandler } from "./handlers/get-quote";
import { getRateHandler } from "./handlers/get-rate";
import { listConversionsHandler } from "./handlers/list-conversions";
import { listQuotesHandler } from "./handlers/list-quotes";
import { listRatesHandler } from "./handlers/list-rates";
import { quotePaymentHandler } from "./handlers/quote-payment";
import { releaseRateHandler } from "./handlers/release-rate";
import { setExposureLimitHandler } from "./handlers/set-exposure-limit";
import { makeCreateQuote } from "./operations/create-quote";
import { makeListConversions } from "./operations/list-conversions";
import { makePricePair } from "./operations/price-pair";
import { makeQuotePayment } from "./operations/quote-payment";
import { makeReadExposure } from "./operations/read-exposure";
import { makeReadMargin } from "./operations/read-margin";
import { makeReadMarket } from "./operations/read-market";
import { makeReleaseRate } from "./operations/release-rate";
import { makeSetExposureLimit } from "./operations/set-exposure-limit";
import type { Conversions, MarketRates, Positions } from "./ports";
import { makeExposureLimitStore } from "./store/exposure-limit-store";
import { type MarketStore, makeMarketStore } from "./store/market-store";
import { makeQuoteListStore } from "./store/quote-list-store";
import { makeQuoteStore } from "./store/quote-store";
import { measureExposure, measureRates } from "./telemetry";
import { startExposureWatch } from "./workers/exposure-watch";
import { liveRates } from "./workers/market-rates";

interface FxOverrides {
  clock?: Clock;
  ids?: Ids;
}

/** Collections that an operator's search by id looks in. */
const sources = [{ collection: "quotes", kind: FoundKind.QUOTE, createdAt: "createdAt" }];

/** Starts the fx service; resolves once it serves. */
export async function startFx(
  config: FxConfig,
  { clock: givenClock, ids = idsOf("fx") }: FxOverrides = {},
): Promise<Running & { port: number }> {
  const routes = config.FX_ROUTES_FILE === undefined ? offeredRoutes : parseRoutePolicy(config.FX_ROUTES_FILE);
  const policy = config.FX_RATE_POLICY_FILE === undefined ? offeredPolicy : parseRatePolicy(config.FX_RATE_POLICY_FILE);
  const runtime = await openRuntime("fx", config);
  const clock = givenClock ?? runtime.clock;
  const { tracing } = runtime;
  const mongo = await openServiceStore({
    ...runtime,
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    profile: config.PROFILE,
  });
  const quotes = makeQuoteStore(mongo.connection);
  const quoteLists = makeQuoteListStore(mongo.connection);
  const markets = makeMarketStore(mongo.connection);
  const limits = makeExposureLimitStore(mongo.connection, mongo.transact);
  await Promise.all([quotes.init(), quoteLists.init(), markets.init(), limits.init()]);
  const rateClock = givenClock ?? systemClock;
  const rates = await openRates(config, runtime, { markets, policy, clock: rateClock, ids });

  const schema = makeRpcClient(SchemaServiceService, {
    tls: runtime.tls,
    tracing,
    timeoutMs: 2_000,
    target: config.SCHEMA_TARGET,
    retryable: ["listDestinations"],
  });
  const corridors = makeCorridors(schema, runtime.logger);
  const ledger = openLedger(config, runtime, clock);
  const maxAgeMs = config.FX_EXPOSURE_MAX_AGE_SECONDS * 1_000;
  const refreshMs = config.FX_EXPOSURE_REFRESH_SECONDS * 1_000;
  const watched = { ...runtime, ...ledger, limits, refreshMs, maxAgeMs, clock: rateClock };
  const room = await startExposureWatch(watched);
  measureExposure(runtime.metrics, { ...watched, ...room });
  const reportingCurrency = config.FX_REPORTING_CURRENCY;
  const readExposure = makeReadExposure({ ...ledger, limits, rates, reportingCurrency });
  const ttlSeconds = config.FX_QUOTE_TTL_SECONDS;
  const pricePair = makePricePair({ rates, pricing, policy, ttlSeconds, clock, ids });
  const deps = { quotes, corridors, routes, pricePair, room, clock };
  const server = await serveRpc(
    {
      ...FxServiceService,
      ...RateServiceService,
      ...ExposureServiceService,
      ...MarginServiceService,
      ...SearchServiceService,
    },
    {
      ...makeSearchService(makeIdLookup(mongo.connection, sources)),
      createQuote: createQuoteHandler(makeCreateQuote(deps)),
      getQuote: getQuoteHandler(quotes, clock),
      listQuotes: listQuotesHandler(quoteLists, clock),
      quotePayment: quotePaymentHandler(makeQuotePayment(deps)),
      getRate: getRateHandler(rates),
      listRates: listRatesHandler(markets),
      releaseRate: releaseRateHandler(makeReleaseRate({ markets, policy, pricing, clock: rateClock })),
      getExposure: getExposureHandler(readExposure),
      setExposureLimit: setExposureLimitHandler(makeSetExposureLimit({ limits, clock: rateClock })),
      getMargin: getMarginHandler(makeReadMargin(ledger)),
      listConversions: listConversionsHandler(makeListConversions({ ...ledger, quotes })),
    },
    { ...runtime, address: `${config.LISTEN_HOST}:${config.GRPC_PORT}` },
  );
  return { port: server.port, ...stopAll([runtime, mongo, rates, schema, ledger, room, server]) };
}

/** What the wallet and payment services know; undefined without their addresses. */
interface Ledger {
  positions: Positions | undefined;
  conversions: Conversions | undefined;
}

/** Opens the services that know the positions and what was converted. */
function openLedger(
  { WALLET_TARGET, PAYMENT_TARGET }: FxConfig,
  { tls, tracing }: Runtime,
  clock: Clock,
): Running & Ledger {
  if (WALLET_TARGET === undefined || PAYMENT_TARGET === undefined) {
    return { positions: undefined, conversions: undefined, stop: () => Promise.resolve() };
  }
  const options = { tls, tracing, timeoutMs: 5_000 };
  const wallet = makeRpcClient(WalletServiceService, {
    ...options,
    target: WALLET_TARGET,
    retryable: ["getAccountBalances", "findPostings", "listEntries"],
  });
  const payment = makeRpcClient(PaymentListServiceService, {
    ...options,
    target: PAYMENT_TARGET,
    retryable: ["sumOpenConversions", "findConversions"],
  });
  const positions = makePositions(wallet, payment, clock);
  return { positions, conversions: makeConversions(wallet, payment), ...stopAll([wallet, payment]) };
}

interface RateParts {
  markets: MarketStore;
  policy: RatePolicy;
  /** Real time: exchange rates do not follow the simulated time of business rules. */
  clock: Clock;
  ids: Ids;
}

/** Opens the configured sources of rates, or the installed package when there are none. */
async function openRates(
  config: FxConfig,
  { logger, metrics }: Runtime,
  { clock, ...parts }: RateParts,
): Promise<Running & MarketRates> {
  const { FX_RATES_URL: sources, FX_REFERENCE_URL: reference } = config;
  if (sources === undefined) {
    logger.info({}, "using the exchange rates of the installed package");
    return { ...(await packagedRates(clock)), stop: () => Promise.resolve() };
  }
  const rules = { policy: parts.policy, maxAgeMs: config.FX_RATES_MAX_AGE_SECONDS * 1_000, clock, logger };
  const readMarket = makeReadMarket({
    ...parts,
    ...rules,
    pricing,
    askSources: () => Promise.all(sources.map((source) => askSource(source, { clock, logger }))),
    askReference: () => askReference(reference, logger),
  });
  const refreshMs = config.FX_RATES_REFRESH_SECONDS * 1_000;
  const rates = await liveRates({ ...rules, markets: parts.markets, readMarket, refreshMs });
  measureRates(metrics, rates.current, { ...rules, sources: sources.map(({ source }) => source) });
  return rates;
}
