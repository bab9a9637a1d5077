import { ApprovalServiceService } from "../../proto/gen/corridor/auth/v1/approval_service";
import { AuditServiceService } from "../../proto/gen/corridor/auth/v1/audit_service";
import { AuthServiceService } from "../../proto/gen/corridor/auth/v1/auth_service";
import { DirectoryServiceService } from "../../proto/gen/corridor/auth/v1/directory_service";
import { PeopleServiceService } from "../../proto/gen/corridor/auth/v1/people_service";
import { BusServiceService } from "../../proto/gen/corridor/common/v1/bus_service";
import { KeyServiceService } from "../../proto/gen/corridor/common/v1/key_service";
import { makeBusService } from "../shared/bus/bus-service";
import { accessChanged } from "../shared/bus/bus-users";
import { makeInbox } from "../shared/bus/inbox";
import { openServiceBus, streamOf } from "../shared/bus/jetstream";
import { makeKeyService } from "../shared/bus/key-service";
import { type Relay, startRelay } from "../shared/bus/outbox-relay";
import { makeParkedMessages } from "../shared/bus/parked-messages";
import { makeSealer, type Sealer } from "../shared/crypto/sealing";
import { type BoundedCache, makeBoundedCache } from "../shared/kernel/bounded-cache";
import { type Clock, systemClock } from "../shared/kernel/clock";
import { type Ids, idsOf } from "../shared/kernel/ids";
import { currentCall } from "../shared/process/call-context";
import { type Running, stopAll } from "../shared/process/lifecycle";
import { errorFields, type Logger } from "../shared/process/logger";
import { repeat } from "../shared/process/repeat";
import { openRuntime, type Runtime } from "../shared/process/runtime";
import type { Rpc } from "../shared/rpc/rpc";
import { serveRpc } from "../shared/rpc/rpc-server";
import { type KeyRotation, startKeyRotation } from "../shared/storage/key-rotation";
import { makeLease, processHolder } from "../shared/storage/lease";
import type { Mongo } from "../shared/storage/mongo";
import { makeReplicaRegistry } from "../shared/storage/replica-registry";
import { openServiceStore } from "../shared/storage/service-store";
import { makeTokenBuckets } from "../shared/storage/token-buckets";
import { type KeyRing, openKeyRing } from "./adapters/keys/key-ring";
import { makeRsaKey } from "./adapters/keys/rsa-key";
import { makeReadToken } from "./adapters/keys/token-reader";
import { type AuditParts, openAudit } from "./app/audit";
import { peopleHandlers } from "./app/people";
import type { AuthConfig } from "./config";
import { tokenLeewaySeconds } from "./domain/access-token";
import { parseBootstrap } from "./domain/bootstrap";
import { type CredentialHasher, makeCredentialHasher } from "./domain/credential-hash";
import { askApprovalHandler } from "./handlers/ask-approval";
import { authenticateKeyHandler } from "./handlers/authenticate-key";
import { changeAgentStatusHandler } from "./handlers/change-agent-status";
import { changeClientHandler } from "./handlers/change-client";
import { changeTenantHandler } from "./handlers/change-tenant";
import { createAgentHandler } from "./handlers/create-agent";
import { createClientHandler } from "./handlers/create-client";
import { createCredentialHandler } from "./handlers/create-credential";
import { createTenantHandler } from "./handlers/create-tenant";
import { decideApprovalHandler } from "./handlers/decide-approval";
import { encodeAgentCreated } from "./handlers/event-codec";
import { getAccessRulesHandler } from "./handlers/get-access-rules";
import { getApprovalHandler } from "./handlers/get-approval";
import { getKeySetHandler } from "./handlers/get-key-set";
import { issueTokenHandler } from "./handlers/issue-token";
import { leaseTokensHandler } from "./handlers/lease-tokens";
import { listAgentsHandler } from "./handlers/list-agents";
import { listApprovalsHandler } from "./handlers/list-approvals";
import { listClientsHandler } from "./handlers/list-clients";
import { listCredentialsHandler } from "./handlers/list-credentials";
import { listSigningKeysHandler } from "./handlers/list-signing-keys";
import { listTenantsHandler } from "./handlers/list-tenants";
import { revokeCredentialHandler } from "./handlers/revoke-credential";
import { revokeSigningKeyHandler } from "./handlers/revoke-signing-key";
import { revokeTokenHandler } from "./handlers/revoke-token";
import { rotateSigningKeyHandler } from "./handlers/rotate-signing-key";
import { setCredentialBoundsHandler } from "./handlers/set-credential-bounds";
import { spendApprovalHandler } from "./handlers/spend-approval";
import { makeAskApproval } from "./operations/ask-approval";
import { makeAuthenticateClient, type ProvenClient } from "./operations/authenticate-client";
import { makeAuthenticateKey } from "./operations/authenticate-key";
import { makeBindCredential } from "./operations/bind-credential";
import { makeChangeAgentStatus } from "./operations/change-agent-status";
import { makeChangeClient } from "./operations/change-client";
import { makeChangeTenant } from "./operations/change-tenant";
import { makeCreateAgent } from "./operations/create-agent";
import { makeCreateClient } from "./operations/create-client";
import { makeCreateCredential } from "./operations/create-credential";
import { makeCreateTenant } from "./operations/create-tenant";
import { makeDecideApproval } from "./operations/decide-approval";
import { makeFindHolder } from "./operations/find-holder";
import { makeGetAccessRules } from "./operations/get-access-rules";
import { makeImportBootstrap } from "./operations/import-bootstrap";
import { makeIssueToken } from "./operations/issue-token";
import { makeRevokeCredential } from "./operations/revoke-credential";
import { makeRevokeToken } from "./operations/revoke-token";
import { makeSpendApproval } from "./operations/spend-approval";
import { makeAgentOutbox } from "./store/agent-outbox";
import { makeAgentStore, sealedContacts } from "./store/agent-store";
import { makeApprovalStore, sealedCommands } from "./store/approval-store";
import { makeAuditKeyStore, sealedAuditKeys } from "./store/audit-key-store";
import { makeAuditStore } from "./store/audit-store";
import { makeClientStore } from "./store/client-store";
import { credentialHashes, makeCredentialStore } from "./store/credential-store";
import { makeDeviceLoginStore } from "./store/device-login-store";
import { makeLoginStore } from "./store/login-store";
import { makeRevokedTokenStore } from "./store/revoked-token-store";
import { makeSessionStore } from "./store/session-store";
import { makeSigningKeyStore, sealedSigningKeys } from "./store/signing-key-store";
import { makeTenantStore } from "./store/tenant-store";
import { makeUserStore, sealedEmails } from "./store/user-store";
import { startUseNotes, type UseNotes } from "./workers/use-notes";

interface AuthOverrides {
  clock?: Clock;
  ids?: Ids;
  hasher?: CredentialHasher;
}

const keysAreReadEveryMs = 30_000;
const provenCapacity = 10_000;

/** Dependencies of the handlers. */
interface Parts {
  config: AuthConfig;
  clock: Clock;
  ids: Ids;
  mongo: Mongo;
  stores: Awaited<ReturnType<typeof openStores>>;
  hasher: CredentialHasher;
  ring: KeyRing;
  notes: UseNotes;
  relay: Relay;
  /** Called with errors beside a call, which itself continues. */
  onFault(error: unknown): void;
  /** Signals to every replica and every gateway that a caller's access has changed. */
  tellAccessChanged(): void;
  /** Clients that recently asked for a token. */
  proven: BoundedCache<ProvenClient>;
  audit: AuditParts;
  keys: KeyRotation;
}

/** Everything published about agents. */
const subject = "corridor.auth.agents";

/** Starts the auth service; resolves when it serves. The first start makes the first signing key. */
export async function startAuth(
  config: AuthConfig,
  { clock: givenClock, ids = idsOf("auth"), hasher: givenHasher }: AuthOverrides = {},
): Promise<Running & { port: number }> {
  const runtime = await openRuntime("auth", config);
  const { logger } = runtime;
  const clock = givenClock ?? runtime.clock;
  const { PROFILE: env, MONGODB_URI: uri } = config;
  const mongo = await openServiceStore({ ...runtime, uri, database: config.MONGODB_DATABASE, profile: env });
  const sealer = makeSealer(config.AUTH_SEALING_KEY_FILE, ids);
  const stores = await openStores(sealer, mongo);
  const hasher = givenHasher ?? makeCredentialHasher(config.AUTH_PEPPER_FILE);
  const keys = await openKeys(config, mongo, { sealer, hasher, logger });
  const importBootstrap = makeImportBootstrap({ ...stores, hasher, clock });
  const file = config.AUTH_BOOTSTRAP_FILE;
  const [ring] = await Promise.all([
    openKeyRing({ signingKeys: stores.signingKeys, makeKey: makeRsaKey, policy: keyPolicy(config), clock }),
    file === undefined ? undefined : importBootstrap(parseBootstrap(file, env)),
  ]);
  const refreshing = repeat(keysAreReadEveryMs, ring.refresh, (error) =>
    logger.warn(errorFields(error), "the signing keys could not be read again"),
  );
  const notes = startUseNotes(stores.credentials, clock, logger);
  const bus = await openServiceBus("auth", config, logger);
  const relay = startRelay({
    ...runtime,
    source: makeAgentOutbox(stores.agents, subject, encodeAgentCreated),
    bus,
    stream: streamOf("auth", config.NATS_STREAM_REPLICAS),
    lease: makeLease({ connection: mongo.connection, name: "auth-relay", holder: processHolder }),
    connection: mongo.connection,
    clock,
  });
  const audit = await openAudit({ config, runtime, mongo, stores, bus, clock });
  const proven = makeBoundedCache<ProvenClient>(provenCapacity, clock);
  bus.onSignal(accessChanged, () => {
    proven.clear();
    ring
      .refresh()
      .catch((error: unknown) => logger.warn(errorFields(error), "the signing keys could not be read again"));
  });
  const tellAccessChanged = (): void => bus.signal(accessChanged);
  const made = { config, clock, ids, mongo, stores, hasher, ring, notes, relay, keys, audit };
  const onFault = (error: unknown): void =>
    logger.warn(errorFields(error), "a credential could not be hashed again; it is tried at its next use");
  const server = await serve({ ...made, proven, onFault, tellAccessChanged }, runtime);
  return { port: server.port, ...stopAll([runtime, mongo, bus, relay, audit, keys, refreshing, notes, server]) };
}

/** Everything that is stored under the keys of this service, and the work on these keys. */
function openKeys(
  { AUTH_SEALING_KEY_FILE, AUTH_PEPPER_FILE }: AuthConfig,
  { connection }: Mongo,
  { sealer, hasher, logger }: { sealer: Sealer; hasher: CredentialHasher; logger: Logger },
): Promise<KeyRotation> {
  const sealed = [sealedSigningKeys, sealedContacts, sealedCommands, sealedAuditKeys, sealedEmails];
  const uses = sealed.map((useOf) => useOf("AUTH_SEALING_KEY_FILE", sealer));
  uses.push(credentialHashes("AUTH_PEPPER_FILE", hasher));
  return startKeyRotation({ connection, rings: { AUTH_SEALING_KEY_FILE, AUTH_PEPPER_FILE }, uses, logger });
}

async function openStores(sealer: Sealer, { connection }: Mongo) {
  const stores = {
    tenants: makeTenantStore(connection),
    clients: makeClientStore(connection),
    agents: makeAgentStore(connection, sealer),
    revokedTokens: makeRevokedTokenStore(connection),
    credentials: makeCredentialStore(connection),
    signingKeys: makeSigningKeyStore(connection, sealer),
    approvals: makeApprovalStore(connection, sealer),
    users: makeUserStore(connection, sealer),
    logins: makeLoginStore(connection),
    deviceLogins: makeDeviceLoginStore(connection),
    sessions: makeSessionStore(connection),
    audit: makeAuditStore(connection),
    auditKeys: makeAuditKeyStore(connection, sealer),
    inbox: makeInbox(connection),
    parked: makeParkedMessages(connection),
    verifiers: makeReplicaRegistry(connection, "verifiers"),
    // Shares are counted in real time, whatever the business time is.
    buckets: makeTokenBuckets(connection, systemClock),
  };
  await Promise.all(Object.values(stores).map((store) => store.init()));
  return stores;
}

const tokenLifeMs = ({ AUTH_TOKEN_TTL_SECONDS: seconds }: AuthConfig): number => (seconds + tokenLeewaySeconds) * 1_000;

const keyPolicy = (config: AuthConfig) => ({
  lifeMs: config.AUTH_KEY_LIFE_HOURS * 3_600_000,
  leadMs: config.AUTH_KEY_LEAD_SECONDS * 1_000,
  tokenLifeMs: tokenLifeMs(config),
});

function serve(parts: Parts, runtime: Runtime) {
  const service = {
    ...{ ...AuthServiceService, ...DirectoryServiceService, ...AuditServiceService },
    ...{ ...ApprovalServiceService, ...BusServiceService, ...KeyServiceService, ...PeopleServiceService },
  };
  const busHandlers = makeBusService({ connection: parts.mongo.connection, consumers: [parts.audit.told] });
  const handlers = {
    ...{ ...authHandlers(parts), ...directoryHandlers(parts), ...parts.audit.handlers },
    ...{ ...approvalHandlers(parts), ...busHandlers, ...makeKeyService(parts.keys) },
    ...peopleHandlers({
      ...parts,
      profile: parts.config.PROFILE,
      oidc: parts.config.AUTH_OIDC_FILE,
      toldAtOnce: tellsAtOnce(parts),
    }),
  };
  const { LISTEN_HOST: host, GRPC_PORT: port } = parts.config;
  return serveRpc(service, handlers, { ...runtime, address: `${host}:${port}` });
}

function authHandlers({ config, clock, ids, mongo, stores, ...parts }: Parts): Rpc<typeof AuthServiceService> {
  const { hasher, ring, notes, relay, proven } = parts;
  const { PROFILE: env, AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_TOKEN_TTL_SECONDS: ttlSeconds } = config;
  const policy = { issuer, audience, env, ttlSeconds };
  const findHolder = makeFindHolder({ ...stores, hasher, env, noteUse: notes.note, onFault: parts.onFault });
  const authenticateClient = makeAuthenticateClient({
    ...stores,
    ...{ findHolder, hasher, proven, noteUse: notes.note, env, clock },
  });
  const issueToken = makeIssueToken({ authenticateClient, sign: ring.sign, policy, clock, ids });
  const readToken = makeReadToken({ ring, issuer, clock });
  const revokeToken = makeRevokeToken({ ...stores, authenticateClient, readToken });
  const createAgent = makeCreateAgent({
    ...stores,
    ...mongo,
    hasher,
    env,
    clock,
    ids,
    traceparent: () => currentCall()?.traceparent,
    nudgeRelay: () => relay.nudge(),
  });
  const getAccessRules = makeGetAccessRules({ ...stores, clock, tokenLifeMs: tokenLifeMs(config) });
  return {
    issueToken: issueTokenHandler(issueToken),
    revokeToken: revokeTokenHandler((revocation) => revokeToken(revocation).finally(parts.tellAccessChanged)),
    getKeySet: getKeySetHandler(ring, issuer),
    authenticateKey: authenticateKeyHandler(makeAuthenticateKey({ ...stores, findHolder, env, clock })),
    getAccessRules: getAccessRulesHandler(getAccessRules),
    createAgent: createAgentHandler(createAgent),
    leaseTokens: leaseTokensHandler(stores.buckets),
  };
}

/** A change that may withdraw access is signalled before it is answered, even when its outcome is unknown. */
const tellsAtOnce =
  ({ proven, tellAccessChanged }: Pick<Parts, "proven" | "tellAccessChanged">) =>
  <Args extends unknown[], Result>(change: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    change(...args).finally(() => {
      proven.clear();
      tellAccessChanged();
    });

function directoryHandlers(parts: Parts): Rpc<typeof DirectoryServiceService> {
  const { config, clock, ids, stores, hasher, ring } = parts;
  const env = config.PROFILE;
  const toldAtOnce = tellsAtOnce(parts);
  return {
    createTenant: createTenantHandler(makeCreateTenant({ ...stores, clock })),
    listTenants: listTenantsHandler(stores.tenants),
    changeTenant: changeTenantHandler(toldAtOnce(makeChangeTenant(stores))),
    createClient: createClientHandler(makeCreateClient(stores)),
    listClients: listClientsHandler(stores.clients),
    changeClient: changeClientHandler(toldAtOnce(makeChangeClient({ ...stores, clock }))),
    createCredential: createCredentialHandler(makeCreateCredential({ ...stores, hasher, env, clock, ids }), env),
    listCredentials: listCredentialsHandler(stores.credentials, env),
    revokeCredential: revokeCredentialHandler(toldAtOnce(makeRevokeCredential({ ...stores, clock }))),
    setCredentialBounds: setCredentialBoundsHandler(toldAtOnce(makeBindCredential({ ...stores, clock })), env),
    listAgents: listAgentsHandler(stores.agents),
    changeAgentStatus: changeAgentStatusHandler(toldAtOnce(makeChangeAgentStatus(stores))),
    listSigningKeys: listSigningKeysHandler(ring),
    rotateSigningKey: rotateSigningKeyHandler(ring),
    revokeSigningKey: revokeSigningKeyHandler({ revoke: toldAtOnce(ring.revoke) }),
  };
}

function approvalHandlers({ stores, clock, ids }: Parts): Rpc<typeof ApprovalServiceService> {
  return {
    askApproval: askApprovalHandler(makeAskApproval({ ...stores, clock, ids })),
    listApprovals: listApprovalsHandler(stores.approvals, clock),
    getApproval: getApprovalHandler(stores.approvals),
    decideApproval: decideApprovalHandler(makeDecideApproval({ ...stores, clock })),
    spendApproval: spendApprovalHandler(makeSpendApproval({ ...stores, clock })),
  };
}
