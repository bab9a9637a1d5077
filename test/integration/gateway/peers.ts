import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { authServices, identityServices } from "../../../gateway/clients";
import { SearchServiceService } from "../../../proto/gen/corridor/common/v1/search_service";
import { FxServiceService } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { DocumentServiceService } from "../../../proto/gen/corridor/identity/v1/document_service";
import { CaseServiceService } from "../../../proto/gen/corridor/payment/v1/case_service";
import { PaymentListServiceService } from "../../../proto/gen/corridor/payment/v1/payment_list_service";
import { PaymentServiceService } from "../../../proto/gen/corridor/payment/v1/payment_service";
import { SchemaServiceService } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { WalletServiceService } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { WebhookServiceService } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { DomainError } from "../../../services/shared/kernel/errors";
import { type Running, stopAll } from "../../../services/shared/process/lifecycle";
import { makeLogger } from "../../../services/shared/process/logger";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc, RpcService } from "../../../services/shared/rpc/rpc";
import { type RpcServer, serveRpc } from "../../../services/shared/rpc/rpc-server";

const fxPeer = { ...FxServiceService, ...SearchServiceService };
const walletPeer = { ...WalletServiceService, ...SearchServiceService };
const webhookPeer = { ...WebhookServiceService, ...SearchServiceService };
const paymentPeer = { ...PaymentServiceService, ...PaymentListServiceService, ...CaseServiceService };
const identityPeer = { ...identityServices, ...DocumentServiceService };

export const issuer = "http://127.0.0.1:8080";
export const audience = "corridor-api";

/** Answers the methods that a test does not script. */
type Unscripted = (method: string, request: unknown) => Promise<never>;

const refuseUnscripted: Unscripted = (method) =>
  Promise.reject(new DomainError("INTERNAL", `${method} is not scripted`));

/** Serves handlers as a peer of the gateway on a free port. */
async function servePeer<S extends RpcService>(
  service: S,
  handlers: Partial<Rpc<S>>,
  answer: Unscripted,
): Promise<RpcServer> {
  const unscripted = Object.keys(service).map((name) => [name, (request: unknown) => answer(name, request)]);
  return serveRpc(service, { ...Object.fromEntries(unscripted), ...handlers } as Rpc<S>, {
    address: "127.0.0.1:0",
    tls: undefined,
    logger: makeLogger("peer", "error"),
    tracing: noTracing,
    metrics: makeMetrics("peer"),
  });
}

/** A signing key as the auth service would have it. */
export interface TestKey {
  publicJwk: JWK;
  /** `crit` names extensions of the header that the signer knows and the verifier may not. */
  sign(claims: object, header?: object, crit?: Record<string, boolean>): Promise<string>;
}

export async function makeTestKey(kid: string): Promise<TestKey> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  return {
    publicJwk: { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" },
    sign: (claims, header = {}, crit = {}) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid, ...header })
        .sign(privateKey, { crit }),
  };
}

/** Claims of a good token of tenant demo with every scope of the slice. */
export function goodClaims(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1_000);
  return {
    iss: issuer,
    aud: audience,
    sub: "client-demo",
    tenant: "demo",
    env: "local",
    secret_id: "s-1",
    scope: "payments fx schemas",
    jti: "jti-1",
    iat: now,
    exp: now + 3_600,
    ...changes,
  };
}

/** What the auth service says of keys that nothing binds. */
export const unboundKeys = { scopes: undefined, expiresAt: undefined } as const;

/** An auth peer that limits no caller, knows no rule and keeps no record. */
const generous: PeerScript["auth"] = {
  getAccessRules: () =>
    Promise.resolve({ tenants: [], disabledClients: [], revokedTokens: [], secrets: [], verifiers: 1 }),
  leaseTokens: ({ wanted, capacity }) => Promise.resolve({ granted: wanted, left: capacity }),
  appendAuditRecords: () => Promise.resolve({}),
  authenticatePerson: () => Promise.reject(new DomainError("UNAUTHENTICATED", "the token is not valid")),
};

/** What a test scripts of each peer. */
export interface PeerScript {
  auth?: Partial<Rpc<typeof authServices>>;
  schema?: Partial<Rpc<typeof SchemaServiceService>>;
  fx?: Partial<Rpc<typeof fxPeer>>;
  payment?: Partial<Rpc<typeof paymentPeer>>;
  wallet?: Partial<Rpc<typeof walletPeer>>;
  identity?: Partial<Rpc<typeof identityPeer>>;
  webhook?: Partial<Rpc<typeof webhookPeer>>;
}

export interface Peers extends Running {
  /** The targets, as the gateway's configuration names them. */
  targets: Record<
    | "AUTH_TARGET"
    | "SCHEMA_TARGET"
    | "FX_TARGET"
    | "PAYMENT_TARGET"
    | "WALLET_TARGET"
    | "IDENTITY_TARGET"
    | "WEBHOOK_TARGET",
    string
  >;
  servers: Record<keyof PeerScript, RpcServer>;
}

/** Starts the services that the gateway calls, as peers that answer what a test wants; other methods refuse. */
export async function startPeers(script: PeerScript, answer: Unscripted = refuseUnscripted): Promise<Peers> {
  const startPeer = <S extends RpcService>(service: S, handlers: Partial<Rpc<S>>): Promise<RpcServer> =>
    servePeer(service, handlers, answer);
  const servers = {
    auth: await startPeer(authServices, { ...generous, ...script.auth }),
    schema: await startPeer(SchemaServiceService, script.schema ?? {}),
    fx: await startPeer(fxPeer, script.fx ?? {}),
    payment: await startPeer(paymentPeer, script.payment ?? {}),
    wallet: await startPeer(walletPeer, script.wallet ?? {}),
    identity: await startPeer(identityPeer, script.identity ?? {}),
    webhook: await startPeer(webhookPeer, script.webhook ?? {}),
  };
  const target = ({ port }: RpcServer): string => `ipv4:127.0.0.1:${port}`;
  return {
    servers,
    targets: {
      AUTH_TARGET: target(servers.auth),
      SCHEMA_TARGET: target(servers.schema),
      FX_TARGET: target(servers.fx),
      PAYMENT_TARGET: target(servers.payment),
      WALLET_TARGET: target(servers.wallet),
      IDENTITY_TARGET: target(servers.identity),
      WEBHOOK_TARGET: target(servers.webhook),
    },
    stop: stopAll(Object.values(servers)).stop,
  };
}
