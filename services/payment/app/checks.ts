import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "mongoose";
import type { CheckServiceService } from "../../../proto/gen/corridor/payment/v1/check_service";
import type { ProviderCall } from "../../shared/http/provider-call";
import { systemClock } from "../../shared/kernel/clock";
import { systemIds } from "../../shared/kernel/ids";
import type { Runtime } from "../../shared/process/runtime";
import type { Rpc } from "../../shared/rpc/rpc";
import type { DataKeys } from "../../shared/storage/data-keys";
import { makeTokenBuckets } from "../../shared/storage/token-buckets";
import { makeCardVerifier } from "../adapters/acquirer/card-verifier";
import { makePlaidLinker } from "../adapters/plaid/account-linking";
import type { PaymentConfig } from "../config";
import { checkAccountHandler } from "../handlers/check-account";
import { checkCardHandler } from "../handlers/check-card";
import { createLinkTokenHandler } from "../handlers/create-link-token";
import { getBalancesHandler } from "../handlers/get-balances";
import { revokeAccountTokenHandler } from "../handlers/revoke-account-token";
import { validateAccountCheckHandler } from "../handlers/validate-account-check";
import { makeCheckAccount } from "../operations/check-account";
import { makeCheckCard } from "../operations/check-card";
import { makeCreateLinkToken } from "../operations/create-link-token";
import { makeGetBalances } from "../operations/get-balances";
import { makeCardCheckLimit } from "../operations/limit-card-checks";
import { makeRevokeAccountToken } from "../operations/revoke-account-token";
import { makeValidateAccountCheck } from "../operations/validate-account-check";
import { type AccountTokenStore, makeAccountTokenStore } from "../store/account-token-store";
import { makeCardVerdictStore } from "../store/card-verdict-store";
import { fundsHolders } from "./open-providers";

/** Opens the checks of accounts and cards, the accounts that result from them, and the reading of what providers hold for us. */
export async function openChecks(
  config: PaymentConfig,
  { logger, tracing, clock }: Runtime,
  { connection, keys }: { connection: Connection; keys: DataKeys },
  callOf: (name: string) => ProviderCall,
): Promise<{ accounts: AccountTokenStore; handlers: Rpc<typeof CheckServiceService> }> {
  const accounts = makeAccountTokenStore(connection, { keys, ids: systemIds });
  const verdicts = makeCardVerdictStore(connection, keys);
  const buckets = makeTokenBuckets(connection, systemClock);
  await Promise.all([accounts.init(), verdicts.init(), buckets.init()]);
  const countCheck = makeCardCheckLimit(buckets, config.RATE_LIMIT_FACTOR);
  const { uuid } = systemIds;
  const linker = makePlaidLinker({
    baseUrl: config.LINKER_BASE_URL,
    clientId: config.LINKER_CLIENT_ID,
    secret: config.LINKER_SECRET_FILE,
    timeoutMs: config.RAIL_TIMEOUT_MS,
    uuid,
    logger,
    tracing,
  });
  const verifier = makeCardVerifier(callOf("acquirer"));
  const holders = fundsHolders(callOf);
  const handlers = {
    createLinkToken: createLinkTokenHandler(makeCreateLinkToken({ linker })),
    checkAccount: checkAccountHandler(makeCheckAccount({ accounts, linker, clock, pause: (ms) => sleep(ms) })),
    validateAccountCheck: validateAccountCheckHandler(makeValidateAccountCheck({ accounts })),
    revokeAccountToken: revokeAccountTokenHandler(makeRevokeAccountToken({ accounts })),
    checkCard: checkCardHandler(makeCheckCard({ verdicts, verifier, countCheck, clock, uuid })),
    getBalances: getBalancesHandler(makeGetBalances({ holders, clock })),
  };
  return { accounts, handlers };
}
