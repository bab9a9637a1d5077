import { type BusUserName, busAccounts, busUserNames } from "../../services/shared/bus/bus-users";
import { makeCredential } from "../../services/shared/crypto/credential";
import { type Clock, systemClock } from "../../services/shared/kernel/clock";
import { type Ids, systemIds } from "../../services/shared/kernel/ids";
import { issueCertificate, makeAuthority } from "../certificates/authority";
import { callbackProviders, writeCallbackSecrets } from "./callback-secrets";

/** Text by key, by name of a Secret. */
export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface SecretsWanted {
  /** Prefix of object names: the full name of the release. */
  prefix: string;
  /** Public host of the gateway. */
  publicHost: string;
  /** Address of MongoDB, which needs no password. */
  mongodbUri: string;
  natsUrl: string;
  clock?: Clock;
  ids?: Ids;
}

const publicDays = 365;

/**
 * Generates every Secret of a release with the sandbox profile: keys, passwords, a certificate for the gateway, one tenant with
 * its credentials, and the users of the bus. Nothing is stored: each run generates new ones.
 */
export async function makeSecrets(wanted: SecretsWanted): Promise<Secrets> {
  const { prefix, publicHost, mongodbUri, natsUrl, ids = systemIds } = wanted;
  const secret = (): string => ids.bytes(32).toString("hex");
  // nats-server reads a password that begins with a digit as a number.
  const passwords = new Map(busUserNames.map((user) => [user, `p${secret()}`] as const));
  const passwordOf = (user: BusUserName): string => passwords.get(user) ?? "";
  const store = { "mongodb-uri": mongodbUri };
  const busOf = (user: BusUserName) => ({ "nats-url": natsUrl, "nats-password": passwordOf(user) });
  const onBus = (user: BusUserName) => ({ ...store, ...busOf(user) });
  const gateway = await gatewayCertificate(prefix, publicHost, wanted.clock ?? systemClock);
  const tenant = makeTenant(ids);
  const made = new Map(callbackProviders.map((name) => [name, secret()]));
  const callbacks = writeCallbackSecrets((name) => made.get(name) ?? "");
  const provider = { key: secret(), others: secret() };
  const byService = {
    gateway: {
      ...busOf("gateway"),
      "tls.crt": gateway.certificate,
      "tls.key": gateway.key,
      "operator-tokens": `operator ${secret()}\nsecond ${secret()}\n`,
    },
    auth: {
      ...onBus("auth"),
      pepper: secret(),
      "sealing-key": secret(),
      "bootstrap.json": JSON.stringify({ tenants: [tenant] }),
    },
    schema: store,
    fx: store,
    payment: {
      ...onBus("payment"),
      "sealing-key": secret(),
      "rail-api-key": provider.key,
      "provider-callback-secrets": callbacks.lines,
      "linker-secret": provider.key,
    },
    identity: {
      ...onBus("identity"),
      "sealing-key": secret(),
      "index-key": secret(),
      "kyc-api-key": provider.key,
      "kyc-callback-secret": callbacks.of("kyc"),
      "screening-api-key": provider.key,
      "screening-callback-secret": callbacks.of("screening"),
      "screening-list.json": JSON.stringify({
        version: "sandbox",
        entries: [{ id: "sandbox-1", names: ["Sanctioned"] }],
      }),
    },
    wallet: {
      ...onBus("wallet"),
      "seal-key": secret(),
      "sealing-key": secret(),
      "statement-tokens": `*=${provider.key}\n`,
    },
    webhook: { ...onBus("webhook"), "sealing-key": secret() },
    sandbox: {
      "rail-api-key": provider.key,
      "callback-secrets": callbacks.json,
      "rail-callback-secret": provider.others,
      "gateway-ca.crt": gateway.authority,
    },
    nats: { "nats.conf": natsConfiguration(passwordOf) },
    test: { "client-id": tenant.clientId, "client-secret": tenant.clientSecret, "ca.crt": gateway.authority },
  };
  return Object.fromEntries(Object.entries(byService).map(([name, data]) => [`${prefix}-${name}`, data]));
}

async function gatewayCertificate(prefix: string, publicHost: string, clock: Clock) {
  const now = clock.now();
  const authority = await makeAuthority(`${prefix} gateway`, { now, days: publicDays });
  const names = [publicHost, `${prefix}-gateway`, "localhost"].map((value) => ({ type: "dns" as const, value }));
  const pair = await issueCertificate(authority, { names, now, days: publicDays });
  return { ...pair, authority: authority.certificate };
}

const makeTenant = (ids: Ids) => ({
  tenant: "demo",
  apiKey: makeCredential("key", "sandbox", ids),
  clientId: "demo-client",
  clientSecret: makeCredential("secret", "sandbox", ids),
  agents: [{ agentId: ids.uuid(), apiKey: makeCredential("agent", "sandbox", ids), status: "ACTIVE" }],
});

/** Syncing every message to disk costs a little time; without it a power cut loses messages. */
const natsConfiguration = (passwordOf: (user: BusUserName) => string): string =>
  [
    "port: 4222",
    "jetstream { sync_interval: always }",
    busAccounts((user) => JSON.stringify(passwordOf(user))),
    "",
  ].join("\n");
