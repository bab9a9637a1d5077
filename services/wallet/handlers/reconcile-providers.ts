import type {
  BreakCount,
  ReconcileProvidersResponse,
  ReconciliationBreak,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { formatMinor } from "../../shared/assets";
import { type Break, countByClass } from "../domain/reconciliation";
import type { ReconcileProviders } from "../operations/reconcile-providers";

const maxBreaks = 1_000;

const amountOf = (side: Break["ours"]) =>
  side === undefined ? undefined : { asset: side.asset, amount: formatMinor(side.minor, side.asset) };

export const encodeBreak = ({ ours, theirs, ...one }: Break): ReconciliationBreak => ({
  ...one,
  ours: amountOf(ours),
  theirs: amountOf(theirs),
});

export const encodeClasses = (classes: Readonly<Record<string, number>>): BreakCount[] =>
  Object.entries(classes).map(([name, count]) => ({ class: name, count: BigInt(count) }));

export const reconcileProvidersHandler =
  (reconcileProviders: ReconcileProviders) => async (): Promise<ReconcileProvidersResponse> => {
    const { compared, open, breaks } = await reconcileProviders();
    return {
      compared: BigInt(compared),
      open: BigInt(open),
      classes: encodeClasses(countByClass(breaks)),
      breaks: breaks.slice(0, maxBreaks).map(encodeBreak),
    };
  };
