import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { type Approval, spendApproval } from "../domain/approval";
import type { ApprovalStore } from "../store/approval-store";

export interface SpendApprovalDeps {
  approvals: Pick<ApprovalStore, "find" | "save">;
  clock: Clock;
}

export type SpendApproval = (id: string, operator: string, digest: string) => Promise<Approval>;

/** Uses an approval for its command; of two concurrent uses, one succeeds. Throws RECORD_CONFLICT, also when there is none. */
export const makeSpendApproval =
  ({ approvals, clock }: SpendApprovalDeps): SpendApproval =>
  async (id, operator, digest) => {
    const found = await approvals.find(id);
    if (found === undefined) throw new DomainError("RECORD_CONFLICT", "there is no approval with this id");
    const next = spendApproval(found.approval, { operator, digest, at: clock.now() });
    await approvals.save(next);
    return next;
  };
