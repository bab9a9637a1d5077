import type { ReconcileProvidersResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { formatMinor } from "../domain/asset";
import type { ReconcileProviders } from "../operations/reconcile-providers";

const maxBreaks = 1_000;

const amountOf = (side: { asset: string; minor: bigint } | undefined) =>
  side === undefined ? undefined : { asset: side.asset, amount: formatMinor(side.minor, side.asset) };

export const reconcileProvidersHandler =
  (reconcileProviders: ReconcileProviders) => async (): Promise<ReconcileProvidersResponse> => {
    const { compared, open, breaks } = await reconcileProviders();
    const classes = Map.groupBy(breaks, (one) => one.class);
    return {
      compared: BigInt(compared),
      open: BigInt(open),
      classes: Array.from(classes, ([name, all]) => ({ class: name, count: BigInt(all.length) })),
      breaks: breaks.slice(0, maxBreaks).map(({ ours, theirs, ...one }) => ({
        ...one,
        ours: amountOf(ours),
        theirs: amountOf(theirs),
      })),
    };
  };
