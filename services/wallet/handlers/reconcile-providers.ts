import type { ReconcileProvidersResponse } from "../../../proto/gen/corridor/wallet/v1/statement";
import type { ReconcileProviders } from "../operations/reconcile-providers";
import { encodeStatementBreak } from "./statement-codec";

export const reconcileProvidersHandler =
  (reconcileProviders: ReconcileProviders) => async (): Promise<ReconcileProvidersResponse> => {
    const { statements, classes, breaks } = await reconcileProviders();
    return {
      statements: statements.map(({ provider, lastLine, openItems, readAt }) => {
        return { provider, lastLine: BigInt(lastLine), openItems: BigInt(openItems), readAt };
      }),
      classes: Array.from(classes, ([name, count]) => ({ class: name, count: BigInt(count) })),
      breaks: breaks.map(encodeStatementBreak),
    };
  };
