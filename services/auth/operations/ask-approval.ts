import type { Clock } from "../../shared/kernel/clock";
import { invalid } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { type Approval, askApproval, type Wish } from "../domain/approval";
import type { ApprovalStore } from "../store/approval-store";

export interface AskApprovalDeps {
  approvals: Pick<ApprovalStore, "add">;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

export type AskApproval = (wish: Wish, body: Buffer) => Promise<Approval>;

const mostBytes = 64 * 1_024;

/** Stores what an operator wants to do. Throws INVALID_ARGUMENT for a body that is too long to be shown to anybody. */
export const makeAskApproval =
  ({ approvals, clock, ids }: AskApprovalDeps): AskApproval =>
  async (wish, body) => {
    if (body.length > mostBytes) throw invalid([{ field: "body", message: `must be at most ${mostBytes} bytes` }]);
    const approval = askApproval(wish, ids.uuid(), clock.now());
    await approvals.add(approval, body);
    return approval;
  };
