import type {
  AccessRule,
  GetAccessRulesRequest,
  GetAccessRulesResponse,
  SecretRule,
} from "../proto/gen/corridor/auth/v1/auth_service";
import type { Clock } from "../services/shared/kernel/clock";
import { DomainError } from "../services/shared/kernel/errors";
import type { Ids } from "../services/shared/kernel/ids";
import { allowsAddress, makeNetworks, type Networks } from "../services/shared/kernel/networks";
import type { Profile } from "../services/shared/kernel/profile";
import type { KeyScope, Scope } from "../services/shared/kernel/scopes";
import type { Running } from "../services/shared/process/lifecycle";
import { errorFields, type Logger } from "../services/shared/process/logger";
import { makeWaker } from "../services/shared/process/waker";
import type { Peer } from "./peer";

/** Rules that apply to a genuine credential beside its own claims, as the auth service last reported them. */
export interface AccessRules extends Running {
  /** Why the tenant's credentials do not work from this peer; undefined when they do. */
  refusalOf(tenant: string, peer: Peer): Promise<DomainError | undefined>;
  /** The same for a caller that presents no certificate. */
  refusalOfAddress(tenant: string, peer: Peer): Promise<DomainError | undefined>;
  /** True for an OAuth client if its tokens no longer work. */
  isDisabled(client: string): Promise<boolean>;
  /** True for an access token that was revoked. */
  isRevoked(tokenId: string): Promise<boolean>;
  /** Why tokens issued for a client secret do not work from this peer for a scope; undefined when they do. */
  refusalOfSecret(secretId: string, scope: Scope, peer: Peer): Promise<DomainError | undefined>;
  /** Number of live replicas of the gateway, this one included. */
  replicas(): number;
  /** Reads the rules again now, and retries until they can be read. */
  refresh(): void;
  /** The same; resolves when the rules were read, or could not be read for the first time. */
  refreshNow(): Promise<void>;
}

export interface AccessRulesDeps {
  getAccessRules(request: GetAccessRulesRequest): Promise<GetAccessRulesResponse>;
  profile: Profile;
  /** True: a tenant's credentials work only with one of its client certificates. */
  needsCertificate: boolean;
  clock: Clock;
  logger: Logger;
  ids: Pick<Ids, "uuid">;
}

interface Rule extends AccessRule {
  networks: Networks;
}

interface BoundSecret extends SecretRule {
  networks: Networks;
}

interface Rules {
  byTenant: ReadonlyMap<string, Rule>;
  disabledClients: ReadonlySet<string>;
  revokedTokens: ReadonlySet<string>;
  secrets: ReadonlyMap<string, BoundSecret>;
  verifiers: number;
}

/** How often the rules are read again when no message says that they have changed. */
const refreshMs = 10_000;
/** Delay before rules that are known to have changed are requested again after a failure. */
const retryMs = 500;

const noRule: Rule = { tenant: "", isDisabled: false, allowlist: [], certificates: [], networks: makeNetworks([]) };

/** The rules as they were last read. */
interface RuleKeeper extends Running, Pick<AccessRules, "refresh" | "refreshNow"> {
  kept(): Rules | undefined;
  /** The rules, read first if they never were; throws UNAVAILABLE when they cannot be. */
  current(): Promise<Rules>;
}

function keepRules({ getAccessRules, logger, ids }: AccessRulesDeps): RuleKeeper {
  const verifierId = ids.uuid();
  let kept: Rules | undefined;
  let loading: Promise<Rules> | undefined;
  let [asked, answered] = [0, 0];

  /** An answer to an older request is discarded once that to a newer one was applied. */
  const load = async (): Promise<Rules> => {
    asked += 1;
    const question = asked;
    const rules = readRules(await getAccessRules({ verifierId }));
    if (question < answered) return kept ?? rules;
    answered = question;
    kept = rules;
    return rules;
  };
  const first = (): Promise<Rules> => {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  };
  const waker = makeWaker();
  let isStopped = false;
  /** The number of the first request sent after the last known change: its answer contains every change. */
  let wanted = 0;
  const tryLoad = async (): Promise<void> => {
    await load().catch((error: unknown) => {
      logger.warn(errorFields(error), "the access rules could not be refreshed");
    });
  };
  const refreshForEver = async (): Promise<void> => {
    while (!isStopped) {
      await tryLoad();
      if (!isStopped) await waker.wait(answered < wanted ? retryMs : refreshMs);
    }
  };
  const refreshing = refreshForEver();
  return {
    kept: () => kept,
    current: async () => kept ?? first(),
    refresh() {
      wanted = asked + 1;
      waker.wake();
    },
    async refreshNow() {
      wanted = asked + 1;
      await tryLoad();
      if (answered < wanted) waker.wake();
    },
    async stop() {
      isStopped = true;
      waker.wake();
      await refreshing;
    },
  };
}

/**
 * Keeps the rules in memory, so that no request waits for them. While the auth service is away the last rules stay in force; throws
 * UNAVAILABLE only if none were ever read.
 */
export function startAccessRules(deps: AccessRulesDeps): AccessRules {
  const { profile, needsCertificate, clock } = deps;
  const { kept, current, ...refreshing } = keepRules(deps);
  const ruleOf = async (tenant: string): Promise<Rule> => (await current()).byTenant.get(tenant) ?? noRule;
  return {
    ...refreshing,
    refusalOfAddress: async (tenant, peer) => refusalByRule(profile, await ruleOf(tenant), peer),
    async refusalOf(tenant, peer) {
      const rule = await ruleOf(tenant);
      const refusal = refusalByRule(profile, rule, peer);
      if (refusal !== undefined) return refusal;
      const hasCertificate = peer.certificate !== undefined && rule.certificates.includes(peer.certificate);
      return needsCertificate && !hasCertificate
        ? new DomainError("UNAUTHENTICATED", "the client certificate is not one of the tenant's")
        : undefined;
    },
    async isDisabled(client) {
      return (await current()).disabledClients.has(client);
    },
    async isRevoked(tokenId) {
      return (await current()).revokedTokens.has(tokenId);
    },
    async refusalOfSecret(secretId, scope, { address }) {
      const secret = (await current()).secrets.get(secretId);
      return secret && refusalOfBound(secret, { scope, address, now: clock.now() });
    },
    replicas: () => Math.max(1, kept()?.verifiers ?? 1),
  };
}

/** Why a tenant's credentials do not work from an address. */
function refusalByRule(profile: Profile, rule: Rule, { address }: Peer): DomainError | undefined {
  if (rule.isDisabled) return new DomainError("UNAUTHENTICATED", "the tenant is disabled");
  return allowsAddress(profile, rule.allowlist, rule.networks, address)
    ? undefined
    : new DomainError("ADDRESS_REFUSED", "calls from this address are not allowed");
}

function refusalOfBound(
  { isRevoked, bounds, networks }: BoundSecret,
  { scope, address, now }: { scope: Scope; address: string; now: Date },
): DomainError | undefined {
  const { scopes, expiresAt, allowlist = [] } = bounds ?? {};
  if (isRevoked || (expiresAt !== undefined && expiresAt <= now)) {
    return new DomainError("UNAUTHENTICATED", "the access token is not valid");
  }
  if (allowlist.length > 0 && !networks.includes(address)) {
    return new DomainError("ADDRESS_REFUSED", "the secret does not work from this address");
  }
  const isAllowed = scopes === undefined || scopes.values.includes(scope);
  return isAllowed ? undefined : scopeMissing("the client secret", scope);
}

/** The refusal of a credential that is good but does not allow this. */
export const scopeMissing = (credential: string, scope: Scope | KeyScope): DomainError =>
  new DomainError("SCOPE_MISSING", `${credential} lacks the scope ${scope}`, { details: { scope } });

const readRules = ({ tenants, disabledClients, revokedTokens, secrets, verifiers }: GetAccessRulesResponse): Rules => ({
  byTenant: new Map(tenants.map((rule) => [rule.tenant, { ...rule, networks: makeNetworks(rule.allowlist) }])),
  disabledClients: new Set(disabledClients),
  revokedTokens: new Set(revokedTokens),
  secrets: new Map(
    secrets.map((rule) => [rule.secretId, { ...rule, networks: makeNetworks(rule.bounds?.allowlist ?? []) }]),
  ),
  verifiers,
});
