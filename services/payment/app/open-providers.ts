import { makeProviderCall, type ProviderCall } from "../../shared/http/provider-call";
import { systemClock } from "../../shared/kernel/clock";
import type { Runtime } from "../../shared/process/runtime";
import { makeAcquirer } from "../adapters/acquirer/collections";
import { acquirerManifest } from "../adapters/acquirer/manifest";
import { makeDirectDebit } from "../adapters/direct-debit/collections";
import { directDebitManifest } from "../adapters/direct-debit/manifest";
import { makeRailFunds } from "../adapters/rail/balances";
import { railManifest, railNames } from "../adapters/rail/manifest";
import { makeRail } from "../adapters/rail/payouts";
import { makeWalletPayouts, type WalletClient } from "../adapters/wallet/wallet-payouts";
import type { PaymentConfig } from "../config";
import type { FundsHolder } from "../domain/check-ports";
import type { Provider, Providers } from "../ports";
import type { AccountTokenStore } from "../store/account-token-store";

/** Makes connections to the providers, each with its own circuit breaker. */
export const providerCalls =
  (config: PaymentConfig, { logger, tracing, metrics }: Runtime) =>
  (name: string): ProviderCall =>
    makeProviderCall({
      name,
      baseUrl: config.RAIL_BASE_URL,
      apiKey: config.RAIL_API_KEY_FILE,
      timeoutMs: config.RAIL_TIMEOUT_MS,
      logger,
      tracing,
      metrics,
    });

export const fundsHolders = (callOf: (name: string) => ProviderCall): FundsHolder[] =>
  railNames.map((name) => makeRailFunds(name, callOf(name)));

/** The connections through which providers are reached. */
interface ProviderWays {
  callOf(name: string): ProviderCall;
  tokens: AccountTokenStore;
  wallets: WalletClient;
}

export function openProviders(config: PaymentConfig, { callOf, tokens, wallets }: ProviderWays): Providers {
  const secrets = config.PROVIDER_CALLBACK_SECRETS_FILE;
  // Signatures age in real time, whatever the business time is.
  const waysOf = (name: string) => ({
    call: callOf(name),
    clock: systemClock,
    callbackSecret: requireSecret(secrets, name),
  });
  const payouts = railNames.map((name) =>
    makeRail({ ...waysOf(name), manifest: railManifest(name, config.RAIL_FINALITY_MS) }),
  );
  const all: readonly Provider[] = [
    ...payouts,
    makeWalletPayouts(wallets),
    makeAcquirer(waysOf(acquirerManifest.name)),
    makeDirectDebit({ ...waysOf(directDebitManifest.name), tokens }),
  ];
  return new Map(all.map((provider) => [provider.manifest.name, provider]));
}

function requireSecret(secrets: ReadonlyMap<string, string>, name: string): string {
  const found = secrets.get(name);
  if (found === undefined) throw new Error(`PROVIDER_CALLBACK_SECRETS_FILE has no secret of ${name}`);
  return found;
}
