import { hostname } from "node:os";
import { DecisionServiceService } from "../../proto/gen/corridor/identity/v1/decision_service";
import { IdentityServiceService } from "../../proto/gen/corridor/identity/v1/identity_service";
import { KycServiceService } from "../../proto/gen/corridor/identity/v1/kyc_service";
import { ReviewServiceService } from "../../proto/gen/corridor/identity/v1/review_service";
import { SchemaServiceService } from "../../proto/gen/corridor/schema/v1/schema_service";
import { currentCall } from "../shared/call-context";
import { type Clock, systemClock } from "../shared/clock";
import { type Ground, openGround } from "../shared/ground";
import { type Ids, systemIds } from "../shared/ids";
import { openServiceBus, streamOf } from "../shared/jetstream";
import { joinOutboxes } from "../shared/joined-outbox";
import { makeLease } from "../shared/lease";
import { type Running, stopAll } from "../shared/lifecycle";
import { gauge } from "../shared/metrics";
import { type Mongo, openMongo } from "../shared/mongo";
import { startRelay } from "../shared/outbox-relay";
import { makeProviderCall } from "../shared/provider-call";
import type { Rpc } from "../shared/rpc";
import { makeRpcClient } from "../shared/rpc-client";
import { serveRpc } from "../shared/rpc-server";
import type { IdentityConfig } from "./config";
import type { PersonFields } from "./domain/person-fields";
import type { ReviewWords } from "./domain/review";
import type { SessionFacts } from "./domain/session";
import { createParticipantHandler } from "./handlers/create-participant";
import { createSessionHandler } from "./handlers/create-session";
import { createVerificationHandler } from "./handlers/create-verification";
import { decidePaymentHandler } from "./handlers/decide-payment";
import { decideReviewHandler } from "./handlers/decide-review";
import { eraseParticipantHandler } from "./handlers/erase-participant";
import { getParticipantHandler } from "./handlers/get-participant";
import { getReviewHandler } from "./handlers/get-review";
import { getSessionHandler } from "./handlers/get-session";
import { getVerificationHandler } from "./handlers/get-verification";
import { listExceptionsHandler } from "./handlers/list-exceptions";
import { listReviewsHandler } from "./handlers/list-reviews";
import { receiveKycReportHandler } from "./handlers/receive-kyc-report";
import { receiveScreeningReportHandler } from "./handlers/receive-screening-report";
import { registerPersonHandler } from "./handlers/register-person";
import { encodeDecisionEvents } from "./handlers/review-codec";
import { revokeExceptionHandler } from "./handlers/revoke-exception";
import { encodeSessionEvents } from "./handlers/session-codec";
import { updateParticipantHandler } from "./handlers/update-participant";
import { validatePersonHandler } from "./handlers/validate-person";
import { makeKycVendor } from "./kyc-vendor";
import { makeAdvanceSession } from "./operations/advance-session";
import { makeCreateParticipant } from "./operations/create-participant";
import { makeCreateSession } from "./operations/create-session";
import { makeCreateVerification } from "./operations/create-verification";
import { makeDecidePayment } from "./operations/decide-payment";
import { makeDecideReview } from "./operations/decide-review";
import { makeEraseParticipant } from "./operations/erase-participant";
import { makeHearScreeningReport } from "./operations/hear-screening-report";
import { makeRegisterPerson } from "./operations/register-person";
import { makeRevokeException } from "./operations/revoke-exception";
import { makeScreenAgain } from "./operations/screen-again";
import { makeShowReview } from "./operations/show-review";
import { makeUpdateParticipant } from "./operations/update-participant";
import { makePersonSchemas } from "./person-schemas";
import { type BlindIndex, makeBlindIndex, makePersonalData } from "./personal-data";
import type { PaymentScreener, Screening, Verifier } from "./ports";
import { startRescreening } from "./rescreening";
import { openScreeningList } from "./screening-list";
import { makeScreeningProvider } from "./screening-provider";
import { startSessionSweep } from "./session-sweep";
import { makeDecisionOutbox } from "./store/decision-outbox";
import { makeDecisionStore } from "./store/decision-store";
import { makeExceptionStore } from "./store/exception-store";
import { makeParticipantStore, type ParticipantStore } from "./store/participant-store";
import { makeReviewStore } from "./store/review-store";
import { makeSessionOutbox } from "./store/session-outbox";
import { makeSessionStore } from "./store/session-store";
import { makeVerificationStore } from "./store/verification-store";

interface IdentityOverrides {
  clock?: Clock;
  ids?: Ids;
}

/** Everything published about sessions. */
const subject = "corridor.identity.documents";
/** Everything published about decisions. */
const decisionSubject = "corridor.identity.decisions";
const service = {
  ...IdentityServiceService,
  ...KycServiceService,
  ...DecisionServiceService,
  ...ReviewServiceService,
};

/** Starts the identity service; resolved when it serves. It does not start without a readable screening list. */
export async function startIdentity(
  config: IdentityConfig,
  { clock: givenClock, ids = systemIds }: IdentityOverrides = {},
): Promise<Running & { port: number }> {
  const ground = await openGround("identity", config);
  const { tracing, tls, logger } = ground;
  const clock = givenClock ?? ground.clock;
  const screening = openScreeningList(config.IDENTITY_SCREENING_LIST_FILE, logger);
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
  const verifier = openVerifier(config, ground);
  const judges = { schemas: makePersonSchemas(schema), screening, verifier };
  const stores = await openReviewStores(config, mongo, ids);
  const kyc = await openKyc({ config, ground, mongo, participants, verifier, index, clock, ids });
  const { nudgeRelay, sessions } = kyc;
  const { transact } = mongo;
  const common = { transact, ...stores, participants, sessions, screening, clock, ids, nudgeRelay };
  const desk = openDesk(config, ground, mongo, common);
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
      ...desk.handlers,
    },
    { ...ground, address: `${config.LISTEN_HOST}:${config.GRPC_PORT}` },
  );
  return { port: server.port, ...stopAll([ground, mongo, schema, screening, kyc, desk, server]) };
}

const traceparent = (): string => currentCall()?.traceparent ?? "";
const holder = `${hostname()}-${process.pid}`;

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
    source: joinOutboxes(
      makeSessionOutbox(connection, subject, encodeSessionEvents),
      makeDecisionOutbox(connection, decisionSubject, encodeDecisionEvents),
    ),
    bus,
    stream: streamOf("identity", config.NATS_STREAM_REPLICAS),
    lease: makeLease({ connection, name: "identity-relay", holder }),
    connection,
  });
  const nudgeRelay = (): void => relay.nudge();
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
  return { sessions, handlers, nudgeRelay, ...stopAll([bus, relay, sweep]) };
}

/** What decisions, reviews and exceptions are kept in. */
async function openReviewStores({ IDENTITY_SEALING_KEY_FILE: key }: IdentityConfig, { connection }: Mongo, ids: Ids) {
  const stores = {
    reviews: makeReviewStore(connection, makePersonalData<ReviewWords>(key, "reviews", ids)),
    exceptions: makeExceptionStore(connection),
    decisions: makeDecisionStore(connection),
  };
  await Promise.all([stores.reviews.init(), stores.exceptions.init(), stores.decisions.init()]);
  return stores;
}

const openScreener = (config: IdentityConfig, { logger, tracing, metrics }: Ground): PaymentScreener =>
  makeScreeningProvider({
    call: makeProviderCall({
      name: "screening",
      baseUrl: config.SCREENING_BASE_URL,
      apiKey: config.SCREENING_API_KEY_FILE,
      timeoutMs: config.SCREENING_TIMEOUT_MS,
      logger,
      tracing,
      metrics,
    }),
    callbackSecret: config.SCREENING_CALLBACK_SECRET_FILE,
    clock: systemClock,
  });

/** What the desk stands on. */
type DeskParts = Awaited<ReturnType<typeof openReviewStores>> &
  Pick<KycParts, "participants" | "clock" | "ids"> & {
    transact: Mongo["transact"];
    screening: Screening;
    nudgeRelay(): void;
  };

/** Decisions about payments, what people decide about hits, and the loop that screens again when the list has changed. */
function openDesk(config: IdentityConfig, ground: Ground, { connection }: Mongo, parts: DeskParts) {
  const screener = openScreener(config, ground);
  const { reviews, exceptions } = parts;
  gauge(ground.metrics, "corridor_reviews_open", "Reviews that wait for a person.", () => reviews.countOpen());
  const rescreening = startRescreening({
    ...parts,
    screenAgain: makeScreenAgain(parts),
    lease: makeLease({ connection, name: "identity-rescreening", holder }),
    logger: ground.logger,
  });
  const handlers: Rpc<typeof DecisionServiceService> & Rpc<typeof ReviewServiceService> = {
    decidePayment: decidePaymentHandler(makeDecidePayment({ ...parts, screener, traceparent })),
    receiveScreeningReport: receiveScreeningReportHandler(screener, makeHearScreeningReport(parts)),
    listReviews: listReviewsHandler(reviews),
    getReview: getReviewHandler(makeShowReview(parts)),
    decideReview: decideReviewHandler(makeDecideReview(parts)),
    listExceptions: listExceptionsHandler(exceptions),
    revokeException: revokeExceptionHandler(makeRevokeException(parts)),
  };
  return { handlers, ...stopAll([rescreening]) };
}
