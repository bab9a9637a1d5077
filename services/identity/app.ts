import { IdentityServiceService } from "../../proto/gen/corridor/identity/v1/identity_service";
import { SchemaServiceService } from "../../proto/gen/corridor/schema/v1/schema_service";
import type { Clock } from "../shared/clock";
import { openGround } from "../shared/ground";
import { type Ids, systemIds } from "../shared/ids";
import { type Running, stopAll } from "../shared/lifecycle";
import { openMongo } from "../shared/mongo";
import { makeRpcClient } from "../shared/rpc-client";
import { serveRpc } from "../shared/rpc-server";
import type { IdentityConfig } from "./config";
import { parseScreeningList, screen } from "./domain/screening";
import { createParticipantHandler } from "./handlers/create-participant";
import { eraseParticipantHandler } from "./handlers/erase-participant";
import { getParticipantHandler } from "./handlers/get-participant";
import { registerPersonHandler } from "./handlers/register-person";
import { updateParticipantHandler } from "./handlers/update-participant";
import { validatePersonHandler } from "./handlers/validate-person";
import { makeCreateParticipant } from "./operations/create-participant";
import { makeEraseParticipant } from "./operations/erase-participant";
import { makeRegisterPerson } from "./operations/register-person";
import { makeUpdateParticipant } from "./operations/update-participant";
import { makePersonSchemas } from "./person-schemas";
import { makePersonalData } from "./personal-data";
import type { Screening } from "./ports";
import { makeParticipantStore } from "./store/participant-store";

interface IdentityOverrides {
  clock?: Clock;
  ids?: Ids;
}

/** Starts the identity service; resolved when it serves. It does not start without a readable screening list. */
export async function startIdentity(
  config: IdentityConfig,
  { clock: givenClock, ids = systemIds }: IdentityOverrides = {},
): Promise<Running & { port: number }> {
  const list = parseScreeningList(config.IDENTITY_SCREENING_LIST_FILE);
  const ground = await openGround("identity", config);
  const { tracing, tls, logger } = ground;
  const clock = givenClock ?? ground.clock;
  logger.info({ listVersion: list.version, entries: list.entries.length }, "screening list loaded");
  const { MONGODB_URI: uri, MONGODB_DATABASE: database, PROFILE: profile } = config;
  const mongo = await openMongo({ uri, database, profile, tracing });
  const data = makePersonalData(config.IDENTITY_SEALING_KEY_FILE, config.IDENTITY_INDEX_KEY_FILE, ids);
  const participants = makeParticipantStore(mongo.connection, data);
  await participants.init();

  const schema = makeRpcClient(SchemaServiceService, {
    target: config.SCHEMA_TARGET,
    tls,
    tracing,
    timeoutMs: 5_000,
    retryable: ["listSchemas", "getSchema", "checkNumbers"],
  });
  const screening: Screening = { version: () => list.version, screen: (fields) => screen(list, fields) };
  const judges = { schemas: makePersonSchemas(schema), screening };
  const common = { participants, screening, clock, ids };
  const server = await serveRpc(
    IdentityServiceService,
    {
      registerPerson: registerPersonHandler(makeRegisterPerson({ ...common, ...judges })),
      validatePerson: validatePersonHandler(judges),
      createParticipant: createParticipantHandler(makeCreateParticipant(common)),
      updateParticipant: updateParticipantHandler(makeUpdateParticipant(common)),
      getParticipant: getParticipantHandler(participants),
      eraseParticipant: eraseParticipantHandler(makeEraseParticipant(common)),
    },
    { ...ground, address: `${config.LISTEN_HOST}:${config.GRPC_PORT}` },
  );
  return { port: server.port, ...stopAll([ground, mongo, schema, server]) };
}
