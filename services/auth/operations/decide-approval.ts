import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { type Approval, decideApproval } from "../domain/approval";
import type { ApprovalStore } from "../store/approval-store";

export interface DecideApprovalDeps {
  approvals: Pick<ApprovalStore, "find" | "save">;
  clock: Clock;
}

export type DecideApproval = (id: string, operator: string, approve: boolean) => Promise<Approval>;

/** Stores an operator's decision on a command. Throws RECORD_NOT_FOUND, and RECORD_CONFLICT as `decideApproval` does. */
export const makeDecideApproval =
  ({ approvals, clock }: DecideApprovalDeps): DecideApproval =>
  async (id, operator, approve) => {
    const found = await approvals.find(id);
    if (found === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no approval with this id");
    const next = decideApproval(found.approval, { operator, approve, at: clock.now() });
    await approvals.save(next);
    return next;
  };
