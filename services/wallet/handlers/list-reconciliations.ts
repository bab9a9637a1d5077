import type {
  ListReconciliationsRequest,
  ListReconciliationsResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { ReconciliationStore } from "../store/reconciliation-store";
import { encodeBreak, encodeClasses } from "./reconcile-providers";

const mostRuns = 20;

export const listReconciliationsHandler =
  (reconciliations: Pick<ReconciliationStore, "latest">) =>
  async ({ limit }: ListReconciliationsRequest): Promise<ListReconciliationsResponse> => {
    const found = await reconciliations.latest(Math.min(Math.max(limit, 1), mostRuns));
    const runs = found.map(({ id, startedAt, compared, open, classes, breaks }) => ({
      runId: id,
      startedAt,
      compared: BigInt(compared),
      open: BigInt(open),
      classes: encodeClasses(classes),
      breaks: breaks.map(encodeBreak),
    }));
    return { runs };
  };
