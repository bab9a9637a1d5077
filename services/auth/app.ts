import { AuthServiceService } from "../../proto/gen/corridor/auth/v1/auth_service";
import type { Clock } from "../shared/clock";
import { openGround } from "../shared/ground";
import { type Ids, systemIds } from "../shared/ids";
import { type Running, stopAll } from "../shared/lifecycle";
import { openMongo } from "../shared/mongo";
import { serveRpc } from "../shared/rpc-server";
import { makeSealer } from "../shared/sealing";
import type { AuthConfig } from "./config";
import { parseBootstrap } from "./domain/bootstrap";
import { makeCredentialHasher } from "./domain/credential-hash";
import { authenticateKeyHandler } from "./handlers/authenticate-key";
import { getKeySetHandler } from "./handlers/get-key-set";
import { issueTokenHandler } from "./handlers/issue-token";
import { makeAuthenticateKey } from "./operations/authenticate-key";
import { makeFindHolder } from "./operations/find-holder";
import { makeImportBootstrap } from "./operations/import-bootstrap";
import { makeIssueToken } from "./operations/issue-token";
import { makeLoadSigningKeys } from "./operations/load-signing-keys";
import { makeRsaKey } from "./signing/rsa-key";
import { makeTokenSigner } from "./signing/token-signer";
import { makeAgentStore } from "./store/agent-store";
import { makeClientStore } from "./store/client-store";
import { makeCredentialStore } from "./store/credential-store";
import { makeSigningKeyStore } from "./store/signing-key-store";

interface AuthOverrides {
  clock?: Clock;
  ids?: Ids;
}

/** Starts the auth service; resolved when it serves. The first start makes the first signing key. */
export async function startAuth(
  config: AuthConfig,
  { clock: givenClock, ids = systemIds }: AuthOverrides = {},
): Promise<Running & { port: number }> {
  const ground = await openGround("auth", config);
  const clock = givenClock ?? ground.clock;
  const { tracing } = ground;
  const env = config.PROFILE;
  const mongo = await openMongo({ uri: config.MONGODB_URI, database: config.MONGODB_DATABASE, profile: env, tracing });
  const clients = makeClientStore(mongo.connection);
  const agents = makeAgentStore(mongo.connection);
  const credentials = makeCredentialStore(mongo.connection);
  const signingKeys = makeSigningKeyStore(mongo.connection, makeSealer(config.AUTH_SEALING_KEY_FILE, ids));
  await Promise.all([clients, agents, credentials, signingKeys].map((store) => store.init()));

  const hasher = makeCredentialHasher(config.AUTH_PEPPER_FILE);
  const importBootstrap = makeImportBootstrap({ clients, agents, credentials, hasher });
  const file = config.AUTH_BOOTSTRAP_FILE;
  const [keys] = await Promise.all([
    makeLoadSigningKeys({ signingKeys, makeKey: makeRsaKey })(),
    file === undefined ? undefined : importBootstrap(parseBootstrap(file, env)),
  ]);
  const policy = {
    issuer: config.AUTH_ISSUER,
    audience: config.AUTH_AUDIENCE,
    env,
    ttlSeconds: config.AUTH_TOKEN_TTL_SECONDS,
  };
  const findHolder = makeFindHolder({ credentials, hasher, env });
  const sign = await makeTokenSigner(keys[0]);
  const server = await serveRpc(
    AuthServiceService,
    {
      issueToken: issueTokenHandler(makeIssueToken({ findHolder, clients, sign, policy, clock, ids })),
      getKeySet: getKeySetHandler(keys, config.AUTH_ISSUER),
      authenticateKey: authenticateKeyHandler(makeAuthenticateKey({ findHolder, agents })),
    },
    { ...ground, address: `${config.LISTEN_HOST}:${config.GRPC_PORT}` },
  );
  return { port: server.port, ...stopAll([ground, mongo, server]) };
}
