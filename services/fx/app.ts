import { FxServiceService } from "../../proto/gen/corridor/fx/v1/fx_service";
import { SchemaServiceService } from "../../proto/gen/corridor/schema/v1/schema_service";
import { type Clock, systemClock } from "../shared/clock";
import { openGround } from "../shared/ground";
import { type Ids, systemIds } from "../shared/ids";
import { type Running, stopAll } from "../shared/lifecycle";
import type { Logger } from "../shared/logger";
import { openMongo } from "../shared/mongo";
import { makeRpcClient } from "../shared/rpc-client";
import { serveRpc } from "../shared/rpc-server";
import type { FxConfig } from "./config";
import { makeCorridors } from "./corridors";
import { parseRoutePolicy } from "./domain/route";
import { createQuoteHandler } from "./handlers/create-quote";
import { getQuoteHandler } from "./handlers/get-quote";
import { getRateHandler } from "./handlers/get-rate";
import { quotePaymentHandler } from "./handlers/quote-payment";
import { makeCreateQuote } from "./operations/create-quote";
import { makePricePair } from "./operations/price-pair";
import { makeQuotePayment } from "./operations/quote-payment";
import type { RateSource } from "./ports";
import pricing from "./pricing.json";
import { liveRates, packagedRates } from "./rate-source";
import offeredRoutes from "./routes.json";
import { makeQuoteStore } from "./store/quote-store";

interface FxOverrides {
  clock?: Clock;
  ids?: Ids;
}

/** Starts the fx service; resolved when it serves. */
export async function startFx(
  config: FxConfig,
  { clock: givenClock, ids = systemIds }: FxOverrides = {},
): Promise<Running & { port: number }> {
  const routes = config.FX_ROUTES_FILE === undefined ? offeredRoutes : parseRoutePolicy(config.FX_ROUTES_FILE);
  const ground = await openGround("fx", config);
  const clock = givenClock ?? ground.clock;
  const rates = await openRates(config, ground.logger);
  const { table, source } = rates.current();
  ground.logger.info({ date: table.date, source }, "exchange rates loaded");
  const { tracing } = ground;
  const mongo = await openMongo({
    ...ground,
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    profile: config.PROFILE,
  });
  const quotes = makeQuoteStore(mongo.connection);
  await quotes.init();

  const schema = makeRpcClient(SchemaServiceService, {
    tls: ground.tls,
    tracing,
    timeoutMs: 2_000,
    target: config.SCHEMA_TARGET,
    retryable: ["listDestinations"],
  });
  const corridors = makeCorridors(schema, ground.logger);
  const ttlSeconds = config.FX_QUOTE_TTL_SECONDS;
  const pricePair = makePricePair({ rates, pricing, ttlSeconds, clock, ids });
  const deps = { quotes, corridors, routes, pricePair, clock };
  const server = await serveRpc(
    FxServiceService,
    {
      createQuote: createQuoteHandler(makeCreateQuote(deps)),
      getQuote: getQuoteHandler(quotes, clock),
      quotePayment: quotePaymentHandler(makeQuotePayment(deps)),
      getRate: getRateHandler(rates),
    },
    { ...ground, address: `${config.LISTEN_HOST}:${config.GRPC_PORT}` },
  );
  return { port: server.port, ...stopAll([ground, mongo, rates, schema, server]) };
}

/** Live rates where a source is configured, else those of the installed package. */
async function openRates(config: FxConfig, logger: Logger): Promise<Running & RateSource> {
  const { FX_RATES_URL: url, FX_RATES_REFRESH_SECONDS: refresh, FX_RATES_MAX_AGE_SECONDS: maxAge } = config;
  if (url === undefined) return { ...(await packagedRates(systemClock)), stop: () => Promise.resolve() };
  return liveRates({ url, refreshMs: refresh * 1_000, maxAgeMs: maxAge * 1_000 }, systemClock, logger);
}
