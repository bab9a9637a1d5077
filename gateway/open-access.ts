import { accessChanged } from "../services/shared/bus/bus-users";
import { openServiceBus } from "../services/shared/bus/jetstream";
import type { Clock } from "../services/shared/kernel/clock";
import type { Ids } from "../services/shared/kernel/ids";
import { type Running, stopAll } from "../services/shared/process/lifecycle";
import type { Runtime } from "../services/shared/process/runtime";
import { type AccessRules, startAccessRules } from "./access-rules";
import { type Authenticate, makeAuthenticate } from "./authenticate";
import type { Upstreams } from "./clients";
import type { GatewayConfig } from "./config";
import { type FeedWaiters, makeFeedWaiters } from "./feed-waiters";
import { type KeySet, makeKeySet } from "./key-set";
import { type OperatorDirectory, startOperatorDirectory } from "./operator/operator-directory";
import { makePeople, type People } from "./people";
import type { StrangerBudget } from "./stranger-budget";
import { makeVerifyBearer } from "./verify-bearer";

/** Decides who may call, with the caches that this needs. */
export interface Access extends Running {
  keySet: KeySet;
  rules: AccessRules;
  authenticate: Authenticate;
  /** The same for browsers, which present no client certificate. */
  authenticateBrowser: Authenticate;
  people: People;
  operators: OperatorDirectory;
  waiters: FeedWaiters;
  /**
   * Drops everything cached about credentials, and reads the rules again. Resolves when the new rules are in force, or could not be
   * read: then the last ones stay until they can.
   */
  lookAnew(): Promise<void>;
}

/**
 * Opens the checks of credentials. Everything cached about them is dropped when the bus reports that a caller's access has changed; while
 * the bus is away it expires: rules in ten seconds, keys and tokens in a minute.
 */
export async function openAccess(
  config: GatewayConfig,
  { logger }: Pick<Runtime, "logger">,
  { auth }: Pick<Upstreams, "auth">,
  { clock, ids, strangers }: { clock: Clock; ids: Ids; strangers: StrangerBudget },
): Promise<Access> {
  const keySet = makeKeySet({ getKeySet: auth.getKeySet, clock, logger });
  const rules = startAccessRules({
    getAccessRules: auth.getAccessRules,
    profile: config.PROFILE,
    needsCertificate: config.GATEWAY_CLIENT_CA_FILE !== undefined,
    clock,
    logger,
    ids,
  });
  const { AUTH_AUDIENCE: audience, PROFILE: environment } = config;
  const verifyBearer = makeVerifyBearer({ keySet, audience, environment, clock });
  const operators = startOperatorDirectory({ file: config.OPERATOR_TOKENS_FILE, clock, logger });
  const people = makePeople({ authenticatePerson: auth.authenticatePerson, strangers, clock });
  const deps = {
    verifyBearer: verifyBearer.verify,
    authenticateKey: auth.authenticateKey,
    rules,
    strangers,
    operators,
    people,
    ownIssuer: async () => (await keySet.current()).issuer,
    clock,
  };
  const authenticate = makeAuthenticate(deps);
  const withoutCertificate = { ...rules, refusalOf: rules.refusalOfAddress };
  const authenticateBrowser = makeAuthenticate({ ...deps, rules: withoutCertificate });
  const bus = await openServiceBus("gateway", config, logger);
  const forget = (): void => {
    keySet.doubt();
    verifyBearer.forget();
    authenticate.forgetKeys();
    people.forget();
  };
  bus.onSignal(accessChanged, () => {
    forget();
    rules.refresh();
  });
  const lookAnew = (): Promise<void> => {
    forget();
    return rules.refreshNow();
  };
  const waiters = makeFeedWaiters(bus);
  const parts = { keySet, rules, people, operators, authenticate, authenticateBrowser, waiters, lookAnew };
  return { ...parts, ...stopAll([rules, operators, bus]) };
}
