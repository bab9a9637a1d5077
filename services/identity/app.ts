import { hostname } from "node:os";
import { IdentityServiceService } from "../../proto/gen/corridor/identity/v1/identity_service";
import { KycServiceService } from "../../proto/gen/corridor/identity/v1/kyc_service";
import { SchemaServiceService } from "../../proto/gen/corridor/schema/v1/schema_service";
import { currentCall } from "../shared/call-context";
import { type Clock, systemClock } from "../shared/clock";
import { type Ground, openGround } from "../shared/ground";
import { type Ids, systemIds } from "../shared/ids";
import { openServiceBus, streamOf } from "../shared/jetstream";
import { makeLease } from "../shared/lease";
import { type Running, stopAll } from "../shared/lifecycle";
import { type Mongo, openMongo } from "../shared/mongo";
import { startRelay } from "../shared/outbox-relay";
import { makeProviderCall } from "../shared/provider-call";
import type { Rpc } from "../shared/rpc";
import { makeRpcClient } from "../shared/rpc-client";
import { serveRpc } from "../shared/rpc-server";
import type { IdentityConfig } from "./config";
import type { PersonFields } from "./domain/person-fields";
import { parseScreeningList, screen } from "./domain/screening";
import type { SessionFacts } from "./domain/session";
import { createParticipantHandler } from "./handlers/create-participant";
import { createSessionHandler } from "./handlers/create-session";
import { createVerificationHandler } from "./handlers/create-verification";
import { eraseParticipantHandler } from "./handlers/erase-participant";
import { getParticipantHandler } from "./handlers/get-participant";
import { getSessionHandler } from "./handlers/get-session";
import { getVerificationHandler } from "./handlers/get-verification";
import { receiveKycReportHandler } from "./handlers/receive-kyc-report";
import { registerPersonHandler } from "./handlers/register-person";
import { encodeSessionEvents } from "./handlers/session-codec";
import { updateParticipantHandler } from "./handlers/update-participant";
import { validatePersonHandler } from "./handlers/validate-person";
import { makeKycVendor } from "./kyc-vendor";
import { makeAdvanceSession } from "./operations/advance-session";
import { makeCreateParticipant } from "./operations/create-participant";
import { makeCreateSession } from "./operations/create-session";
import { makeCreateVerification } from "./operations/create-verification";
import { makeEraseParticipant } from "./operations/erase-participant";
import { makeRegisterPerson } from "./operations/register-person";
import { makeUpdateParticipant } from "./operations/update-participant";
import { makePersonSchemas } from "./person-schemas";
import { type BlindIndex, makeBlindIndex, makePersonalData } from "./personal-data";
import type { Screening, Verifier } from "./ports";
import { startSessionSweep } from "./session-sweep";
import { makeParticipantStore, type ParticipantStore } from "./store/participant-store";
import { makeSessionOutbox } from "./store/session-outbox";
import { makeSessionStore } from "./store/session-store";
import { makeVerificationStore } from "./store/verification-store";

interface IdentityOverrides {
  clock?: Clock;
  ids?: Ids;
}

/** Everything published about sessions. */
const subject = "corridor.identity.documents";
const service = { ...IdentityServiceService, ...KycServiceService };

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
  const index = makeBlindIndex(config.IDENTITY_INDEX_KEY_FILE);
  const data = makePersonalData<PersonFields>(config.IDENTITY_SEALING_KEY_FILE, "participants", ids);
  const participants = makeParticipantStore(mongo.connection, data, index);
  await participants.init();

  const schema = makeRpcClient(SchemaServiceService, {
    target: config.SCHEMA_TARGET,
    tls,
    tracing,
    timeoutMs: 5_000,
    retryable: ["listSchemas", "getSchema", "checkNumbers"],
  });
  const screening: Screening = { version: () => list.version, screen: (fields) => screen(list, fields) };
  const verifier = openVerifier(config, ground);
  const judges = { schemas: makePersonSchemas(schema), screening, verifier };
  const kyc = await openKyc({ config, ground, mongo, participants, verifier, index, clock, ids });
  const common = { participants, sessions: kyc.sessions, screening, clock, ids };
  const server = await serveRpc(
    service,
    {
      registerPerson: registerPersonHandler(makeRegisterPerson({ ...common, ...judges })),
      validatePerson: validatePersonHandler(judges),
      createParticipant: createParticipantHandler(makeCreateParticipant(common)),
      updateParticipant: updateParticipantHandler(makeUpdateParticipant(common)),
      getParticipant: getParticipantHandler(participants),
      eraseParticipant: eraseParticipantHandler(makeEraseParticipant(common)),
      ...kyc.handlers,
    },
    { ...ground, address: `${config.LISTEN_HOST}:${config.GRPC_PORT}` },
  );
  return { port: server.port, ...stopAll([ground, mongo, schema, kyc, server]) };
}

const openVerifier = (config: IdentityConfig, { logger, tracing, metrics }: Ground): Verifier =>
  makeKycVendor({
    call: makeProviderCall({
      name: "kyc",
      baseUrl: config.KYC_BASE_URL,
      apiKey: config.KYC_API_KEY_FILE,
      timeoutMs: config.KYC_TIMEOUT_MS,
      logger,
      tracing,
      metrics,
    }),
    callbackSecret: config.KYC_CALLBACK_SECRET_FILE,
    redecisionMs: config.KYC_REDECISION_HOURS * 3_600_000,
    clock: systemClock,
  });

/** What sessions stand on. */
interface KycParts {
  config: IdentityConfig;
  ground: Ground;
  mongo: Mongo;
  participants: ParticipantStore;
  verifier: Verifier;
  index: BlindIndex;
  clock: Clock;
  ids: Ids;
}

/** Sessions, their events on the bus, and the sweep that brings them on. */
async function openKyc({ config, ground, mongo, participants, verifier, index, clock, ids }: KycParts) {
  const { connection, transact } = mongo;
  const data = makePersonalData<SessionFacts>(config.IDENTITY_SEALING_KEY_FILE, "sessions", ids);
  const sessions = makeSessionStore(connection, transact, data);
  const verifications = makeVerificationStore(connection);
  await Promise.all([sessions.init(), verifications.init()]);
  const bus = await openServiceBus("identity", config, ground.logger);
  const relay = startRelay({
    ...ground,
    clock,
    source: makeSessionOutbox(connection, subject, encodeSessionEvents),
    bus,
    stream: streamOf("identity", config.NATS_STREAM_REPLICAS),
    lease: makeLease({ connection, name: "identity-relay", holder: `${hostname()}-${process.pid}` }),
    connection,
  });
  const nudgeRelay = (): void => relay.nudge();
  const traceparent = (): string => currentCall()?.traceparent ?? "";
  const advance = makeAdvanceSession({ sessions, verifier, clock, nudgeRelay });
  const common = { participants, sessions, verifications, verifier, advance, index, clock, ids };
  const sweep = startSessionSweep({ sessions, advance, clock, logger: ground.logger });
  const handlers: Rpc<typeof KycServiceService> = {
    createSession: createSessionHandler(makeCreateSession({ ...common, traceparent, nudgeRelay })),
    getSession: getSessionHandler(sessions),
    createVerification: createVerificationHandler(makeCreateVerification(common)),
    getVerification: getVerificationHandler({ sessions, verifications }),
    receiveKycReport: receiveKycReportHandler(verifier, advance),
  };
  return { sessions, handlers, ...stopAll([bus, relay, sweep]) };
}
