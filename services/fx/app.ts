import { readFile } from "node:fs/promises";
import { FxServiceService } from "../../proto/gen/corridor/fx/v1/fx_service";
import type { Clock } from "../shared/clock";
import { openGround } from "../shared/ground";
import { type Ids, systemIds } from "../shared/ids";
import { type Running, stopAll } from "../shared/lifecycle";
import { openMongo } from "../shared/mongo";
import { serveRpc } from "../shared/rpc-server";
import type { FxConfig } from "./config";
import { parseRateTable } from "./domain/rate-table";
import type { Routes } from "./domain/route";
import { claimQuoteHandler } from "./handlers/claim-quote";
import { createQuoteHandler } from "./handlers/create-quote";
import { releaseQuoteHandler } from "./handlers/release-quote";
import { makeClaimQuote } from "./operations/claim-quote";
import { makeCreateQuote } from "./operations/create-quote";
import { makeReleaseQuote } from "./operations/release-quote";
import pricing from "./pricing.json";
import routesByCountry from "./routes.json";
import { makeQuoteStore } from "./store/quote-store";

/** The day's table of the installed package; its version is its date. */
const rateFile = require.resolve("@fawazahmed0/currency-api/v1/currencies/usd.json");

interface FxOverrides {
  clock?: Clock;
  ids?: Ids;
}

/** Starts the fx service; resolved when it serves. */
export async function startFx(
  config: FxConfig,
  { clock: givenClock, ids = systemIds }: FxOverrides = {},
): Promise<Running & { port: number }> {
  const rates = parseRateTable(await readFile(rateFile, "utf8"));
  const routes: Routes = new Map(Object.entries(routesByCountry));
  const ground = await openGround("fx", config);
  const clock = givenClock ?? ground.clock;
  ground.logger.info({ date: rates.date }, "rate table loaded");
  const { tracing } = ground;
  const mongo = await openMongo({
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    profile: config.PROFILE,
    tracing,
  });
  const quotes = makeQuoteStore(mongo.connection);
  await quotes.init();

  const ttlSeconds = config.FX_QUOTE_TTL_SECONDS;
  const createQuote = makeCreateQuote({ quotes, rates, routes, pricing, ttlSeconds, clock, ids });
  const server = await serveRpc(
    FxServiceService,
    {
      createQuote: createQuoteHandler(createQuote),
      claimQuote: claimQuoteHandler(makeClaimQuote({ quotes, clock })),
      releaseQuote: releaseQuoteHandler(makeReleaseQuote({ quotes })),
    },
    { ...ground, address: `${config.LISTEN_HOST}:${config.GRPC_PORT}` },
  );
  return { port: server.port, ...stopAll([ground, mongo, server]) };
}
