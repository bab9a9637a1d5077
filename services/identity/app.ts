import { DecisionServiceService } from "../../proto/gen/corridor/identity/v1/decision_service";
import { DocumentServiceService } from "../../proto/gen/corridor/identity/v1/document_service";
import { IdentityServiceService } from "../../proto/gen/corridor/identity/v1/identity_service";
import { KycServiceService } from "../../proto/gen/corridor/identity/v1/kyc_service";
import { ReviewServiceService } from "../../proto/gen/corridor/identity/v1/review_service";
import { SchemaServiceService } from "../../proto/gen/corridor/schema/v1/schema_service";
import { makeProviderCall } from "../shared/http/provider-call";
import { type Clock, plusMs, secondsSince, systemClock } from "../shared/kernel/clock";
import { type Ids, idsOf } from "../shared/kernel/ids";
import { makeDueNotes } from "../shared/process/due-work";
import { type Running, stopAll } from "../shared/process/lifecycle";
import type { Logger } from "../shared/process/logger";
import { gauge } from "../shared/process/metrics";
import { openRuntime, type Runtime } from "../shared/process/runtime";
import type { Rpc } from "../shared/rpc/rpc";
import { makeRpcClient } from "../shared/rpc/rpc-client";
import { serveRpc } from "../shared/rpc/rpc-server";
import { makeDataKeys } from "../shared/storage/data-keys";
import { startKeyRotation } from "../shared/storage/key-rotation";
import { makeLease, processHolder } from "../shared/storage/lease";
import type { Mongo } from "../shared/storage/mongo";
import { openServiceStore } from "../shared/storage/service-store";
import { makeDocumentReader } from "./adapters/kyc/document-reader";
import { makeKycVendor } from "./adapters/kyc/kyc-vendor";
import { makePersonSchemas } from "./adapters/schema/person-schemas";
import { openScreeningLists } from "./adapters/screening/screening-lists";
import { makeScreeningProvider } from "./adapters/screening/screening-provider";
import { commonHandlers, commonServices } from "./app/common-services";
import { type Due, type Events, openEvents } from "./app/events";
import type { IdentityConfig } from "./config";
import { segmentBytes, tagBytes } from "./domain/document-cipher";
import type { PersonFields } from "./domain/person-fields";
import type { ReviewWords } from "./domain/review";
import type { SessionFacts } from "./domain/session";
import { checkAddressHandler } from "./handlers/check-address";
import { checkPersonHandler } from "./handlers/check-person";
import { createParticipantHandler } from "./handlers/create-participant";
import { createSessionHandler } from "./handlers/create-session";
import { createVerificationHandler } from "./handlers/create-verification";
import { decideDocumentHandler } from "./handlers/decide-document";
import { decidePaymentHandler } from "./handlers/decide-payment";
import { decideReviewHandler } from "./handlers/decide-review";
import { eraseParticipantHandler } from "./handlers/erase-participant";
import { fileReportHandler } from "./handlers/file-report";
import { findParticipantsHandler } from "./handlers/find-participants";
import { getComplianceLevelsHandler } from "./handlers/get-compliance-levels";
import { getDocumentHandler } from "./handlers/get-document";
import { getParticipantHandler } from "./handlers/get-participant";
import { getReviewHandler } from "./handlers/get-review";
import { getSessionHandler } from "./handlers/get-session";
import { getVerificationHandler } from "./handlers/get-verification";
import { listDocumentsHandler } from "./handlers/list-documents";
import { listErasuresHandler } from "./handlers/list-erasures";
import { listExceptionsHandler } from "./handlers/list-exceptions";
import { listParticipantsHandler } from "./handlers/list-participants";
import { listPendingDocumentsHandler } from "./handlers/list-pending-documents";
import { listReportsHandler } from "./handlers/list-reports";
import { listReviewsHandler } from "./handlers/list-reviews";
import { readDocumentPartHandler } from "./handlers/read-document-part";
import { receiveDocumentReportHandler } from "./handlers/receive-document-report";
import { receiveKycReportHandler } from "./handlers/receive-kyc-report";
import { receiveScreeningReportHandler } from "./handlers/receive-screening-report";
import { registerPersonHandler } from "./handlers/register-person";
import { releaseBlockedHandler } from "./handlers/release-blocked";
import { revokeExceptionHandler } from "./handlers/revoke-exception";
import { updateParticipantHandler } from "./handlers/update-participant";
import { uploadDocumentHandler } from "./handlers/upload-document";
import { validatePersonHandler } from "./handlers/validate-person";
import { type AdvanceDocument, makeAdvanceDocument } from "./operations/advance-document";
import { makeAdvanceSession } from "./operations/advance-session";
import { makeApplyScreeningReport } from "./operations/apply-screening-report";
import { makeCreateParticipant } from "./operations/create-participant";
import { makeCreateSession } from "./operations/create-session";
import { makeCreateVerification, makeSubjects } from "./operations/create-verification";
import { makeDecideDocument } from "./operations/decide-document";
import { makeDecidePayment } from "./operations/decide-payment";
import { makeDecideReview } from "./operations/decide-review";
import { makeEraseParticipant } from "./operations/erase-participant";
import { makeFileReport } from "./operations/file-report";
import { makeFinishErasure } from "./operations/finish-erasure";
import { makeReadDocuments } from "./operations/read-documents";
import { makeRegisterPerson } from "./operations/register-person";
import { makeReleaseBlocked } from "./operations/release-blocked";
import { makeRevokeException } from "./operations/revoke-exception";
import { makeScreenAgain } from "./operations/screen-again";
import { makeShowReview } from "./operations/show-review";
import { makeUpdateParticipant } from "./operations/update-participant";
import { makeUploadDocument } from "./operations/upload-document";
import type { DocumentReader, PaymentScreener, Screening, Verifier } from "./ports";
import { makeDecisionStore } from "./store/decision-store";
import { makeDocumentFiles } from "./store/document-files";
import { makeDocumentStore } from "./store/document-store";
import { makeErasureStore } from "./store/erasure-store";
import { makeExceptionStore } from "./store/exception-store";
import { makeParticipantStore } from "./store/participant-store";
import { makePersonalData } from "./store/personal-data";
import { makeReviewStore } from "./store/review-store";
import { makeSessionStore } from "./store/session-store";
import { makeVerificationStore } from "./store/verification-store";
import { startRescreening } from "./workers/rescreening";
import { startSessionSweep } from "./workers/session-sweep";
import { startUploadSweep } from "./workers/upload-sweep";

interface IdentityOverrides {
  clock?: Clock;
  ids?: Ids;
}

const service = {
  ...IdentityServiceService,
  ...KycServiceService,
  ...DecisionServiceService,
  ...ReviewServiceService,
  ...DocumentServiceService,
  ...commonServices,
};

/** Starts the identity service; resolves when it serves. It does not start without a readable screening list. */
export async function startIdentity(
  config: IdentityConfig,
  { clock: givenClock, ids = idsOf("identity") }: IdentityOverrides = {},
): Promise<Running & { port: number }> {
  const runtime = await openRuntime("identity", config);
  const { tracing, tls, logger } = runtime;
  const clock = givenClock ?? runtime.clock;
  const due = { sessions: makeDueNotes(), documents: makeDueNotes(), erasures: makeDueNotes(), lists: makeDueNotes() };
  const onChange = (): void => due.lists.note();
  const screening = await openScreeningLists(config.IDENTITY_SCREENING_LIST_FILE, { logger, clock, onChange });
  gauge(runtime.metrics, "corridor_screening_lists_stale", "Lists that are older than the policy allows.", async () =>
    screening.staleLists(),
  );
  const { MONGODB_URI: uri, MONGODB_DATABASE: database, PROFILE: profile } = config;
  const mongo = await openServiceStore({ ...runtime, uri, database, profile });
  const stores = await openStores(config, mongo, { ids, logger, due });
  const events = await openEvents(config, runtime, mongo, clock, due);

  const schema = makeRpcClient(SchemaServiceService, {
    target: config.SCHEMA_TARGET,
    tls,
    tracing,
    timeoutMs: 5_000,
    retryable: ["listSchemas", "getSchema", "checkNumbers"],
  });
  const verifier = openVerifier(config, runtime, ids);
  const sources = { schemas: makePersonSchemas(schema), screening, verifier, clock };
  const parts: Parts = { ...stores, ...mongo, ...events, screening, verifier, clock, ids, due };
  const documents = openDocuments(config, runtime, parts);
  const kyc = openKyc(runtime, parts, documents.advance);
  const desk = openDesk(config, runtime, parts);
  const erasures = openErasures(runtime, parts, documents.reader);
  const server = await serveRpc(
    service,
    {
      registerPerson: registerPersonHandler(makeRegisterPerson({ ...parts, ...sources })),
      validatePerson: validatePersonHandler(sources),
      checkPerson: checkPersonHandler(sources),
      createParticipant: createParticipantHandler(makeCreateParticipant({ ...parts, ...sources })),
      updateParticipant: updateParticipantHandler(makeUpdateParticipant({ ...parts, ...sources })),
      getParticipant: getParticipantHandler(stores.participants),
      findParticipants: findParticipantsHandler(stores.participants),
      listParticipants: listParticipantsHandler(stores.participants),
      eraseParticipant: eraseParticipantHandler(makeEraseParticipant(erasing(parts))),
      listErasures: listErasuresHandler(stores),
      getComplianceLevels: getComplianceLevelsHandler({ ...stores, ...sources }),
      checkAddress: checkAddressHandler(sources.schemas),
      ...kyc.handlers,
      ...documents.handlers,
      ...desk.handlers,
      ...commonHandlers(mongo.connection, stores.duty, stores.participants),
    },
    { ...runtime, address: `${config.LISTEN_HOST}:${config.GRPC_PORT}` },
  );
  const running = [runtime, mongo, stores.duty, schema, screening, events, kyc, documents, desk, erasures, server];
  return { port: server.port, ...stopAll(running) };
}

const openVerifier = (config: IdentityConfig, { logger, tracing, metrics }: Runtime, ids: Ids): Verifier =>
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
    ids,
  });

/** All stores, each collection with its indexes. */
async function openStores(
  config: IdentityConfig,
  mongo: Mongo,
  { ids, logger, due }: { ids: Ids; logger: Logger; due: Due },
) {
  const { connection, transact } = mongo;
  const { IDENTITY_SEALING_KEY_FILE: keys, IDENTITY_INDEX_KEY_FILE: indexKeys } = config;
  const index = makeDataKeys({ connection, sealingKeys: indexKeys, ids });
  const personal = makePersonalData<PersonFields>(keys, "participants", ids);
  const facts = makePersonalData<SessionFacts>(keys, "sessions", ids);
  const words = makePersonalData<ReviewWords>(keys, "reviews", ids);
  const stores = {
    index,
    participants: makeParticipantStore(connection, personal, index),
    sessions: makeSessionStore(connection, transact, facts, due.sessions.note),
    verifications: makeVerificationStore(connection),
    documents: makeDocumentStore(connection, due.documents.note),
    files: makeDocumentFiles(connection, { pieceBytes: segmentBytes + tagBytes, clock: systemClock }),
    reviews: makeReviewStore(connection, words),
    exceptions: makeExceptionStore(connection),
    decisions: makeDecisionStore(connection),
    erasures: makeErasureStore(connection, due.erasures.note),
  };
  await Promise.all(Object.values(stores).map((store) => store.init()));
  const uses = [personal, facts, words].map((data) => data.renewal("IDENTITY_SEALING_KEY_FILE"));
  uses.push(index.renewal("IDENTITY_INDEX_KEY_FILE"));
  const rings = { IDENTITY_SEALING_KEY_FILE: keys, IDENTITY_INDEX_KEY_FILE: indexKeys };
  const duty = await startKeyRotation({ connection, rings, uses, logger });
  return { ...stores, duty };
}

/** Dependencies of the operations. */
type Parts = Awaited<ReturnType<typeof openStores>> &
  Omit<Mongo, "stop"> &
  Omit<Events, "stop"> & { screening: Screening; verifier: Verifier; clock: Clock; ids: Ids } & {
    due: Due;
  };

/** An erasure is due as soon as it is committed. */
const erasing = (parts: Parts): Parts => ({
  ...parts,
  nudgeRelay() {
    parts.nudgeRelay();
    parts.due.erasures.note();
  },
});

/** Sessions, and the sweep that advances them. */
function openKyc({ logger }: Runtime, parts: Parts, advanceDocument: AdvanceDocument) {
  const { sessions, documents, verifications, verifier, clock } = parts;
  const advance = makeAdvanceSession(parts);
  const subjects = makeSubjects(sessions, documents, { session: advance, document: advanceDocument });
  const handlers: Rpc<typeof KycServiceService> = {
    createSession: createSessionHandler(makeCreateSession(parts)),
    getSession: getSessionHandler(sessions),
    createVerification: createVerificationHandler(makeCreateVerification({ ...parts, subjects })),
    getVerification: getVerificationHandler({ subjects, verifications }),
    receiveKycReport: receiveKycReportHandler(verifier, advance),
  };
  return { handlers, ...startSessionSweep({ sessions, due: parts.due.sessions, advance, clock, logger }) };
}

const openReader = (config: IdentityConfig, runtime: Runtime): DocumentReader =>
  makeDocumentReader({
    ...runtime,
    call: makeProviderCall({
      ...runtime,
      name: "documents",
      baseUrl: config.KYC_BASE_URL,
      apiKey: config.KYC_API_KEY_FILE,
      timeoutMs: config.KYC_TIMEOUT_MS,
    }),
    baseUrl: config.KYC_BASE_URL,
    apiKey: config.KYC_API_KEY_FILE,
    timeoutMs: 5_000,
    callbackSecret: config.KYC_CALLBACK_SECRET_FILE,
    clock: systemClock,
  });

/** Documents of participants, the sweep that has them read, and the sweep that removes uploads that never became a document. */
function openDocuments(config: IdentityConfig, runtime: Runtime, parts: Parts) {
  const { logger } = runtime;
  const reading = makeReadDocuments(parts);
  const reader = openReader(config, runtime);
  const advance = makeAdvanceDocument({ ...parts, reader });
  const readTenants = config.DOCUMENT_READING_TENANTS.split(",");
  const isRead = (tenant: string): boolean => readTenants.includes("*") || readTenants.includes(tenant);
  const handlers: Rpc<typeof DocumentServiceService> = {
    uploadDocument: uploadDocumentHandler(makeUploadDocument({ ...parts, isRead, advance }), reading),
    listDocuments: listDocumentsHandler(reading),
    getDocument: getDocumentHandler(reading),
    readDocumentPart: readDocumentPartHandler(reading),
    listPendingDocuments: listPendingDocumentsHandler(reading),
    decideDocument: decideDocumentHandler(makeDecideDocument(parts)),
    receiveDocumentReport: receiveDocumentReportHandler(reader, advance),
  };
  const { clock, documents, files } = parts;
  const readings = startSessionSweep({ sessions: documents, due: parts.due.documents, advance, clock, logger });
  const uploads = startUploadSweep({ files, clock: systemClock, logger });
  return { handlers, advance, reader, ...stopAll([readings, uploads]) };
}

/** Notifies the vendors of erasures until they acknowledge them. */
function openErasures({ logger, metrics }: Runtime, parts: Parts, reader: DocumentReader): Running {
  const { erasures, clock } = parts;
  gauge(metrics, "corridor_erasures_outstanding", "Erasures that a vendor has not acknowledged.", async () => {
    const { count } = await erasures.outstanding();
    return count;
  });
  gauge(metrics, "corridor_erasures_oldest_outstanding_seconds", "Age of the oldest of them.", async () => {
    const { oldest } = await erasures.outstanding();
    return oldest === undefined ? 0 : secondsSince(oldest, clock.now());
  });
  const advance = makeFinishErasure({ ...parts, reader });
  return startSessionSweep({ sessions: erasures, due: parts.due.erasures, advance, clock, logger });
}

const openScreener = (config: IdentityConfig, { logger, tracing, metrics }: Runtime): PaymentScreener =>
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

/** How long before its deadline a report counts as due. */
const reportNoticeMs = 2 * 86_400_000;

/** Decisions about payments, reviewers' decisions about hits, and the loop that screens again when the list has changed. */
function openDesk(config: IdentityConfig, runtime: Runtime, parts: Parts) {
  const screener = openScreener(config, runtime);
  const { connection, reviews, exceptions } = parts;
  gauge(runtime.metrics, "corridor_reviews_open", "Reviews that wait for a person.", () => reviews.countOpen());
  gauge(runtime.metrics, "corridor_screening_unreadable", "Records that cannot be opened to be screened.", async () => {
    const counts = await Promise.all([parts.participants.countSetAside(), reviews.countSetAside()]);
    return counts.reduce((sum, count) => sum + count, 0);
  });
  gauge(
    runtime.metrics,
    "corridor_sanction_reports_due",
    "Reports to the authority that are due within two days.",
    () => reviews.countReports(plusMs(parts.clock.now(), reportNoticeMs)),
  );
  gauge(
    runtime.metrics,
    "corridor_sanction_reports_overdue",
    "Reports to the authority that should have been made.",
    () => reviews.countReports(parts.clock.now()),
  );
  const rescreening = startRescreening({
    ...parts,
    screenAgain: makeScreenAgain(parts),
    lists: parts.due.lists,
    lease: makeLease({ connection, name: "identity-rescreening", holder: processHolder }),
    logger: runtime.logger,
  });
  const handlers: Rpc<typeof DecisionServiceService> & Rpc<typeof ReviewServiceService> = {
    decidePayment: decidePaymentHandler(makeDecidePayment({ ...parts, screener })),
    receiveScreeningReport: receiveScreeningReportHandler(screener, makeApplyScreeningReport(parts)),
    listReviews: listReviewsHandler(reviews),
    getReview: getReviewHandler(makeShowReview(parts)),
    decideReview: decideReviewHandler(makeDecideReview(parts)),
    releaseBlocked: releaseBlockedHandler(makeReleaseBlocked(parts)),
    listReports: listReportsHandler(reviews),
    fileReport: fileReportHandler(makeFileReport(parts)),
    listExceptions: listExceptionsHandler(exceptions, reviews),
    revokeException: revokeExceptionHandler(makeRevokeException(parts)),
  };
  return { handlers, ...stopAll([rescreening]) };
}
