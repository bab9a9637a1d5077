import { type Gateway, startGateway } from "../../../gateway/app";
import { readGatewayConfig } from "../../../gateway/config";
import {
  audience,
  goodClaims,
  issuer,
  makeTestKey,
  type PeerScript,
  type Peers,
  startPeers,
  type TestKey,
} from "./peers";

export interface TestGateway {
  port: number;
  gateway: Gateway;
  peers: Peers;
  key: TestKey;
  /** A good token; claims may be changed. */
  token(changes?: Record<string, unknown>): Promise<string>;
  /** The headers of a JSON request with a good token. */
  bearer(changes?: Record<string, unknown>): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

const started: TestGateway[] = [];

/** A failed test must not keep the run from ending. */
afterAll(async () => {
  for (const platform of started.splice(0)) await platform.stop();
});

/** Stopping again changes nothing. */
function once(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => {
    stopped ??= stop();
    return stopped;
  };
}

/** Starts the gateway on free ports before peers that answer by script; the auth peer knows one key. */
export async function startTestGateway(
  script: PeerScript,
  environment: Record<string, string> = {},
): Promise<TestGateway> {
  const key = await makeTestKey("key-1");
  const jwksJson = Buffer.from(JSON.stringify({ keys: [key.publicJwk] }));
  const auth = { getKeySet: () => Promise.resolve({ jwksJson, issuer }), ...script.auth };
  const { stop: stopPeers, ...running } = await startPeers({ ...script, auth });
  const peers = { ...running, stop: once(stopPeers) };
  const { stop: stopGateway, ...listening } = await startGateway(
    readGatewayConfig({
      PROFILE: "local",
      LOG_LEVEL: "error",
      GATEWAY_PORT: "0",
      GATEWAY_TLS_PORT: "0",
      GATEWAY_DRAIN_MS: "0",
      GATEWAY_MAX_LAG_MS: "60000",
      AUTH_AUDIENCE: audience,
      NATS_URL: "nats://127.0.0.1:9",
      ...running.targets,
      ...environment,
    }),
  );
  const gateway = { ...listening, stop: once(stopGateway) };
  const token = (changes?: Record<string, unknown>): Promise<string> => key.sign(goodClaims(changes));
  const platform: TestGateway = {
    port: gateway.port ?? 0,
    gateway,
    peers,
    key,
    token,
    bearer: async (changes) => ({
      authorization: `Bearer ${await token(changes)}`,
      "content-type": "application/json",
    }),
    async stop() {
      await gateway.stop();
      await peers.stop();
    },
  };
  started.push(platform);
  return platform;
}
