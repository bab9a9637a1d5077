import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { type Approval, spendApproval } from "../domain/approval";
import type { ApprovalStore } from "../store/approval-store";

export interface SpendApprovalDeps {
  approvals: Pick<ApprovalStore, "find" | "save">;
  clock: Clock;
}

export type SpendApproval = (id: string, operator: string, digest: string) => Promise<Approval>;

/** Takes an approval for its command; of two at once, one gets it. Throws RECORD_CONFLICT, also for one that is not there. */
export const makeSpendApproval =
  ({ approvals, clock }: SpendApprovalDeps): SpendApproval =>
  async (id, operator, digest) => {
    const found = await approvals.find(id);
    if (found === undefined) throw new DomainError("RECORD_CONFLICT", "there is no such approval");
    const next = spendApproval(found.approval, { operator, digest, at: clock.now() });
    await approvals.save(next);
    return next;
  };
