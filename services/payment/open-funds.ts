import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../shared/clock";
import { systemIds } from "../shared/ids";
import { processHolder } from "../shared/lease";
import type { Logger } from "../shared/logger";
import type { ProviderCall } from "../shared/provider-call";
import { fundsHolders } from "./open-providers";
import { type PromiseBlocks, startPromiseBlocks } from "./promise-blocks";
import { startPromiseHolder } from "./promise-holder";
import { makePromiseLedger } from "./promise-ledger";
import { makeRailFigures } from "./rail-figures";
import type { PaymentStore } from "./store/payment-store";
import type { PromiseHolderStore } from "./store/promise-holder-store";

/** Longer than the driver waits for the answer of a write. */
const doubtMs = 15_000;
/** The ledger takes names of holders up to 100 characters; a UUID follows. */
const longestHolder = 60;

interface FundsDeps {
  holders: PromiseHolderStore;
  payments: PaymentStore;
  wallets: Parameters<typeof makePromiseLedger>[0];
  callOf(name: string): ProviderCall;
  logger: Logger;
}

/** The accounts of tenants, and ours at the rails, out of which payments are promised what they need. */
export function openFunds(deps: FundsDeps): PromiseBlocks {
  const { holders, payments, wallets, callOf, logger } = deps;
  const common = { payments, ledger: makePromiseLedger(wallets), ids: systemIds, logger };
  const holder = startPromiseHolder({
    ...common,
    process: processHolder.slice(-longestHolder),
    holders,
    clock: systemClock,
  });
  const figures = makeRailFigures(fundsHolders(callOf));
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false });
  return startPromiseBlocks({ ...common, holder, figures, pause, doubtMs });
}
