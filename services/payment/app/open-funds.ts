import { setTimeout as sleep } from "node:timers/promises";
import type { ProviderCall } from "../../shared/http/provider-call";
import { systemIds } from "../../shared/kernel/ids";
import type { Logger } from "../../shared/process/logger";
import { processHolder } from "../../shared/storage/lease";
import { makePromiseLedger } from "../adapters/wallet/promise-ledger";
import { type PromiseBlocks, startPromiseBlocks } from "../operations/promise-funds";
import { makeRailBalances } from "../operations/rail-balances";
import type { PaymentStore } from "../store/payment-store";
import type { PromiseHolderStore } from "../store/promise-holder-store";
import { startPromiseHolder } from "../workers/promise-holder";
import { fundsHolders } from "./open-providers";

/** Longer than the driver waits for the answer of a write. */
const doubtMs = 15_000;
/** The ledger accepts names of holders of up to 100 characters; a UUID follows the name. */
const longestHolder = 60;

interface FundsDeps {
  holders: PromiseHolderStore;
  payments: PaymentStore;
  wallets: Parameters<typeof makePromiseLedger>[0];
  callOf(name: string): ProviderCall;
  logger: Logger;
}

/** Opens the accounts out of which payments are promised what they need: those of tenants, and ours at the rails. */
export function openFunds(deps: FundsDeps): PromiseBlocks {
  const { holders, payments, wallets, callOf, logger } = deps;
  const common = { payments, ledger: makePromiseLedger(wallets), ids: systemIds, logger };
  const holder = startPromiseHolder({
    ...common,
    process: processHolder.slice(-longestHolder),
    holders,
  });
  const figures = makeRailBalances(fundsHolders(callOf));
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false });
  return startPromiseBlocks({ ...common, holder, figures, pause, doubtMs });
}
